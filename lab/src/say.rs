//! Printing for the user.

use std::fmt;
use std::io::Write;

/// Prints to standard output. That nobody reads it (a closed pipe) is no reason to fail.
pub(crate) fn print(text: fmt::Arguments) {
    let _ = std::io::stdout().write_fmt(text);
}

/// Prints a line of text.
pub fn line(text: &str) {
    print(format_args!("{text}\n"));
}

/// Prints a line.
macro_rules! say {
    ($($text:tt)*) => { $crate::say::print(format_args!("{}\n", format_args!($($text)*))) };
}

pub(crate) use say;
