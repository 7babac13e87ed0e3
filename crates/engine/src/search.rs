//! The search. [`iterative_deepening`] drives it, [`node`] is one node of the main search as
//! numbered steps, [`quiesce`] plays out forcing moves at its leaves; every technique has a file of
//! its name. [`mate`] proves mates when one is asked for.

mod flags;
mod kind;
mod facts;
mod stack;
mod pv;
mod breadcrumbs;
mod job;
mod root_move;
mod worker;
mod root;
mod watchdog;
mod draws;
mod place;
mod quiesce;
mod trace;
mod history_updates;
mod tt_cutoff;
mod tablebase_probe;
mod static_eval;
mod improving;
mod hindsight;
mod razoring;
mod reverse_futility;
mod null_move;
mod internal_iterative_reductions;
mod probcut;
mod late_move_reductions;
mod move_pruning;
mod singular;
mod extensions;
mod node;
mod mate;
mod aspiration;
mod stopping;
mod iterative_deepening;
#[cfg(test)]
mod tests;

pub(crate) use flags::Flags;
pub(crate) use job::{SearchContext, SearchJob};
pub(crate) use kind::{Pv, Window};
pub(crate) use root_move::RootMove;
pub(crate) use worker::{ThreadData, ThreadResult, Worker};
