//! The project's own tasks: `cargo xtask <task>`.

#![allow(clippy::print_stdout, clippy::print_stderr)]

mod assert_games;
mod bench_native;
mod bench_perft;
#[cfg(unix)]
mod cluster;
mod crates;
mod dist;
#[cfg(test)]
mod doc_comments;
#[cfg(test)]
mod doc_links;
mod fuzz;
mod hostile;
mod lint_commits;
mod loom;
mod miri;
mod mutants;
mod newcomer;
mod openbench;
mod page;
mod perft_file;
mod perft_full;
mod pgo;
mod platform;
mod platforms;
mod public_api;
mod python;
mod large_files;
#[cfg(test)]
mod layout;
mod release;
mod sanitize;
mod sbom;
mod setup;
mod shell;
mod soak;
mod speed;
mod supply;
mod test;
mod time_games;
mod torture;
mod stress;
mod uci;
mod wasm;

use std::process::ExitCode;

const USAGE: &str = "\
cargo xtask <task>

  test [--no-install]      format, lints, documentation and all tests
  setup                    install what the tests need and is not here
  lint-commits [range]     subjects and Bench lines of commits, as CONTRIBUTING.md asks for them
  bench-hostile            time and memory of reading 1, 2 and 4 MB of hostile text
  perft-full               every perft count in data/ and $HALCYON_DATA/perft, to full depth
  bench-perft              speed of perft beside Stockfish's
  miri                     fast tests of the rules, the memory and the network in the Miri interpreter
  analyse-killed <pgn> <nodes> [program]   analyse a file uninterrupted, and killed ten times and resumed
  analyse-large <pgn> <MiB> [program]      stream a file that large, made of this one, in bounded memory
  bench-native             speed of a release beside a build for this machine alone
  pgo                      the engine built with what was seen of it at work, and what it gains
  dist [platform]...       archives and packages for Linux and Windows, built twice and compared
  crates [--quick]         the libraries as packages for the registry of crates
  public-api [--bless]     what programs can see of the libraries, beside data/public-api; --bless accepts changes
  cluster                  docs/cluster on a Slurm of this machine and with GNU parallel
  platforms [platform]...  the programs that dist has made, under wine and qemu
  wasm                     the engine as WebAssembly: for npm, and in a page of its own
  python                   the wheel for Python: built, installed in a fresh place, tested, measured
  newcomer                 the commands of the README for its source, on a copy, with an empty cargo home
  openbench                what a worker of OpenBench does with the last commit
  fuzz <target> <seconds>  fuzz one target of fuzz/fuzz_targets
  torture [commands] [seed] [program]   random UCI commands at random moments, every answer checked
  time-games [games] [load] [program]   games against short clocks beside threads that keep the machine busy
  sanitize <rounds>        the search under ThreadSanitizer and AddressSanitizer
  soak [minutes] [program] an analysis with changing options: memory and speed must stay
  deny                     licences, sources and advisories of all packages, with cargo-deny
  mutants [k/n]            whether tests notice changes of the rules and the picker, or a share of them
  loom                     every order of the threads' steps where a search is stopped
  assert-games <games> <nodes>   games with every assertion and overflow check";

/// Why a task failed, in one line.
type Failure = String;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match words[..] {
        ["test"] => test::run(true),
        ["test", "--no-install"] => test::run(false),
        ["setup"] => setup::run(),
        ["lint-commits"] => lint_commits::run("HEAD~20..HEAD"),
        ["lint-commits", range] => lint_commits::run(range),
        ["bench-hostile"] => hostile::run(),
        ["perft-full"] => perft_full::run(),
        ["bench-perft"] => bench_perft::run(),
        ["bench-native"] => bench_native::run(),
        ["pgo"] => pgo::run(),
        ["dist", ref platforms @ ..] => dist::run(platforms),
        ["crates"] => crates::run(false),
        ["crates", "--quick"] => crates::run(true),
        ["public-api"] => public_api::run(false),
        ["public-api", "--bless"] => public_api::run(true),
        #[cfg(unix)]
        ["cluster"] => cluster::run(),
        ["platforms", ref names @ ..] => platforms::run(names),
        ["wasm"] => wasm::run(),
        ["python"] => python::run(),
        ["newcomer"] => newcomer::run(),
        ["openbench"] => openbench::run(),
        ["miri"] => miri::run(),
        ["analyse-killed", input, nodes] => large_files::kill(input, nodes, None),
        ["analyse-killed", input, nodes, program] => large_files::kill(input, nodes, Some(program)),
        ["analyse-large", input, size] => large_files::stream(input, size, None),
        ["analyse-large", input, size, program] => large_files::stream(input, size, Some(program)),
        ["torture", ref rest @ ..] => torture::run(rest),
        ["time-games", ref rest @ ..] => time_games::run(rest),
        ["sanitize", rounds] => sanitize::run(rounds),
        ["soak", ref rest @ ..] => soak::run(rest),
        ["deny"] => supply::deny(),
        ["mutants"] => mutants::run(None),
        ["mutants", share] => mutants::run(Some(share)),
        ["loom"] => loom::run(),
        ["assert-games", games, nodes] => assert_games::run(games, nodes),
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
