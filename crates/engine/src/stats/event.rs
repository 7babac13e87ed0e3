//! What can be counted.

use crate::params;

macro_rules! events {
    ($($(#[$doc:meta])* $event:ident = $name:literal in $group:ident;)*) => {
        /// Something the search did that can be counted.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(usize)]
        pub enum Event {
            $($(#[$doc])* $event,)*
        }

        impl Event {
            /// All events, by group.
            pub const ALL: &[Self] = &[$(Self::$event),*];

            /// Its name, for tables and JSON.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$event => $name,)*
                }
            }

            /// The group it belongs to.
            #[must_use]
            pub const fn group(self) -> Group {
                match self {
                    $(Self::$event => Group::$group,)*
                }
            }

            const fn identifier(self) -> &'static str {
                match self {
                    $(Self::$event => stringify!($event),)*
                }
            }
        }
    };
}

impl Event {
    /// A name of its own among all events, as one word: `null-move-cut`.
    #[must_use]
    pub fn rule(self) -> String {
        let mut rule = String::new();
        for letter in self.identifier().chars() {
            if letter.is_ascii_uppercase() && !rule.is_empty() {
                rule.push('-');
            }
            rule.push(letter.to_ascii_lowercase());
        }
        rule
    }

    /// Whether it is a rule that a recorded search can be run without.
    #[must_use]
    pub const fn is_switchable(self) -> bool {
        matches!(self.group(), Group::MovePruning)
            || matches!(
                self,
                Self::RazorCut
                    | Self::ReverseFutilityCut
                    | Self::NullMoveCut
                    | Self::ProbCutCut
                    | Self::TtProbCut
                    | Self::DeltaPrune
                    | Self::QuiescenceLateMove
                    | Self::QuiescenceSeePrune
                    | Self::EvasionSkip
            )
    }

    /// Whether a node in which it happens ends with it.
    #[must_use]
    pub const fn ends_node(self) -> bool {
        matches!(self.group(), Group::Cutoffs | Group::Ends)
            || matches!(
                self,
                Self::TtCutoff
                    | Self::RazorCut
                    | Self::ReverseFutilityCut
                    | Self::NullMoveCut
                    | Self::ProbCutCut
                    | Self::TtProbCut
                    | Self::MultiCut
                    | Self::StandPatCut
                    | Self::QuiescenceCut
                    | Self::QuiescenceMate
                    | Self::Stalemate
                    | Self::QuiescenceTtCutoff
                    | Self::Explosion
            )
    }
}

/// What an event is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// Nodes by kind; they add up to all nodes.
    Nodes,
    /// The transposition table in the main search.
    Tt,
    /// Cutoffs of the main search by picker stage; they add up to all cutoffs.
    Cutoffs,
    /// Ends of nodes that need no search.
    Ends,
    /// Pruning before the moves are looked at.
    NodePruning,
    /// Pruning of single moves.
    MovePruning,
    /// Reductions and what became of them.
    Reductions,
    /// Extensions and the searches that decide them.
    Extensions,
    /// Everything that happens in quiescence.
    Quiescence,
}

impl Group {
    /// All groups, in the order in which they are shown.
    pub const ALL: [Self; 9] = [
        Self::Nodes,
        Self::Tt,
        Self::Cutoffs,
        Self::Ends,
        Self::NodePruning,
        Self::MovePruning,
        Self::Reductions,
        Self::Extensions,
        Self::Quiescence,
    ];

    /// Its name, for tables and JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Nodes => "nodes by kind",
            Self::Tt => "transposition table",
            Self::Cutoffs => "cutoffs by stage",
            Self::Ends => "ends without a search",
            Self::NodePruning => "pruning of nodes",
            Self::MovePruning => "pruning of moves",
            Self::Reductions => "reductions",
            Self::Extensions => "extensions",
            Self::Quiescence => "quiescence",
        }
    }

    /// The events of this group that can happen, in order. What belongs to a technique that is off
    /// is not among them.
    pub fn events(self) -> impl Iterator<Item = Event> {
        Event::ALL.iter().copied().filter(move |event| event.group() == self && event.can_happen())
    }
}

impl Event {
    /// Whether the technique that it belongs to is on.
    fn can_happen(self) -> bool {
        let switch = match self {
            Self::CutKiller => params::killers(),
            Self::CutCountermove => params::countermove(),
            Self::CheckExtension => params::check_extension(),
            Self::RecaptureExtension => params::recapture_extension(),
            Self::PassedPawnExtension => params::passed_pawn_extension(),
            _ => return true,
        };
        switch != 0
    }
}

