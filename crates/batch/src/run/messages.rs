//! What people read while a run goes on.

use std::fmt::Write;
use std::time::Duration;

use indicatif::{HumanDuration, ProgressState};

use crate::record::Record;

/// For whoever waits for an answer where the program waits for games.
pub(super) const TYPE_GAMES: &str = "reading games or positions from the keyboard: paste them and end with Ctrl-D (on Windows \
     Ctrl-Z and Enter), or stop with Ctrl-C and name a file";

pub(super) fn speed(items: u64, time: Duration) -> String {
    let rate = items as f64 / time.as_secs_f64().max(1e-9);
    if rate >= 1.0 { format!("{rate:.1} a second") } else { format!("{:.1} a minute", 60.0 * rate) }
}

/// How long the rest takes; nothing while nothing is done from which it could be told.
pub(super) fn time_left(state: &ProgressState, text: &mut dyn Write) {
    if state.pos() > 0 {
        // Writing to a string cannot fail.
        let _ = write!(text, ", {:#} left", HumanDuration(state.eta()));
    }
}

/// What is said about the text of an item.
pub(super) fn faults(record: &Record) -> Vec<String> {
    match record {
        Record::Game(game) => {
            let place = format!("{}: game {}", game.file, game.game);
            let faults = game.faults.iter();
            faults.map(|fault| format!("{place}, line {}: {}", fault.line, fault.text)).collect()
        }
        Record::Position(position) => {
            let place = format!("{}: line {}", position.file, position.line);
            position.fault.iter().map(|fault| format!("{place}: {fault}")).collect()
        }
        Record::Puzzles(game) => {
            let place = format!("{}: game {}", game.file, game.game);
            let faults = game.faults.iter();
            faults.map(|fault| format!("{place}, line {}: {}", fault.line, fault.text)).collect()
        }
        Record::Header(_) | Record::End { .. } => Vec::new(),
    }
}
