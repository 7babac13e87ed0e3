//! `levels`: how strong the levels below full strength are, and the numbers that make them as strong
//! as their names say. Neighbours play each other and another engine that can limit its strength; one
//! fit of all games puts everybody on the scale of that engine.

mod anchor;
pub mod cli;
mod fit;
mod journal;
mod page;
mod play;
mod run;

pub(crate) use anchor::Anchor;
