//! The search. `root` deepens, `node` searches one node of the main search, `quiesce` plays out
//! forcing moves at its leaves; `mate` looks for mates when one is asked for; the others are their
//! parts.

mod flags;
mod kind;
mod stack;
mod pv;
mod prune;
mod reduce;
mod extend;
mod learn;
mod trail;
mod worker;
mod quiesce;
mod outlook;
mod trials;
mod node;
mod visit;
mod mate;
mod root;
#[cfg(test)]
mod tests;

pub(crate) use flags::Flags;
pub(crate) use kind::{Pv, Window};
pub(crate) use root::RootMove;
pub(crate) use trail::Trail;
pub(crate) use worker::{SearchJob, ThreadData, ThreadResult, Worker};
