//! Halcyon's front door: the UCI conversation and the command line.
//!
//! The modules are listed from the bottom up; each uses only those above it.

#![forbid(unsafe_code)]

pub mod text;
pub mod files;
pub mod lines;
pub mod output;
pub mod info;
pub mod job_queue;
pub mod go;
pub mod game;
pub mod openings;
pub mod command;
pub mod stats_view;
pub mod session;
pub mod options;
pub mod board_text;
pub mod answers;
pub mod perft;
pub mod speed;
pub mod trace;
pub mod tree;
pub mod inspection;
pub mod jobs;
pub mod executor;
pub mod uci;
pub mod manual;
#[cfg(feature = "tools")]
pub mod count;
#[cfg(feature = "tools")]
pub mod play;
#[cfg(feature = "tools")]
pub mod lichess;
#[cfg(feature = "web")]
pub mod board;
#[cfg(feature = "tools")]
pub mod arguments;
pub mod start;
