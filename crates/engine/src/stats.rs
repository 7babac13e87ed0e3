//! Counting what the search does. Whether it counts is a type, so that a search that does not
//! count has no trace of it.

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
        }
    };
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

/// Hears of events.
pub trait Recorder: Default + Send + 'static {
    /// Whether anything is counted.
    const ON: bool;

    /// Counts one event.
    fn count(&mut self, event: Event);

    /// Notes a cutoff by the move with this number.
    fn cutoff(&mut self, move_number: i32);

    /// Notes how far below the main search quiescence has come.
    fn quiescence_ply(&mut self, below: usize);

    /// All counts so far, if there are any.
    fn counters(&self) -> Option<&Counters>;
}

/// Counts nothing.
#[derive(Clone, Copy, Default)]
pub struct Off;

impl Recorder for Off {
    const ON: bool = false;

    #[inline(always)]
    fn count(&mut self, _: Event) {}

    #[inline(always)]
    fn cutoff(&mut self, _: i32) {}

    #[inline(always)]
    fn quiescence_ply(&mut self, _: usize) {}

    fn counters(&self) -> Option<&Counters> {
        None
    }
}

/// How often everything happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counters {
    events: [u64; Event::ALL.len()],
    first_move_cuts: u64,
    cutoff_moves: u64,
    deepest_quiescence: usize,
}

impl Default for Counters {
    fn default() -> Self {
        Self {
            events: [0; Event::ALL.len()],
            first_move_cuts: 0,
            cutoff_moves: 0,
            deepest_quiescence: 0,
        }
    }
}

impl Counters {
    /// How often something happened.
    #[must_use]
    pub fn get(&self, event: Event) -> u64 {
        self.events[event as usize]
    }

    /// How often anything of a group happened.
    #[must_use]
    pub fn total(&self, group: Group) -> u64 {
        Event::ALL.iter().filter(|event| event.group() == group).map(|&event| self.get(event)).sum()
    }

    /// Cutoffs of the main search on the first move tried.
    #[must_use]
    pub fn first_move_cuts(&self) -> u64 {
        self.first_move_cuts
    }

    /// The mean number of the move that cut.
    #[must_use]
    pub fn mean_cutoff_move(&self) -> f64 {
        self.cutoff_moves as f64 / self.total(Group::Cutoffs).max(1) as f64
    }

    /// The deepest ply of quiescence below the main search.
    #[must_use]
    pub fn deepest_quiescence(&self) -> usize {
        self.deepest_quiescence
    }

    /// Adds what another thread counted.
    pub fn merge(&mut self, other: &Self) {
        for (mine, theirs) in self.events.iter_mut().zip(other.events) {
            *mine += theirs;
        }
        self.first_move_cuts += other.first_move_cuts;
        self.cutoff_moves += other.cutoff_moves;
        self.deepest_quiescence = self.deepest_quiescence.max(other.deepest_quiescence);
    }
}

impl Recorder for Counters {
    const ON: bool = true;

    #[inline]
    fn count(&mut self, event: Event) {
        self.events[event as usize] += 1;
    }

    fn cutoff(&mut self, move_number: i32) {
        self.first_move_cuts += u64::from(move_number == 1);
        self.cutoff_moves += u64::from(move_number.unsigned_abs());
    }

    fn quiescence_ply(&mut self, below: usize) {
        self.deepest_quiescence = self.deepest_quiescence.max(below);
    }

    fn counters(&self) -> Option<&Counters> {
        Some(self)
    }
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
        }
    }

    #[test]
    fn counts_of_threads_add_up() {
        let mut one = Counters::default();
        one.count(Event::PvNode);
        one.count(Event::CutTableMove);
        one.cutoff(1);
        let mut two = Counters::default();
        two.count(Event::QuiescenceNode);
        two.count(Event::CutGoodQuiet);
        two.cutoff(4);
        two.quiescence_ply(7);
        one.merge(&two);
        assert_eq!(one.total(Group::Nodes), 2);
        assert_eq!((one.first_move_cuts(), one.deepest_quiescence()), (1, 7));
        assert!((one.mean_cutoff_move() - 2.5).abs() < 1e-9);
    }
}
