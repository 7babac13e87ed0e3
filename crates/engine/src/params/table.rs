//! The parameters, by technique.

use super::Param;

params! {
    // Aspiration windows.
    /// Half the first window around the last score; 32000 turns windows off.
    aspiration_delta = 14 in 4..=32000;
    /// From this depth on the window is narrow.
    aspiration_depth = 4 in 1..=250;
    /// Growth of the window after a failure, in 1/1024.
    aspiration_growth = 512 in 128..=2048;
    /// The window also grows with the square of the score over this.
    aspiration_score_divisor = 12000 in 1000..=100000;
    /// A window wider than this is opened fully.
    aspiration_limit = 1200 in 100..=32000;

    // Move picker.
    /// Killer moves kept for each ply; 0 turns them off.
    killers = 0 in 0..=2;
    /// Whether the countermove has a stage of its own.
    countermove = 0 in 0..=1;
    /// Weight of the victim's value when captures are sorted.
    capture_victim_weight = 14 in 0..=64;
    /// A capture is good if its exchange is worth -score / this.
    good_capture_divisor = 36 in 8..=200;
    /// Quiets scored below this come after the bad captures.
    good_quiet_threshold = -12000 in -60000..=0;
    /// Quiets are sorted down to -this * depth.
    quiet_sort_margin = 3000 in 0..=20000;
    /// Bonus for a quiet move that gives check without losing material.
    check_bonus = 9000 in 0..=40000;
    /// A check whose exchange is worth less gets no bonus.
    check_see_threshold = -75 in -500..=0;
    /// Bonus, per centipawn of the piece, for leaving a square attacked by a lesser piece.
    escape_bonus = 16 in 0..=64;
    /// Weights of the statistics in the score of a quiet move, in 1/1024.
    weight_butterfly = 1024 in 0..=4096;
    /// See `weight_butterfly`; for the first plies of the search alone.
    weight_low_ply = 2048 in 0..=8192;
    /// See `weight_butterfly`.
    weight_piece_to = 512 in 0..=4096;
    /// See `weight_butterfly`.
    weight_pawn_history = 1024 in 0..=4096;
    /// See `weight_butterfly`.
    weight_continuation_1 = 1024 in 0..=4096;
    /// See `weight_butterfly`.
    weight_continuation_2 = 1024 in 0..=4096;
    /// See `weight_butterfly`.
    weight_continuation_4 = 700 in 0..=4096;
    /// See `weight_butterfly`.
    weight_continuation_6 = 350 in 0..=4096;
    /// Whether moves that take something or answer a check have rows of their own there.
    continuation_kinds = 1 in 0..=1;

    // History updates.
    /// Bonus of the move that cut, per ply of depth.
    bonus_slope = 151 in 10..=600;
    /// Taken off the bonus.
    bonus_offset = 70 in 0..=600;
    /// The bonus is at most this.
    bonus_max = 1500 in 100..=6000;
    /// Plies that a cutoff counts for in addition where the evaluation did not foresee it.
    bonus_surprise = 1 in 0..=3;
    /// Malus of the moves tried before it, per ply of depth.
    malus_slope = 185 in 0..=900;
    /// Taken off the malus.
    malus_offset = 60 in 0..=600;
    /// The malus is at most this.
    malus_max = 1200 in 0..=6000;
    /// Malus that each later of these moves is spared, in 1/1024 of the first one's.
    malus_decay = 60 in 0..=256;
    /// Bonus for the opponent's last move when every answer failed; 0 turns it off.
    prior_bonus_slope = 60 in 0..=400;
    /// More of it, per ply, if that move came late at its node.
    prior_bonus_late = 60 in 0..=400;
    /// Bonus for the opponent's last capture when every answer failed, per ply of depth; 0 turns it
    /// off.
    prior_capture_bonus = 60 in 0..=400;
    /// Malus for the opponent's last move, if it was quiet and the first they tried, when the answer
    /// refutes it, per ply of depth; 0 turns it off.
    prior_malus_slope = 80 in 0..=400;
    /// Weight of a jump of the evaluation as a bonus for the move before; 0 turns it off.
    eval_difference_weight = 6 in 0..=40;
    /// That bonus is at most this.
    eval_difference_max = 400 in 0..=4000;
    /// Share of the bonus for a TT move that cuts without a search, in 1/1024; 0 turns it off.
    tt_cut_bonus = 512 in 0..=2048;
    /// Share of the bonus for a reduced move whose second search was clear; 0 turns it off.
    research_bonus = 512 in 0..=2048;

    // Transposition table.
    /// Whether the TT is asked at all.
    use_tt = 1 in 0..=1;
    /// From this half-move clock on TT scores do not cut.
    tt_cut_max_clock = 90 in 0..=100;
    /// Up to this depth a TT score cuts only if it goes the way the node was expected to go.
    tt_cut_expected_depth = 5 in 0..=250;
    /// Whether a node that fails low counts as near the principal variation if its parent does.
    tt_pv_inherit = 1 in 0..=1;

    // Evaluation.
    /// The network's score is taken so many times, in 1/1024, with nothing but kings; 1024, with
    /// the next line 0, turns the scaling off.
    eval_scale_base = 819 in 400..=1024;
    /// The same, for each pawn's worth of pieces on the board, in 1/1024.
    eval_scale_slope = 2 in 0..=12;
    /// A network's head is asked if the score without it is less than this outside of the window; 32000
    /// asks it always.
    lazy_eval_margin = 130 in 0..=32000;

    // Correction history, weights in 1/1024; all 0 turns it off.
    /// Pawn structure.
    correction_pawns = 1179 in 0..=4096;
    /// Pieces of either side.
    correction_non_pawns = 1161 in 0..=4096;
    /// Minor pieces and kings.
    correction_minors = 600 in 0..=4096;
    /// The last two moves.
    correction_continuation = 880 in 0..=4096;
    /// The last move and the one three plies before it.
    correction_continuation_4 = 500 in 0..=4096;

    // Before the move loop.
    /// Deepest reverse futility pruning; 0 turns it off.
    rfp_max_depth = 9 in 0..=16;
    /// Surplus per ply that lets reverse futility pruning return.
    rfp_margin = 67 in 20..=200;
    /// Taken off the depth's margin when improving.
    rfp_improving = 76 in 0..=200;
    /// Taken off that margin when the opponent's last move made things worse for them.
    rfp_worsening = 20 in 0..=200;
    /// How far the returned score goes from beta to the evaluation, in 1/1024.
    rfp_blend = 360 in 0..=1024;
    /// Deepest razoring; 0 turns it off.
    razor_max_depth = 4 in 0..=10;
    /// Deficit that sends a node to quiescence.
    razor_base = 280 in 50..=1000;
    /// The same, per squared ply.
    razor_slope = 200 in 0..=600;
    /// Least depth of null move pruning; 250 turns it off.
    nmp_min_depth = 3 in 1..=250;
    /// Surplus wanted at depth 0; falls with depth.
    nmp_margin = 150 in 0..=500;
    /// Fall of that surplus per ply.
    nmp_margin_slope = 15 in 0..=60;
    /// Whether there is no null move where the TT move captures a piece.
    nmp_tt_capture = 1 in 0..=1;
    /// Surplus wanted in addition where the side to move is not improving.
    nmp_not_improving = 0 in 0..=200;
    /// Reduction of the null move search.
    nmp_base = 4357 in 1024..=8192;
    /// More reduction, per ply of depth.
    nmp_depth_scale = 318 in 0..=700;
    /// Surplus for a further ply of reduction.
    nmp_eval_divisor = 240 in 50..=1000;
    /// At most so many plies for the surplus.
    nmp_eval_max = 4 in 0..=8;
    /// Least depth whose null move cut is verified.
    nmp_verify_depth = 14 in 5..=250;
    /// Least depth of ProbCut; 250 turns it off.
    probcut_min_depth = 5 in 3..=250;
    /// Margin of ProbCut above beta.
    probcut_margin = 237 in 50..=600;
    /// Taken off when improving.
    probcut_improving = 60 in 0..=200;
    /// Plies taken off for the confirming search.
    probcut_reduction = 4 in 2..=6;
    /// Surplus of quiescence over the raised beta for a further ply of reduction; 32000 turns it off.
    probcut_adaptive = 150 in 20..=32000;
    /// How far above beta a TT score must be to be believed though its search was shallower; 32000
    /// turns it off.
    probcut_tt_margin = 380 in 50..=32000;
    /// Least depth of internal iterative reduction; 250 turns it off.
    iir_min_depth = 4 in 2..=250;
    /// Reduction of the parent from which a wrong judgement brings a ply back; 32768 turns it off.
    hindsight_deeper_reduction = 3072 in 1024..=32768;
    /// Reduction of the parent from which a right judgement takes a ply; 32768 turns it off.
    hindsight_shallower_reduction = 1024 in 1024..=32768;
    /// Sum of the two evaluations that makes the judgement right.
    hindsight_margin = 160 in 0..=600;

    // In the move loop.
    /// Late move pruning: moves before the rest is skipped, at depth 0; 250 turns it off.
    lmp_base = 3 in 1..=250;
    /// Deepest futility pruning; 0 turns it off.
    futility_max_depth = 10 in 0..=20;
    /// Futility margin at depth 0.
    futility_base = 118 in 20..=400;
    /// The same, per ply of reduced depth.
    futility_slope = 84 in 20..=250;
    /// History that widens the futility margin by a centipawn.
    futility_history_divisor = 128 in 32..=1024;
    /// Deepest futility pruning of bad captures; 0 turns it off.
    capture_futility_max_depth = 6 in 0..=20;
    /// Deepest history pruning; 0 turns it off.
    history_pruning_max_depth = 5 in 0..=12;
    /// How far history counts in the reduced depth that prunes quiet moves, in 1/1024 of what it
    /// counts in late move reductions.
    pruning_history = 1024 in 0..=2048;
    /// History below -this per ply prunes.
    history_pruning_slope = 3912 in 500..=10000;
    /// Deepest SEE pruning; 0 turns it off.
    see_pruning_max_depth = 10 in 0..=20;
    /// Loss per squared reduced ply that prunes a quiet move.
    see_quiet_slope = 21 in 5..=100;
    /// Loss per ply that prunes a capture.
    see_capture_slope = 90 in 20..=250;
    /// Loss that a capture with a good history is allowed in addition, in 1/1024 of the history.
    see_capture_history = 30 in 0..=200;

    // Extensions.
    /// Least depth of the singular search; 250 turns it off with all that hangs on it.
    singular_min_depth = 6 in 4..=250;
    /// Window of the singular search below the TT score, per ply, in 1/64.
    singular_margin = 44 in 8..=256;
    /// Failing low by this much more extends twice; 32000 turns it off.
    double_margin = 12 in 0..=32000;
    /// Failing low by this much more extends three times; 32000 turns it off.
    triple_margin = 60 in 0..=32000;
    /// Added to both margins in PV nodes; 32000 leaves PV nodes with one ply.
    double_pv_margin = 60 in 0..=32000;
    /// Double and triple extensions in one line.
    double_limit = 10 in 0..=100;
    /// Whether a singular search above beta cuts the node.
    multicut = 1 in 0..=1;
    /// Whether the singular search knows that there is a TT move, though it must not play it.
    singular_tt_move = 1 in 0..=1;
    /// Plies taken off a TT move that is not singular though its score is high.
    negative_extension = 2 in 0..=3;
    /// Whether moves that give check are extended.
    check_extension = 0 in 0..=1;
    /// Whether recaptures in the principal variation are extended.
    recapture_extension = 0 in 0..=1;
    /// Whether passed pawns that reach the seventh rank are extended.
    passed_pawn_extension = 0 in 0..=1;

    // Late move reductions.
    /// Least depth; 250 turns them off.
    lmr_min_depth = 2 in 1..=250;
    /// Reduction of a quiet move.
    lmr_quiet_base = 1069 in 0..=3000;
    /// Growth with the logarithms of depth and move number, quiet moves.
    lmr_quiet_scale = 463 in 100..=900;
    /// Reduction of a capture.
    lmr_capture_base = 300 in 0..=3000;
    /// Growth with the logarithms of depth and move number, captures.
    lmr_capture_scale = 280 in 50..=900;
    /// Less in nodes that were in a principal variation.
    lmr_tt_pv = 947 in 0..=4096;
    /// Less in those nodes if their TT score is above alpha.
    lmr_tt_pv_score = 300 in 0..=2048;
    /// Less in those nodes if their TT entry is as deep as this search.
    lmr_tt_pv_depth = 300 in 0..=2048;
    /// Less at nodes of the principal variation.
    lmr_pv = 500 in 0..=4096;
    /// More at expected cut nodes.
    lmr_cut_node = 1431 in 0..=4096;
    /// More at expected cut nodes without a TT move.
    lmr_no_tt_move = 900 in 0..=4096;
    /// More when not improving.
    lmr_not_improving = 767 in 0..=4096;
    /// Less for moves that give check.
    lmr_check = 900 in 0..=4096;
    /// Less the wider the window is, for one as wide as that of the root.
    lmr_window = 300 in 0..=2048;
    /// Reduction from which a first move too is searched a ply shallower in zero-window nodes; 32768
    /// turns it off.
    lmr_first_move = 3500 in 1024..=32768;
    /// More when the TT move is a capture.
    lmr_tt_capture = 900 in 0..=4096;
    /// More when the children of this node cut more often than `lmr_cutoffs_from`.
    lmr_cutoffs = 700 in 0..=4096;
    /// More of it at nodes that are expected to fail low.
    lmr_cutoffs_all = 500 in 0..=4096;
    /// See `lmr_cutoffs`.
    lmr_cutoffs_from = 2 in 0..=10;
    /// Less where the evaluation is often corrected, per centipawn.
    lmr_correction = 6 in 0..=64;
    /// More at nodes where another thread is at work; 0 turns it off.
    lmr_concurrent = 1024 in 0..=4096;
    /// History worth a ply.
    lmr_history_divisor = 10242 in 1000..=60000;
    /// History of captures worth a ply.
    lmr_capture_history_divisor = 7000 in 1000..=60000;
    /// A reduced search this far above the best so far is repeated deeper.
    lmr_deeper_margin = 45 in 0..=32000;
    /// A reduced search not this far above is repeated shallower.
    lmr_shallower_margin = 8 in 0..=100;

    // Quiescence.
    /// Delta pruning: what a capture may fall short of alpha; 32000 turns it off.
    qs_delta_margin = 120 in 0..=32000;
    /// Whether exchanges that win nothing are skipped where the delta margin does not reach alpha.
    qs_futility = 1 in 0..=1;
    /// Exchanges worth less than this are skipped; -32000 turns it off.
    qs_see_threshold = -60 in -32000..=0;
    /// Whether captures are sorted; 0 takes them as they are generated.
    qs_capture_order = 1 in 0..=1;
    /// Whether quiet evasions are skipped once an answer that does not lose is known.
    qs_skip_evasions = 1 in 0..=1;
    /// Whether the first ply also looks at quiet moves that give check.
    qs_quiet_checks = 0 in 0..=1;
    /// From this many plies on only recaptures are searched.
    qs_recapture_ply = 5 in 1..=64;
    /// How far a stand-pat score above beta goes back to beta, in 1/1024.
    qs_blend = 512 in 0..=1024;
    /// Captures searched at one node before others than recaptures and checks are skipped; 250 turns
    /// it off.
    qs_late_moves = 3 in 1..=250;
    /// Bonus for a capture that cuts in quiescence; 0 turns it off.
    qs_capture_bonus = 150 in 0..=600;
    /// Captures searched at one node: only a brake.
    qs_max_captures = 32 in 1..=256;
    /// Plies in check before quiet evasions are left out.
    qs_check_plies = 8 in 0..=64;
    /// Whether promotions, checks and en passant are exempt from SEE pruning; 0 exempts nothing.
    qs_keep_forcing = 0 in 0..=1;
    /// Whether a node ends at once where not even a queen for nothing reaches alpha; 0 asks every
    /// capture.
    qs_node_delta = 0 in 0..=1;
    /// Whether a side with nothing but pawns must show a quiet move that keeps its stand-pat score:
    /// in zugzwang it has none. 0 always believes the score.
    qs_zugzwang = 0 in 0..=1;
    /// Where the half-move clock has come this far, quiescence goes only four plies deep: it may be
    /// a fortress. 0 turns it off.
    qs_fortress_clock = 0 in 0..=100;
    /// Whether beyond `qs_recapture_ply` nothing is searched where nothing can be taken back; 0
    /// then searches all captures.
    qs_recapture_strict = 0 in 0..=1;
    /// Whether a quiet TT move is searched, too; 0 takes noisy ones only.
    qs_tt_quiets = 0 in 0..=1;
    /// Whether a TT entry must be as deep as the node to cut it; 0 takes any.
    qs_tt_depth = 0 in 0..=1;

    // Time management, in 1/1024 where nothing else is said.
    /// Share of the remaining time that a move should take.
    time_share = 24 in 5..=200;
    /// What that share grows by in 40 moves.
    time_growth = 12 in 0..=100;
    /// Share of the increment that a move should take.
    time_increment = 770 in 0..=1024;
    /// Share of the remaining time that a move may take at most.
    time_hard_share = 560 in 50..=900;
    /// How many times its share a move may take at most.
    time_max_scale = 5120 in 1024..=20480;
    /// Effect of the share of nodes spent on the best move.
    time_node_base = 2150 in 1024..=4096;
    /// See `time_node_base`.
    time_node_slope = 1500 in 0..=4096;
    /// Effect of a best move that stays the same.
    time_stability_base = 1250 in 512..=2048;
    /// See `time_stability_base`.
    time_stability_slope = 55 in 0..=200;
    /// Effect of a score that stays the same.
    time_score_base = 850 in 256..=2048;
    /// Effect of a score that falls from iteration to iteration, per centipawn.
    time_score_slope = 6 in 0..=60;
    /// Effect of a score that has fallen since the last move, per centipawn.
    time_move_slope = 10 in 0..=60;
    /// The least effect of the score.
    time_score_min = 600 in 128..=1024;
    /// The greatest effect of the score.
    time_score_max = 1600 in 1024..=4096;
}
