//! Where the program begins: with a conversation, or with what its arguments ask for.

use std::io::{self, BufRead, IsTerminal};
use std::process::ExitCode;

use crate::output::Output;
use crate::picture::Paint;
use crate::uci::{self, Audience};

/// Does what the arguments say; without any it talks to whoever is at the other end.
#[must_use]
pub fn run() -> ExitCode {
    let arguments: Vec<String> =
        std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    if let Some(commands) = commands(&arguments) {
        return converse(commands.as_bytes(), false);
    }
    // A GUI starts the engine without arguments: it shall not wait for what only people need.
    #[cfg(feature = "tools")]
    if !arguments.is_empty()
        && let Some(done) = crate::arguments::run(paint())
    {
        return match done {
            Ok(()) => ExitCode::SUCCESS,
            Err(problem) => {
                // If nobody reads standard error either, the exit code still tells.
                let _ =
                    io::Write::write_fmt(&mut io::stderr(), format_args!("halcyon: {problem}\n"));
                ExitCode::FAILURE
            }
        };
    }
    converse(io::stdin().lock(), io::stdin().is_terminal())
}

fn converse(input: impl BufRead, person: bool) -> ExitCode {
    match uci::run(input, &Output::stdout(), Audience { person, paint: paint() }) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

/// Colours only where somebody sees them and does not mind.
fn paint() -> Paint {
    let wanted = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    if wanted && io::stdout().is_terminal() { Paint::Coloured } else { Paint::Plain }
}

/// Commands that test servers give as arguments, one each, as in
/// `halcyon "genfens 8 seed 1 book None" quit`: no sub-command has a blank in it. A build without
/// sub-commands takes any arguments as the words of one command.
fn commands(arguments: &[String]) -> Option<String> {
    let first = arguments.first()?;
    if first.contains(' ') {
        return Some(arguments.join("\n"));
    }
    (!cfg!(feature = "tools")).then(|| arguments.join(" "))
}
