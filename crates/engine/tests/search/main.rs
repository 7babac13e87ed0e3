//! Tests of the engine as others see it: limits, stops, lines, threads, draws, known positions.
//!
//! Files of public collections are read from the folder that `HALCYON_DATA` names; without it the
//! tests that need them say so and pass.

#![allow(clippy::print_stderr)]

mod draws;
mod layers;
mod limits;
mod lines;
mod mates;
mod positions;
mod repeatable;
mod reports;
mod stopping;
mod support;
mod threads;
mod tt;
