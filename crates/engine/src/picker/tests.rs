use std::collections::HashSet;

use chess::rng::Rng;
use chess::{MoveList, PieceType, exchange_value, perft};

use super::*;
use crate::history::{ContinuationKey, Threats};
use crate::stats::Event;
use crate::testing::{own_file, position, random_positions, shared_positions};

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

/// All that is needed to pick moves outside a search.
struct Bench {
    stack: MoveStack,
    history: History,
    rng: Rng,
}

impl Bench {
    fn new(seed: u64) -> Self {
        Self { stack: MoveStack::new(), history: History::new().unwrap(), rng: Rng::new(seed) }
    }

    /// A bench whose statistics are full of random news.
    fn taught(seed: u64) -> Self {
        let mut bench = Self::new(seed);
        for position in random_positions(2000, seed) {
            let threats = Threats::new(&position);
            let context = bench.context(&position, &threats);
            for &mv in &position.legal_moves() {
                let bonus = bench.rng.below(16_384) as i32 - 10_000;
                if mv.is_quiet() {
                    bench.history.update_quiet(&context, mv, bonus);
                } else {
                    bench.history.update_capture(&context, mv, bonus);
                }
            }
        }
        bench
    }

    fn context<'a>(&mut self, position: &'a Position, threats: &'a Threats) -> MoveContext<'a> {
        let continuations = [(); 4].map(|()| {
            let piece = chess::Piece::ALL[self.rng.below(12)];
            let key = ContinuationKey::new(piece, chess::Square::from_index(self.rng.below(64)));
            (self.rng.below(3) > 0).then_some(key)
        });
        MoveContext { position, threats, continuations, ply: 9 }
    }

    /// Nothing, a legal move, or anything that sixteen bits can say.
    fn any_move(&mut self, position: &Position) -> Option<Move> {
        let legal = position.legal_moves();
        match self.rng.below(4) {
            0 => None,
            1 => Move::from_bits(self.rng.next_u64() as u16),
            _ if legal.is_empty() => None,
            _ => Some(self.rng.pick(&legal)),
        }
    }

    /// All moves of a picker, without statistics of earlier moves.
    fn all(&mut self, position: &Position, mut picker: Picker) -> Vec<Move> {
        let threats = Threats::new(position);
        let checks = position.check_info();
        let context = MoveContext { position, threats: &threats, continuations: [None; 4], ply: 9 };
        let pick = PickContext { context, history: &self.history, checks: &checks };
        let mut moves = Vec::new();
        while let Some(mv) = picker.next(&mut self.stack, &pick) {
            moves.push(mv);
        }
        assert_eq!(picker.next(&mut self.stack, &pick), None, "a finished picker is finished");
        picker.finish(&mut self.stack);
        assert!(self.stack.moves.is_empty());
        moves
    }

    /// Perft by way of the picker: every node has TT move, killers and countermove that may
    /// be right, wrong or nonsense.
    fn perft(&mut self, position: &Position, depth: u32) -> u64 {
        // The search takes a TT move only if it is legal.
        let tt_move = self.any_move(position).filter(|&mv| position.is_legal(mv));
        let refutations = [(); 3].map(|()| self.any_move(position));
        let searched = 1 + self.rng.below(12) as i32;
        let mut picker = Picker::main(&self.stack, position, tt_move, refutations, searched);
        let threats = Threats::new(position);
        let checks = position.check_info();
        let context = self.context(position, &threats);
        let mut seen = MoveList::default();
        let mut leaves = 0;
        loop {
            let pick = PickContext { context, history: &self.history, checks: &checks };
            let Some(mv) = picker.next(&mut self.stack, &pick) else { break };
            assert!(!seen.contains(&mv), "{mv:?} twice in {}", position.to_fen());
            seen.push(mv);
            leaves += if depth <= 1 {
                1
            } else {
                let mut child = *position;
                child.make(mv);
                self.perft(&child, depth - 1)
            };
        }
        picker.finish(&mut self.stack);
        leaves
    }
}

