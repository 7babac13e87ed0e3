//! Where the program begins: with a conversation, or with what its arguments ask for.

use std::io::{self, BufRead, IsTerminal};
use std::process::ExitCode;

use crate::board_text::Paint;
use crate::command;
use crate::output::Output;
use crate::uci::{self, AtEnd, Terminal};

/// Does what the arguments say; without any it talks to whoever is at the other end.
#[must_use]
pub fn run() -> ExitCode {
    let arguments: Vec<String> =
        std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    // A build without sub-commands says what it is all the same.
    if !cfg!(feature = "tools") && arguments == ["--version"] {
        Output::stdout().line(concat!("halcyon ", env!("HALCYON_VERSION")));
        return ExitCode::SUCCESS;
    }
    if let Some(commands) = commands(&arguments) {
        return converse(commands.as_bytes(), false, AtEnd::Finish);
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
    converse(io::stdin().lock(), io::stdin().is_terminal(), AtEnd::Stop)
}

fn converse(input: impl BufRead, person: bool, at_end: AtEnd) -> ExitCode {
    let terminal = Terminal { person, paint: paint(), at_end };
    let output = Output::stdout();
    let done = uci::run(input, &output, terminal);
    // A script that gives commands as arguments looks at the exit code; a GUI reads the answers.
    match (done, at_end) {
        (Ok(()), AtEnd::Finish) if output.has_failed() => ExitCode::FAILURE,
        (Ok(()), _) => ExitCode::SUCCESS,
        (Err(_), _) => ExitCode::FAILURE,
    }
}

/// Colours only where a person sees them and has not turned them off.
fn paint() -> Paint {
    let wanted = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    if wanted && io::stdout().is_terminal() { Paint::Coloured } else { Paint::Plain }
}

/// Sub-commands that are also UCI commands; they have options of their own.
const SUB_COMMANDS: [&str; 3] = ["bench", "perft", "help"];

/// UCI commands given as arguments. Test servers give one each, as in
/// `halcyon "genfens 8 seed 1 book None" quit`: no sub-command has a blank in it. People give the
/// words of one, as in `halcyon go depth 5` or `halcyon spsa`. A build without sub-commands takes any
/// arguments as the words of one command.
fn commands(arguments: &[String]) -> Option<String> {
    let first = arguments.first()?;
    if first.contains(' ') {
        return Some(arguments.join("\n"));
    }
    let is_uci = |word: &str| command::is_name(word) && !SUB_COMMANDS.contains(&word);
    let is_command = is_uci(first);
    if first == "help" && arguments.get(1).is_some_and(|word| is_uci(word)) {
        return Some(String::from("help"));
    }
    // To UCI this would be an unknown word.
    if is_command && arguments[1..].iter().any(|word| word == "--help" || word == "-h") {
        return Some(String::from("help"));
    }
    (is_command || !cfg!(feature = "tools")).then(|| arguments.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joined(arguments: &[&str]) -> Option<String> {
        commands(&arguments.iter().map(|&word| word.to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn commands_of_uci_may_be_arguments_and_sub_commands_stay() {
        assert_eq!(joined(&["go", "depth", "5"]).unwrap(), "go depth 5");
        assert_eq!(joined(&["spsa"]).unwrap(), "spsa");
        assert_eq!(
            joined(&["position startpos", "go nodes 9"]).unwrap(),
            "position startpos\ngo nodes 9"
        );
        assert_eq!(joined(&["go", "--help"]).unwrap(), "help");
        assert_eq!(joined(&["eval", "-h"]).unwrap(), "help");
        assert_eq!(joined(&["help", "go"]).unwrap(), "help");
        if cfg!(feature = "tools") {
            assert_eq!(joined(&["help", "perft"]), None);
            for words in [&["bench"][..], &["perft", "3"], &["analyse", "x.pgn"], &["--version"]] {
                assert_eq!(joined(words), None, "{words:?}");
            }
        }
    }
}
