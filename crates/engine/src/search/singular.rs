//! **Singular extensions.** If everything but the TT move fails low in a shallower search, the TT
//! move is singular and is searched deeper: once, twice or three times by how much worse the rest
//! is. If something else also beats beta, two moves do: *multicut* ends the node. A TT move that
//! is not singular though its score is high is searched shallower (*negative extension*).
//!
//! Source: Anantharaman, Campbell and Hsu, "Singular extensions" (1988), in the TT form of
//! Stockfish; Björnsson and Marsland, "Multi-cut pruning" (1998).
//! Worth: docs/ablations.md, rows "Singular extensions, all kinds", "Double and triple
//! extensions", "Multicut" and "Negative extensions".

use chess::{Move, Position};

use super::kind::{Node, NodeKind, NonPv, Stopped, Window};
use super::tt_cutoff::TtProbe;
use super::worker::Worker;
use crate::params;
use crate::score::{Bound, Score};
use crate::stats::{Event, Recorder};
use crate::tt::Entry;

/// What the search without the TT move showed about the TT move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Singularity {
    /// Everything else is worse: search the TT move so many plies deeper (or shallower).
    Extend(i32),
    /// Something else also beats beta: this score cuts the node.
    MultiCut(Score),
}

/// What the verdict on the TT move depends on.
#[derive(Clone, Copy)]
struct SingularFacts {
    /// Score of the search without the TT move.
    score: Score,
    /// The bound it was searched with.
    singular_beta: Score,
    beta: Score,
    tt_score: Score,
    pv_node: bool,
    cut_node: bool,
    quiet: bool,
    /// Double and triple extensions already on this line.
    double_extensions: i32,
}

/// Judges the TT move after the node was searched without it.
fn singularity(facts: &SingularFacts) -> Singularity {
    if facts.score < facts.singular_beta {
        let room = facts.double_extensions < params::double_limit();
        let pv_margin = if facts.pv_node { params::double_pv_margin() } else { 0 };
        let short = facts.singular_beta - facts.score - pv_margin;
        let mut plies = 1;
        if room && short > params::double_margin() {
            plies += 1;
            plies += i32::from(facts.quiet && short > params::triple_margin());
        }
        return Singularity::Extend(plies);
    }
    if params::multicut() != 0 && facts.score >= facts.beta && !facts.score.is_decisive() {
        return Singularity::MultiCut(facts.score);
    }
    let expected_to_cut = facts.tt_score >= facts.beta || facts.cut_node;
    Singularity::Extend(if expected_to_cut { -params::negative_extension() } else { 0 })
}

/// The window of the search without the TT move: below its score by a margin that grows with
/// depth.
fn singular_beta(tt_score: Score, depth: i32) -> Score {
    tt_score - params::singular_margin() * depth / 64
}

/// Whether a TT entry is deep and high enough for its move to be tested.
#[inline(always)]
fn applies(hit: &Entry, depth: i32, tt_pv: bool) -> bool {
    depth >= params::singular_min_depth() + i32::from(tt_pv)
        && hit.depth >= depth - 3
        && hit.bound.is_some_and(Bound::is_lower)
        && !hit.score.is_decisive()
}

