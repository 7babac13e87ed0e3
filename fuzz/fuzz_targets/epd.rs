//! Any text as a line of a suite: a task with legal answers, nothing, or the reason why not.

#![no_main]

use batch::suite::Task;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    for (index, line) in text.lines().enumerate() {
        if let Err(reason) = Task::parse(line, index + 1) {
            assert!(!reason.is_empty());
        }
    }
});
