//! The techniques that can be switched, what for, and what others have found them worth.

use crate::match_play::Variant;

/// A technique.
pub(super) struct Technique {
    /// One word for the command line and the journal.
    pub(super) name: &'static str,
    /// What it is called.
    pub(super) title: &'static str,
    /// What it is for.
    pub(super) purpose: &'static str,
    /// What others have published, if anything.
    pub(super) published: &'static str,
    /// Whether it is on by default.
    pub(super) default_on: bool,
    /// The parameters that switch it to the other state.
    pub(super) switch: &'static [(&'static str, i32)],
}

impl Technique {
    /// The engine with this technique in the other state.
    pub(super) fn variant(&self) -> Variant {
        Variant::new(self.switch)
    }

    /// How strength with the technique compares to strength without, given how the engine with it
    /// switched compares to the default.
    pub(super) fn worth(&self, switched: f64) -> f64 {
        if self.default_on { -switched } else { switched }
    }
}

const fn on(
    name: &'static str,
    title: &'static str,
    purpose: &'static str,
    published: &'static str,
    switch: &'static [(&'static str, i32)],
) -> Technique {
    Technique { name, title, purpose, published, default_on: true, switch }
}

const fn off(
    name: &'static str,
    title: &'static str,
    purpose: &'static str,
    published: &'static str,
    switch: &'static [(&'static str, i32)],
) -> Technique {
    Technique { default_on: false, ..on(name, title, purpose, published, switch) }
}

