//! From large files of games or positions to answers: analysis of files, reports, test suites, books.
//!
//! [`analyse`](analyse::analyse) reads games and positions, lets engines look at them and writes one
//! JSON line for each; every other output is made from these lines, at once or later by
//! [`merge`](merge::merge). [`suite`] gives positions with known answers to this engine and others.
//!
//! The modules are listed from the bottom up; each uses only those above it.

#![forbid(unsafe_code)]

mod text;
mod error;
mod paths;
pub mod engines;
pub mod uci_engine;
pub mod record;
pub mod input;
mod selection;
pub mod journal;
pub mod summary;
mod html;
pub mod render;
pub mod work;
pub mod merge;
mod run;
pub mod analyse;
pub mod puzzles;
pub mod why;
pub mod book;
pub mod suite;

pub use error::{Error, printable};
pub use run::read_book;
pub use text::counted;
