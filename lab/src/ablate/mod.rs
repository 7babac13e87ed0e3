//! What each technique of the search is worth: matches against the engine without it, and what it
//! does to the size of the tree.

pub mod cli;
mod chart;
mod journal;
mod measure;
mod page;
mod techniques;
