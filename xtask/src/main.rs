//! The project's own chores: `cargo xtask <chore>`.

#![allow(clippy::print_stdout, clippy::print_stderr)]

mod bench_perft;
mod fuzz;
mod miri;
mod openbench;
mod page;
mod perft_file;
mod perft_full;
mod piles;
mod shell;
mod test;
mod uci;

use std::process::ExitCode;

const USAGE: &str = "\
cargo xtask <chore>

  test                     format, lints, documentation and all tests
  perft-full               every perft count in data/ and $HALCYON_DATA/perft, to full depth
  bench-perft              speed of perft beside Stockfish's
  miri                     the fast tests of the rules in the Miri interpreter
  analyse-killed <pgn> <nodes> [program]   analyse a file in peace, and killed ten times and resumed
  analyse-large <pgn> <MiB> [program]      stream a file that large, made of this one, in bounded memory
  openbench                what a worker of OpenBench does with the last commit
  fuzz <target> <seconds>  fuzz one target of fuzz/fuzz_targets";

/// Why a chore failed, in one line.
type Failure = String;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match words[..] {
        ["test"] => test::run(),
        ["perft-full"] => perft_full::run(),
        ["bench-perft"] => bench_perft::run(),
        ["openbench"] => openbench::run(),
        ["miri"] => miri::run(),
        ["analyse-killed", input, nodes] => piles::kill(input, nodes, None),
        ["analyse-killed", input, nodes, program] => piles::kill(input, nodes, Some(program)),
        ["analyse-large", input, size] => piles::stream(input, size, None),
        ["analyse-large", input, size, program] => piles::stream(input, size, Some(program)),
        ["fuzz", target, seconds] => fuzz::run(target, seconds),
        _ => Err(USAGE.into()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("{failure}");
            ExitCode::FAILURE
        }
    }
}