fn legal(position: &Position, wanted: impl Fn(Move) -> bool) -> HashSet<Move> {
    position.legal_moves().iter().copied().filter(|&mv| wanted(mv)).collect()
}

fn set(moves: &[Move]) -> HashSet<Move> {
    let set: HashSet<Move> = moves.iter().copied().collect();
    assert_eq!(set.len(), moves.len(), "a move came twice");
    set
}

/// The deepest count of a perft line that is not above the cap.
fn known_count(line: &str, cap: u64) -> Option<(u32, u64)> {
    let counts = line.split(';').skip(1).filter_map(|part| {
        let (depth, count) = part.trim().strip_prefix('D')?.split_once(' ')?;
        Some((depth.parse().ok()?, count.trim().parse().ok()?))
    });
    counts.filter(|&(_, count)| count <= cap).max()
}

#[test]
fn perft_by_way_of_the_picker_gives_the_published_counts() {
    let mut bench = Bench::taught(1);
    let room = bench.stack.moves.capacity();
    let mut lines = 0;
    for line in own_file("perft.epd").lines().filter(|line| !line.starts_with('#')) {
        let Some((depth, count)) = known_count(line, 5000) else { continue };
        assert_eq!(bench.perft(&position(line), depth), count, "{line}");
        lines += 1;
    }
    assert!(lines > 300, "{lines}");
    assert_eq!(bench.stack.moves.capacity(), room, "the picker allocates nothing");
}

#[test]
fn perft_by_way_of_the_picker_equals_perft_on_the_public_sets() {
    let Some(positions) = shared_positions("perft") else { return };
    let mut bench = Bench::taught(2);
    for (position, line) in positions {
        let (depth, count) = known_count(&line, 1500).unwrap_or_else(|| (2, perft(&position, 2)));
        assert_eq!(bench.perft(&position, depth), count, "{line}");
    }
}

#[test]
fn main_path_hands_out_each_kind_in_its_turn() {
    let mut bench = Bench::new(3);
    for position in random_positions(2000, 3).iter().filter(|position| !position.is_check()) {
        let quiets: Vec<Move> =
            position.legal_moves().iter().copied().filter(|mv| mv.is_quiet()).collect();
        if quiets.len() < 8 {
            continue;
        }
        bench.history.clear();
        let threats = Threats::new(position);
        let context = MoveContext { position, threats: &threats, continuations: [None; 4], ply: 9 };
        for &mv in &quiets[6..] {
            bench.history.update_quiet(
                &context,
                mv,
                if mv.to().index() % 2 == 0 { -9000 } else { 9 },
            );
        }
        let refutations = [Some(quiets[1]), Some(quiets[2]), Some(quiets[3])];
        let picker = Picker::main(&bench.stack, position, Some(quiets[0]), refutations, 9);
        let moves = bench.all(position, picker);
        assert_eq!(set(&moves), legal(position, |_| true));

        let checks = position.check_info();
        let pick = PickContext { context, history: &bench.history, checks: &checks };
        let rank = |mv: Move| {
            if let Some(early) = quiets[..4].iter().position(|&quiet| quiet == mv) {
                return [0, 2, 3, 4][early];
            }
            if mv.is_noisy() {
                let score = noisy_score(&pick, mv);
                let good = position.see_ge(mv, -score / params::good_capture_divisor());
                return if good { 1 } else { 6 };
            }
            if quiet_score(&pick, &pick.history.quiet_rows(&pick.context), mv)
                > params::good_quiet_threshold()
            {
                5
            } else {
                7
            }
        };
        let ranks: Vec<i32> = moves.iter().map(|&mv| rank(mv)).collect();
        assert!(ranks.is_sorted(), "{ranks:?} in {}", position.to_fen());
    }
}