/// All techniques, those that every reader asks for first.
pub(super) const TECHNIQUES: &[Technique] = &[
    on(
        "quiescence",
        "Quiescence",
        "leaves are played out before they are evaluated",
        "+399 ± 89 in a tutorial engine, about 155 by removal in a mature one",
        &[("UseQuiescence", 0)],
    ),
    on(
        "capture-order",
        "Capture order in quiescence",
        "the largest victim first",
        "+141 ± 39",
        &[("qs_capture_order", 0)],
    ),
    on(
        "table",
        "Transposition table",
        "what was searched once is not searched again",
        "",
        &[("use_tt", 0)],
    ),
    on(
        "histories",
        "Histories of quiet moves, all",
        "quiet moves that did well come first",
        "759 for all histories",
        &[
            ("weight_butterfly", 0),
            ("weight_piece_to", 0),
            ("weight_pawn_history", 0),
            ("weight_continuation_1", 0),
            ("weight_continuation_2", 0),
            ("weight_continuation_4", 0),
            ("weight_continuation_6", 0),
            ("history_pruning_max_depth", 0),
        ],
    ),
    on(
        "null-move",
        "Null move pruning",
        "who can afford to pass is better than enough",
        "35 to 93",
        &[("nmp_min_depth", 250)],
    ),
    on(
        "lmr",
        "Late move reductions",
        "moves far down the list are searched shallower",
        "117 to 249",
        &[("lmr_min_depth", 250)],
    ),
    on(
        "lmp",
        "Late move pruning",
        "near the leaves the last quiet moves are left out",
        "",
        &[("lmp_base", 250)],
    ),
    on(
        "futility",
        "Futility pruning",
        "quiet moves that cannot reach alpha are left out",
        "",
        &[("futility_max_depth", 0)],
    ),
    on(
        "exchange",
        "Exchange pruning",
        "moves that lose material are left out near the leaves",
        "",
        &[("see_pruning_max_depth", 0)],
    ),
    on(
        "singular",
        "Singular extensions, all kinds",
        "a move much better than the rest is searched deeper",
        "20 to 40 hoped for, 94 by removal in a mature engine",
        &[("singular_min_depth", 250)],
    ),
    off(
        "check-extension",
        "Check extension",
        "checks are searched a ply deeper",
        "50 to 100 hoped for, 0 to 2 in a mature engine",
        &[("check_extension", 1)],
    ),
    off(
        "killers",
        "Killers",
        "quiet moves that cut at the same ply come early",
        "about 0 beside strong histories",
        &[("killers", 2)],
    ),
    off(
        "countermove",
        "Countermove",
        "the quiet move that refuted the last one comes early",
        "about 0 beside strong histories",
        &[("countermove", 1)],
    ),
    on(
        "continuation",
        "Continuation history",
        "quiet moves that did well after the moves before come first",
        "",
        &[
            ("weight_continuation_1", 0),
            ("weight_continuation_2", 0),
            ("weight_continuation_4", 0),
            ("weight_continuation_6", 0),
            ("history_pruning_max_depth", 0),
        ],
    ),
    on(
        "correction",
        "Correction history",
        "the evaluation learns from its errors",
        "",
        &[
            ("correction_pawns", 0),
            ("correction_non_pawns", 0),
            ("correction_minors", 0),
            ("correction_continuation", 0),
            ("correction_continuation_4", 0),
        ],
    ),
    on(
        "aspiration",
        "Aspiration windows",
        "the search expects the score of the iteration before",
        "",
        &[("aspiration_delta", 32000)],
    ),
    off(
        "quiet-checks",
        "Quiet checks in quiescence",
        "the first ply of quiescence also looks at checks",
        "about 0",
        &[("qs_quiet_checks", 1)],
    ),
    on(
        "recapture-stage",
        "Recapture stage",
        "deep in quiescence only recaptures are searched",
        "about 0",
        &[("qs_recapture_ply", 64)],
    ),
    on(
        "double",
        "Double and triple extensions",
        "a move far better than the rest is searched two plies deeper",
        "",
        &[("double_margin", 32000), ("triple_margin", 32000)],
    ),
    on("multicut", "Multicut", "two moves above beta are enough", "10 to 20", &[("multicut", 0)]),
    on(
        "reverse-futility",
        "Reverse futility pruning",
        "a node far above beta is not searched",
        "",
        &[("rfp_max_depth", 0)],
    ),
    on(
        "shallow",
        "All shallow pruning",
        "reverse futility, razoring, futility, late moves, exchanges, history",
        "120 to 175",
        &[
            ("rfp_max_depth", 0),
            ("razor_max_depth", 0),
            ("lmp_base", 250),
            ("futility_max_depth", 0),
            ("capture_futility_max_depth", 0),
            ("history_pruning_max_depth", 0),
            ("see_pruning_max_depth", 0),
        ],
    ),
    on(
        "delta",
        "Delta pruning in quiescence",
        "captures that cannot reach alpha are left out",
        "",
        &[("qs_delta_margin", 32000)],
    ),
    on(
        "quiescence-futility",
        "Even exchanges in quiescence",
        "exchanges that win nothing are left out where something must be won",
        "",
        &[("qs_futility", 0)],
    ),
    on(
        "quiescence-exchange",
        "Exchange pruning in quiescence",
        "captures that lose material are left out",
        "",
        &[("qs_see_threshold", -32000)],
    ),
    on(
        "quiescence-late-moves",
        "Move limit in quiescence",
        "after three captures only checks and recaptures are searched",
        "5 in a strong engine",
        &[("qs_late_moves", 250)],
    ),
    on(
        "stand-pat-blend",
        "Stand-pat goes back to beta",
        "a static score above beta is believed by half",
        "",
        &[("qs_blend", 0)],
    ),
    off(
        "keep-forcing",
        "Forcing captures are never pruned",
        "promotions, checks and en passant escape exchange pruning in quiescence",
        "",
        &[("qs_keep_forcing", 1)],
    ),
    off(
        "node-delta",
        "Delta pruning of whole nodes",
        "quiescence ends where not even a queen would reach alpha",
        "",
        &[("qs_node_delta", 1)],
    ),
    off(
        "zugzwang",
        "Stand-pat is doubted in pawn endings",
        "a side with nothing but pawns must show a quiet move that keeps its score",
        "",
        &[("qs_zugzwang", 1)],
    ),
    off(
        "fortress",
        "Short quiescence in fortresses",
        "four plies from a half-move clock of 20 on",
        "",
        &[("qs_fortress_clock", 20)],
    ),
    off(
        "recapture-strict",
        "Nothing but recaptures",
        "deep in quiescence a node without a recapture ends at once",
        "",
        &[("qs_recapture_strict", 1)],
    ),
    off(
        "quiet-tt-move",
        "Quiet TT moves in quiescence",
        "the TT move is searched, noisy or not",
        "",
        &[("qs_tt_quiets", 1)],
    ),
    off(
        "quiescence-tt-depth",
        "TT depths in quiescence",
        "a TT entry cuts only if it is as deep as the node",
        "",
        &[("qs_tt_depth", 1)],
    ),
    on(
        "razoring",
        "Razoring",
        "hopeless nodes near the leaves go to quiescence",
        "",
        &[("razor_max_depth", 0)],
    ),
    on(
        "probcut",
        "ProbCut",
        "a capture or a table score that beats beta by a margin is believed",
        "",
        &[("probcut_min_depth", 250), ("probcut_tt_margin", 32000)],
    ),
    on(
        "iir",
        "Internal iterative reduction",
        "nodes without a table move are searched shallower",
        "",
        &[("iir_min_depth", 250)],
    ),
    on(
        "history-pruning",
        "History pruning",
        "quiet moves that did badly are left out near the leaves",
        "",
        &[("history_pruning_max_depth", 0)],
    ),
    on(
        "pawn-history",
        "Pawn history",
        "quiet moves that did well with these pawns come first",
        "",
        &[("weight_pawn_history", 0)],
    ),
    on(
        "negative",
        "Negative extensions",
        "a table move that is not singular is searched shallower",
        "",
        &[("negative_extension", 0)],
    ),
    off(
        "recapture-extension",
        "Recapture extension",
        "recaptures in the principal variation are searched deeper",
        "",
        &[("recapture_extension", 1)],
    ),
    off(
        "passed-pawn",
        "Passed pawn extension",
        "a pawn that reaches the seventh rank is searched deeper",
        "",
        &[("passed_pawn_extension", 1)],
    ),
];

#[cfg(test)]
mod tests {
    use engine::params::PARAMS;

    use super::*;

    #[test]
    fn every_switch_names_parameters_and_changes_them() {
        for technique in TECHNIQUES {
            assert!(!technique.switch.is_empty());
            for (name, value) in technique.switch {
                if *name == "UseQuiescence" {
                    continue;
                }
                let param = PARAMS.iter().find(|param| param.name == *name);
                let param = param.unwrap_or_else(|| panic!("{name}"));
                assert!((param.min..=param.max).contains(value), "{name}");
                assert_ne!(param.default, *value, "{name} is {value} already");
            }
            let twins = TECHNIQUES.iter().filter(|other| other.name == technique.name);
            assert_eq!(twins.count(), 1, "{}", technique.name);
        }
    }
}
