//! `likeness`: how much the levels play like people of the rating that they are named for. Moves of
//! rated players are compared with what the level, the whole engine and another limited engine choose
//! in the same position, and a long search says what each of them loses.

pub mod cli;
mod measure;
mod page;
mod people;