#[test]
fn moves_are_generated_as_late_as_possible() {
    let root = position(KIWIPETE);
    let mut bench = Bench::new(4);
    let threats = Threats::new(&root);
    let checks = root.check_info();
    let context =
        MoveContext { position: &root, threats: &threats, continuations: [None; 4], ply: 9 };
    let pick = PickContext { context, history: &bench.history, checks: &checks };
    let tt_move = root.parse_san("a3").unwrap();
    let mut picker = Picker::main(&bench.stack, &root, Some(tt_move), [None; 3], 5);
    assert_eq!(picker.next(&mut bench.stack, &pick), Some(tt_move));
    assert_eq!(bench.stack.moves.len(), 0, "nothing for the TT move");
    let first = picker.next(&mut bench.stack, &pick).unwrap();
    assert!(first.is_capture());
    let noisy = legal(&root, Move::is_noisy).len();
    assert_eq!(bench.stack.moves.len(), noisy, "captures alone for the captures");
    while let Some(mv) = picker.next(&mut bench.stack, &pick) {
        if mv.is_quiet() {
            break;
        }
    }
    assert_eq!(bench.stack.moves.len(), root.legal_moves().len() - 1);
    picker.finish(&mut bench.stack);
    assert!(bench.stack.moves.is_empty());
}

#[test]
fn skipped_quiets_do_not_come_and_everything_noisy_still_does() {
    let mut bench = Bench::taught(5);
    for position in random_positions(2000, 5) {
        let threats = Threats::new(&position);
        let checks = position.check_info();
        let context = bench.context(&position, &threats);
        let (tt_move, patience) =
            (bench.any_move(&position).filter(|&mv| position.is_legal(mv)), bench.rng.below(12));
        let refutations = [(); 3].map(|()| bench.any_move(&position));
        let mut picker = Picker::main(&bench.stack, &position, tt_move, refutations, 4);
        let pick = PickContext { context, history: &bench.history, checks: &checks };
        let mut moves = Vec::new();
        while let Some(mv) = picker.next(&mut bench.stack, &pick) {
            let skipping = moves.len() > patience;
            assert!(!skipping || mv.is_noisy(), "{mv:?} in {}", position.to_fen());
            moves.push(mv);
            if moves.len() > patience {
                picker.skip_quiets();
            }
        }
        picker.finish(&mut bench.stack);
        let noisy: HashSet<Move> = set(&moves).into_iter().filter(|mv| mv.is_noisy()).collect();
        assert_eq!(noisy, legal(&position, Move::is_noisy));
    }
}

#[test]
fn every_evasion_comes_and_captures_come_first() {
    let mut bench = Bench::taught(6);
    let mut checks = 0;
    for position in random_positions(6000, 6).iter().filter(|position| position.is_check()) {
        checks += 1;
        let everything = legal(position, |_| true);
        for tt_move in [None, everything.iter().next().copied()] {
            for picker in [
                Picker::main(&bench.stack, position, tt_move, [None; 3], 3),
                Picker::quiescence(&bench.stack, position, tt_move, QuiescenceMode::Noisy),
                Picker::quiescence(&bench.stack, position, tt_move, QuiescenceMode::WithChecks),
            ] {
                let moves = bench.all(position, picker);
                assert_eq!(set(&moves), everything);
                assert!(tt_move.is_none() || moves.first().copied() == tt_move);
                let rest = moves.get(usize::from(tt_move.is_some())..).unwrap_or_default();
                assert!(rest.is_sorted_by_key(|mv| mv.is_quiet()), "{}", position.to_fen());
            }
        }
    }
    assert!(checks > 200, "{checks}");
}

