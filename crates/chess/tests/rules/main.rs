//! Tests of the rules as a whole: against published counts, against another implementation, and
//! against slow definitions written here.
//!
//! Files of public collections are read from the folder that `HALCYON_DATA` names; without it the
//! tests that need them say so and pass.

#![allow(clippy::print_stderr)]

mod bad_input;
mod basics;
mod castling;
mod data;
mod differential;
mod draws;
mod exchange;
mod facts;
mod fen;
mod generators;
mod incremental;
mod layers;
mod legality;
mod oracle;
mod perft;
mod play;
mod properties;
mod repetition;
