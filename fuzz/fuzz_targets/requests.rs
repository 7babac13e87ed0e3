//! Any text as a message of the page to the board's server: a request, or the reason why not.

#![no_main]

use libfuzzer_sys::fuzz_target;
use server::protocol::Request;

fuzz_target!(|text: &str| {
    if let Err((_, reason)) = Request::parse(text) {
        assert!(!reason.is_empty());
    }
});