impl<R: Recorder> Worker<'_, R> {
    /// Judges the TT move of a node, if it looks much better than the rest.
    #[inline(always)]
    pub(super) fn singular_search<N: NodeKind>(
        &mut self,
        position: &Position,
        node: &Node,
        tt: &TtProbe,
    ) -> Result<Singularity, Stopped> {
        match tt.hit {
            Some(hit)
                if applies(&hit, node.depth, tt.pv) && node.ply < 2 * self.root_depth as usize =>
            {
                self.search_without_tt_move::<N>(position, node, &hit)
            }
            _ => Ok(Singularity::Extend(0)),
        }
    }

    /// Searches the node without its TT move.
    #[inline(never)]
    fn search_without_tt_move<N: NodeKind>(
        &mut self,
        position: &Position,
        node: &Node,
        hit: &Entry,
    ) -> Result<Singularity, Stopped> {
        let Node { depth, ply, cut_node, window } = *node;
        let mv = hit.best_move;
        let singular_beta = singular_beta(hit.score, depth);
        let without =
            Node { depth: (depth - 1) / 2, ply, cut_node, window: Window::below(singular_beta) };
        self.data.stack.at(ply).excluded = mv;
        self.record.count(Event::SingularTried);
        let score = self.search::<NonPv>(position, without)?;
        self.data.stack.at(ply).excluded = None;
        let verdict = singularity(&SingularFacts {
            score,
            singular_beta,
            beta: window.beta,
            tt_score: hit.score,
            pv_node: N::PV,
            cut_node,
            quiet: mv.is_some_and(Move::is_quiet),
            double_extensions: self.data.stack.back(ply.max(1), 1).double_extensions,
        });
        match verdict {
            Singularity::MultiCut(_) => self.record.count(Event::MultiCut),
            Singularity::Extend(1) => self.record.count(Event::Singular),
            Singularity::Extend(2) => self.record.count(Event::DoubleSingular),
            Singularity::Extend(3..) => self.record.count(Event::TripleSingular),
            Singularity::Extend(..0) => self.record.count(Event::Negative),
            Singularity::Extend(0) => {}
        }
        Ok(verdict)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(score: i32) -> SingularFacts {
        SingularFacts {
            score: Score::from_cp(score),
            singular_beta: Score::from_cp(0),
            beta: Score::from_cp(50),
            tt_score: Score::from_cp(10),
            pv_node: false,
            cut_node: false,
            quiet: true,
            double_extensions: 0,
        }
    }

    #[test]
    fn the_worse_the_rest_the_longer_the_extension() {
        assert_eq!(singularity(&facts(-5)), Singularity::Extend(1));
        assert_eq!(singularity(&facts(-60)), Singularity::Extend(2));
        assert_eq!(singularity(&facts(-500)), Singularity::Extend(3));
        let noisy = SingularFacts { quiet: false, ..facts(-500) };
        assert_eq!(singularity(&noisy), Singularity::Extend(2));
    }

    #[test]
    fn long_extensions_want_more_in_the_principal_variation_and_are_capped() {
        let pv = SingularFacts { pv_node: true, ..facts(-60) };
        assert_eq!(singularity(&pv), Singularity::Extend(1));
        let pv = SingularFacts { pv_node: true, ..facts(-500) };
        assert_eq!(singularity(&pv), Singularity::Extend(3));
        let none = params::with(&[("double_pv_margin", 32_000)], || singularity(&pv));
        assert_eq!(none, Singularity::Extend(1));
        let often = SingularFacts { double_extensions: 100, ..facts(-500) };
        assert_eq!(singularity(&often), Singularity::Extend(1));
    }

    #[test]
    fn two_good_moves_cut_and_an_ordinary_one_is_searched_shallower() {
        assert_eq!(singularity(&facts(60)), Singularity::MultiCut(Score::from_cp(60)));
        let high = SingularFacts { tt_score: Score::from_cp(70), ..facts(10) };
        assert_eq!(singularity(&high), Singularity::Extend(-params::negative_extension()));
        assert_eq!(singularity(&facts(10)), Singularity::Extend(0));
        let mate = SingularFacts { score: Score::mate_in(9), ..facts(0) };
        assert!(matches!(singularity(&mate), Singularity::Extend(_)));
    }

    #[test]
    fn the_tt_move_is_tested_only_where_every_condition_holds() {
        let depth = params::singular_min_depth();
        let hit = Entry {
            depth: depth - 3,
            score: Score::from_cp(30),
            bound: Some(Bound::Lower),
            best_move: None,
            eval: None,
            pv: false,
        };
        assert!(applies(&hit, depth, false));
        assert!(applies(&Entry { bound: Some(Bound::Exact), ..hit }, depth, false));
        // The node is too shallow, by one more where it was in a principal variation.
        assert!(!applies(&hit, depth - 1, false));
        assert!(!applies(&hit, depth, true));
        assert!(applies(&Entry { depth: depth - 2, ..hit }, depth + 1, true));
        // The entry is too shallow, says nothing of the kind, or is a mate.
        assert!(!applies(&Entry { depth: depth - 4, ..hit }, depth, false));
        assert!(!applies(&Entry { bound: Some(Bound::Upper), ..hit }, depth, false));
        assert!(!applies(&Entry { bound: None, ..hit }, depth, false));
        assert!(!applies(&Entry { score: Score::mate_in(9), ..hit }, depth, false));
        assert!(!applies(&Entry { score: Score::mated_in(9), ..hit }, depth, false));
    }

    #[test]
    fn the_window_without_the_tt_move_falls_with_depth() {
        let score = Score::from_cp(40);
        assert_eq!(singular_beta(score, 64), score - params::singular_margin());
        assert!(singular_beta(score, 12) < singular_beta(score, 8));
    }
}
