//! Talks to the real program as a GUI would.

// A test that is skipped says so.
#![allow(clippy::print_stderr)]

mod analysis;
mod bad_commands;
mod client;
mod conversation;
mod examples;
mod faults;
mod golden;
mod masks;
mod options;
mod ponder;
mod program;
mod python_chess;
mod random;
mod shared_inputs;
