//! Transcripts: `>` before what is sent, then what comes back. `HALCYON_BLESS=1` writes them from scratch.

use std::fs;
use std::path::{Path, PathBuf};

use crate::client::Client;
use crate::masks::{Mask, masked};

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/uci/golden")
}

/// Whether transcripts are to be written instead of compared.
pub(crate) fn is_blessing() -> bool {
    std::env::var_os("HALCYON_BLESS").is_some()
}

/// Compares a text with a file, or writes it.
pub(crate) fn compare(name: &str, actual: &str) {
    let path = directory().join(name);
    if is_blessing() {
        fs::write(&path, actual).unwrap();
        return;
    }
    let expected = fs::read_to_string(&path).unwrap_or_default();
    for (number, (here, there)) in actual.lines().zip(expected.lines()).enumerate() {
        assert_eq!(here, there, "{name} line {}", number + 1);
    }
    assert_eq!(actual.lines().count(), expected.lines().count(), "{name}: length");
}

/// Plays a transcript's inputs and returns the transcript as it is now.
fn replay(text: &str) -> String {
    let mask = match text.lines().next() {
        Some("# choices are hidden") => Mask::Choices,
        Some("# digits are hidden") => Mask::Digits,
        Some("# numbers are hidden") => Mask::Numbers,
        _ => Mask::Volatile,
    };
    let mut client = Client::start();
    let mut actual = String::new();
    for line in text.lines().filter(|line| line.starts_with('#')) {
        actual.push_str(&format!("{line}\n"));
    }
    for input in text.lines().filter_map(|line| line.strip_prefix('>')) {
        let input = input.trim_start();
        actual.push_str(format!("> {input}").trim_end());
        actual.push('\n');
        let searches = input.starts_with("go") && !input.contains("perft");
        client.send(input);
        let answers = if searches { client.until("bestmove") } else { client.ready() };
        for line in answers.iter().filter_map(|line| masked(line, mask)) {
            actual.push_str(&format!("{line}\n"));
        }
    }
    client.quit();
    actual
}

#[test]
fn every_transcript_repeats_itself() {
    let mut count = 0;
    for entry in fs::read_dir(directory()).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.extension().is_some_and(|extension| extension == "uci") {
            compare(&name, &replay(&fs::read_to_string(&path).unwrap()));
            count += 1;
        }
    }
    assert!(count > 5, "the transcripts are not where they should be");
}

#[test]
fn every_command_stands_in_a_transcript_or_a_test_of_its_own() {
    // Tested in `conversation` and `program`, because their answers are not lines in order.
    let elsewhere = [
        "isready",
        "stop",
        "ponderhit",
        "quit",
        "bench",
        "speedtest",
        "genfens",
        "spsa",
        "compiler",
    ];
    let mut inputs = String::new();
    for entry in fs::read_dir(directory()).unwrap() {
        let text = fs::read_to_string(entry.unwrap().path()).unwrap();
        inputs.extend(
            text.lines().filter(|line| line.starts_with("> ")).map(|line| format!("{line} \n")),
        );
    }
    for spec in cli::command::COMMANDS {
        let known = inputs.contains(&format!("> {} ", spec.name)) || elsewhere.contains(&spec.name);
        assert!(known, "{} is not tested", spec.name);
    }
}
