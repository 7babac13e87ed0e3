//! What can be counted.

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

    /// Whether a node in which it happens ends with it.
    #[must_use]
    pub const fn ends_node(self) -> bool {
        matches!(self.group(), Group::Cutoffs | Group::Ends)
            || matches!(
                self,
                Self::TableCut
                    | Self::RazorCut
                    | Self::ReverseFutilityCut
                    | Self::NullMoveCut
                    | Self::ProbCutCut
                    | Self::TableProbCut
                    | Self::MultiCut
                    | Self::StandPatCut
                    | Self::QuiescenceCut
                    | Self::QuiescenceMate
                    | Self::Stalemate
                    | Self::QuiescenceTableCut
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
    Table,
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
    /// Quiescence.
    Quiescence,
}

impl Group {
    /// All groups, in the order in which they are shown.
    pub const ALL: [Self; 9] = [
        Self::Nodes,
        Self::Table,
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
            Self::Table => "table",
            Self::Cutoffs => "cutoffs by stage",
            Self::Ends => "ends without a search",
            Self::NodePruning => "pruning of nodes",
            Self::MovePruning => "pruning of moves",
            Self::Reductions => "reductions",
            Self::Extensions => "extensions",
            Self::Quiescence => "quiescence",
        }
    }

    /// Its events.
    pub fn events(self) -> impl Iterator<Item = Event> {
        Event::ALL.iter().copied().filter(move |event| event.group() == self)
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

    /// The table knew the position.
    TableHit = "hits" in Table;
    /// The table's score ended the node.
    TableCut = "cuts" in Table;

    /// The table move cut.
    CutTableMove = "table move" in Cutoffs;
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
    /// A move that repeats a position is at hand, and a draw is enough.
    UpcomingDraw = "draws at hand" in Ends;
    /// The line is as long as a line can be.
    Ceiling = "ply ceiling" in Ends;
    /// A shorter mate is known.
    MateDistance = "mate distance" in Ends;
    /// An endgame table knew the position.
    TablebaseCut = "endgame tables" in Ends;
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
    /// A table score of a shallower search was far above beta.
    TableProbCut = "ProbCut by the table" in NodePruning;

    /// Late move pruning left the quiet rest out.
    LateMove = "late moves" in MovePruning;
    /// A quiet move with a bad history was left out.
    HistoryPrune = "history" in MovePruning;
    /// Quiet moves that cannot reach alpha were left out.
    FutilityPrune = "futility" in MovePruning;
    /// A losing capture that cannot reach alpha was left out.
    CaptureFutilityPrune = "futility of captures" in MovePruning;
    /// A move that loses material was left out.
    MoveExchangePrune = "exchange" in MovePruning;

    /// A move was searched with reduced depth.
    Reduced = "tried" in Reductions;
    /// It beat alpha and was searched again.
    Researched = "searched again" in Reductions;
    /// A node without table move was searched a ply shallower.
    IterativeReduction = "no table move" in Reductions;

    /// A node was searched without its table move.
    SingularTried = "singular tried" in Extensions;
    /// The table move was extended by one ply.
    Singular = "singular" in Extensions;
    /// By two.
    DoubleSingular = "double" in Extensions;
    /// By three.
    TripleSingular = "triple" in Extensions;
    /// The table move was searched shallower.
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
    /// A capture that cannot reach alpha was left out.
    DeltaPrune = "delta prunes" in Quiescence;
    /// A capture that loses material was left out.
    ExchangePrune = "exchange prunes" in Quiescence;
    /// The quiet answers to a check were left out: a better one is known.
    EvasionSkip = "evasions left out" in Quiescence;
    /// The side to move was in check.
    EvasionNode = "evasion nodes" in Quiescence;
    /// It was mate.
    QuiescenceMate = "mates" in Quiescence;
    /// It was stalemate.
    Stalemate = "stalemates" in Quiescence;
    /// The table knew the position.
    QuiescenceTableHit = "table hits" in Quiescence;
    /// The table's score ended the node.
    QuiescenceTableCut = "table cuts" in Quiescence;
    /// The node limit of one quiescence search bit.
    Explosion = "explosions" in Quiescence;
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
    fn every_event_is_in_a_group_that_is_shown() {
        let shown: usize = Group::ALL.iter().map(|group| group.events().count()).sum();
        assert_eq!(shown, Event::ALL.len());
    }
}