#[test]
fn quiescence_paths_hand_out_exactly_their_moves() {
    let mut bench = Bench::taught(7);
    for position in random_positions(3000, 7).iter().filter(|position| !position.is_check()) {
        let tt_move = bench.any_move(position).filter(|&mv| position.is_legal(mv));
        let info = position.check_info();
        let target = chess::Square::from_index(bench.rng.below(64));
        let checks = |mv: Move| mv.is_noisy() || position.gives_check(mv, &info);
        let recaptures = |mv: Move| mv.is_capture() && mv.to() == target;
        let paths: [(QuiescenceMode, HashSet<Move>); 3] = [
            (QuiescenceMode::Noisy, legal(position, Move::is_noisy)),
            (QuiescenceMode::WithChecks, legal(position, checks)),
            (QuiescenceMode::Recaptures(target), legal(position, recaptures)),
        ];
        for (mode, expected) in paths {
            let picker = Picker::quiescence(&bench.stack, position, tt_move, mode);
            let moves = bench.all(position, picker);
            assert_eq!(set(&moves), expected, "{mode:?} in {}", position.to_fen());
            let fits = tt_move.filter(|mv| mv.is_noisy() && expected.contains(mv));
            assert!(fits.is_none() || moves.first().copied() == fits);
            let noisy_first = moves.is_sorted_by_key(|mv| mv.is_quiet());
            assert!(noisy_first, "quiet checks come last");
        }
    }
}

#[test]
fn probcut_wants_captures_that_win_enough_and_no_other_table_move() {
    let mut bench = Bench::taught(8);
    for position in random_positions(3000, 8).iter().filter(|position| !position.is_check()) {
        let tt_move = bench.any_move(position).filter(|&mv| position.is_legal(mv));
        let threshold = bench.rng.below(1400) as i32 - 400;
        let expected = legal(position, |mv| mv.is_noisy() && position.see_ge(mv, threshold));
        let picker = Picker::probcut(&bench.stack, position, tt_move, threshold);
        let moves = bench.all(position, picker);
        assert_eq!(set(&moves), expected, "{}", position.to_fen());
        let fits = tt_move.filter(|mv| expected.contains(mv));
        assert!(fits.is_none() || moves.first().copied() == fits);
    }
}

#[test]
fn a_cutoff_is_counted_for_the_stage_that_its_move_came_from() {
    let root = position(KIWIPETE);
    let mut bench = Bench::taught(9);
    let quiets: Vec<Move> = root.legal_moves().iter().copied().filter(|mv| mv.is_quiet()).collect();
    let refutations = [Some(quiets[1]), Some(quiets[2]), Some(quiets[3])];
    let threats = Threats::new(&root);
    let checks = root.check_info();
    let context =
        MoveContext { position: &root, threats: &threats, continuations: [None; 4], ply: 9 };
    let pick = PickContext { context, history: &bench.history, checks: &checks };
    let mut picker = Picker::main(&bench.stack, &root, Some(quiets[0]), refutations, 9);
    let mut seen = Vec::new();
    while picker.next(&mut bench.stack, &pick).is_some() {
        seen.push(picker.source().cutoff());
    }
    picker.finish(&mut bench.stack);
    seen.dedup();
    let turns = [
        Event::CutTtMove,
        Event::CutGoodNoisy,
        Event::CutKiller,
        Event::CutCountermove,
        Event::CutGoodQuiet,
        Event::CutBadNoisy,
        Event::CutBadQuiet,
    ];
    assert_eq!(seen, turns);
    let check = position("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1");
    let threats = Threats::new(&check);
    let context =
        MoveContext { position: &check, threats: &threats, continuations: [None; 4], ply: 9 };
    let checks = check.check_info();
    let pick = PickContext { context, history: &bench.history, checks: &checks };
    let mut picker = Picker::main(&bench.stack, &check, None, [None; 3], 1);
    assert!(picker.next(&mut bench.stack, &pick).is_some());
    assert_eq!(picker.source().cutoff(), Event::CutEvasion);
    bench.stack.clear();
    assert!(bench.stack.moves.is_empty());
}

mod order;