events! {
    /// A node with an open window.
    PvNode = "pv" in Nodes;
    /// A zero-window node expected to reach beta.
    CutNode = "cut" in Nodes;
    /// A zero-window node expected to fail low.
    AllNode = "all" in Nodes;
    /// A node of quiescence.
    QuiescenceNode = "quiescence" in Nodes;

    /// The TT knew the position.
    TtHit = "hits" in Tt;
    /// The TT score ended the node.
    TtCutoff = "cutoffs" in Tt;

    /// The TT move cut.
    CutTtMove = "TT move" in Cutoffs;
    /// A capture that does not lose material cut.
    CutGoodNoisy = "good captures" in Cutoffs;
    /// A killer cut.
    CutKiller = "killers" in Cutoffs;
    /// The countermove cut.
    CutCountermove = "countermove" in Cutoffs;
    /// A quiet move cut.
    CutGoodQuiet = "good quiets" in Cutoffs;
    /// A capture that loses material cut.
    CutBadNoisy = "bad captures" in Cutoffs;
    /// A quiet move with a bad history cut.
    CutBadQuiet = "bad quiets" in Cutoffs;
    /// An answer to a check cut.
    CutEvasion = "evasions" in Cutoffs;

    /// A repetition, the fifty-move rule or too little material.
    Draw = "draws" in Ends;
    /// A move that repeats a position is possible, and a draw is enough.
    UpcomingRepetition = "upcoming repetition" in Ends;
    /// The line is as long as a line can be.
    MaxPly = "max ply" in Ends;
    /// A shorter mate is known.
    MateDistance = "mate distance" in Ends;
    /// A tablebase knew the position.
    TbCutoff = "tablebases" in Ends;
    /// Mate, stalemate, or only the move that is left out.
    NoMove = "no legal move" in Ends;

    /// Razoring sent a node to quiescence.
    RazorTried = "razoring tried" in NodePruning;
    /// Quiescence agreed.
    RazorCut = "razoring cut" in NodePruning;
    /// A node far above beta was looked at.
    ReverseFutilityTried = "reverse futility tried" in NodePruning;
    /// It was far enough above.
    ReverseFutilityCut = "reverse futility cut" in NodePruning;
    /// A null move was searched.
    NullMoveTried = "null move tried" in NodePruning;
    /// It beat beta and was believed.
    NullMoveCut = "null move cut" in NodePruning;
    /// It beat beta, and the verification did not.
    NullMoveRefuted = "null move refuted" in NodePruning;
    /// A capture was searched for ProbCut.
    ProbCutTried = "ProbCut tried" in NodePruning;
    /// It beat the raised beta.
    ProbCutCut = "ProbCut cut" in NodePruning;
    /// A TT score of a shallower search was far above beta.
    TtProbCut = "TT ProbCut" in NodePruning;

    /// Late move pruning skipped the quiet rest.
    LateMovePrune = "late moves" in MovePruning;
    /// A quiet move with a bad history was skipped.
    HistoryPrune = "history" in MovePruning;
    /// Quiet moves that cannot reach alpha were skipped.
    FutilityPrune = "futility" in MovePruning;
    /// A losing capture that cannot reach alpha was skipped.
    CaptureFutilityPrune = "futility of captures" in MovePruning;
    /// A move that loses material was skipped.
    SeePrune = "SEE" in MovePruning;

    /// A move was searched with reduced depth.
    Reduced = "tried" in Reductions;
    /// It beat alpha and was searched again.
    Researched = "searched again" in Reductions;
    /// A node without TT move was searched a ply shallower.
    IterativeReduction = "no TT move" in Reductions;

    /// A node was searched without its TT move.
    SingularTried = "singular tried" in Extensions;
    /// The TT move was extended by one ply.
    Singular = "singular" in Extensions;
    /// By two.
    DoubleSingular = "double" in Extensions;
    /// By three.
    TripleSingular = "triple" in Extensions;
    /// The TT move was searched shallower.
    Negative = "negative" in Extensions;
    /// Two moves beat beta: the node was cut.
    MultiCut = "multicut" in Extensions;
    /// A check was extended.
    CheckExtension = "check" in Extensions;
    /// A recapture was extended.
    RecaptureExtension = "recapture" in Extensions;
    /// A passed pawn was extended.
    PassedPawnExtension = "passed pawn" in Extensions;

    /// The static score cut.
    StandPatCut = "stand-pat cuts" in Quiescence;
    /// A move cut.
    QuiescenceCut = "move cuts" in Quiescence;
    /// The first move cut.
    QuiescenceFirstMoveCut = "first-move cuts" in Quiescence;
    /// A capture that cannot reach alpha was skipped.
    DeltaPrune = "delta prunes" in Quiescence;
    /// A capture that comes late, and neither recaptures nor gives check, was skipped.
    QuiescenceLateMove = "late moves" in Quiescence;
    /// A capture that loses material was skipped.
    QuiescenceSeePrune = "SEE prunes" in Quiescence;
    /// The quiet answers to a check were skipped: a better one is known.
    EvasionSkip = "evasions skipped" in Quiescence;
    /// The side to move was in check.
    EvasionNode = "evasion nodes" in Quiescence;
    /// It was mate.
    QuiescenceMate = "mates" in Quiescence;
    /// It was stalemate.
    Stalemate = "stalemates" in Quiescence;
    /// The TT knew the position.
    QuiescenceTtHit = "TT hits" in Quiescence;
    /// The TT score ended the node.
    QuiescenceTtCutoff = "TT cutoffs" in Quiescence;
    /// The node limit of one quiescence search bit.
    Explosion = "explosions" in Quiescence;
    /// A quiescence search of 10,000 nodes or more.
    LargeQuiescence = "large searches" in Quiescence;
    /// The limit of captures at one node bit.
    CaptureLimit = "capture limit" in Quiescence;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_within_a_group() {
        for (index, event) in Event::ALL.iter().enumerate() {
            assert_eq!(*event as usize, index);
            let twins = Event::ALL
                .iter()
                .filter(|other| other.group() == event.group() && other.name() == event.name());
            assert_eq!(twins.count(), 1, "{event:?}");
            assert_eq!(Event::ALL.iter().filter(|other| other.rule() == event.rule()).count(), 1);
        }
        assert_eq!(Event::ProbCutCut.rule(), "prob-cut-cut");
    }

    #[test]
    fn every_event_is_in_a_group_that_is_shown_unless_its_technique_is_off() {
        let hidden: Vec<Event> = Event::ALL
            .iter()
            .copied()
            .filter(|event| !event.group().events().any(|shown| shown == *event))
            .collect();
        let off = [
            Event::CutKiller,
            Event::CutCountermove,
            Event::CheckExtension,
            Event::RecaptureExtension,
            Event::PassedPawnExtension,
        ];
        assert_eq!(hidden, off);
    }
}
