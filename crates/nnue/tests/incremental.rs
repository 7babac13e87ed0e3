//! The accumulators give the same score by any path.

mod common;

use std::sync::Arc;

use chess::{Color, Delta, Move, MoveKind, Position, Square, double_chess960};
use common::{Rng, full, random_game, random_network};
use nnue::{AccumulatorStack, KingBuckets, MAX_PLIES, Perspective, Shape, Width};

/// What the random games went through, so that no test passes for want of cases.
#[derive(Default)]
struct Seen {
    quiet: usize,
    captures: usize,
    castles: usize,
    en_passant: usize,
    promotions: usize,
    passes: usize,
    crossings: usize,
    new_zones: usize,
}

impl Seen {
    fn note(&mut self, before: &Position, delta: Delta, after: &Position) {
        match delta {
            Delta::Nothing => self.passes += 1,
            Delta::Quiet { .. } => self.quiet += 1,
            Delta::Capture { add, captured, .. } => {
                self.captures += 1;
                self.en_passant += usize::from(add.square != captured.square);
            }
            Delta::Castle { .. } => self.castles += 1,
        }
        if let Delta::Quiet { add, sub } | Delta::Capture { add, sub, .. } = delta {
            self.promotions += usize::from(add.piece != sub.piece);
        }
        for side in Color::ALL {
            let view = |position: &Position, king_buckets| {
                Perspective::new(side, position.board().king(side), king_buckets)
            };
            let differ = |king_buckets| view(before, king_buckets) != view(after, king_buckets);
            self.crossings += usize::from(differ(KingBuckets::One));
            self.new_zones += usize::from(differ(KingBuckets::Four) && !differ(KingBuckets::One));
        }
    }

    fn has_everything(&self) -> bool {
        [self.quiet, self.captures, self.castles, self.passes, self.crossings, self.new_zones]
            .into_iter()
            .chain([self.en_passant, self.promotions])
            .all(|count| count >= 10)
    }
}

/// Openings of chess and of Chess960, and positions rich in castling, promotions and pawns.
fn starts(random: &mut Rng) -> Vec<Position> {
    let rich = [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/PPP4k/8/8/8/8/4Kppp/8 w - - 0 1",
        "4k3/pppp1ppp/8/8/8/8/PPPP1PPP/4K3 b - - 0 1",
        "3k4/8/8/8/8/8/8/R3K2R w KQ - 0 1",
    ];
    let shuffled =
        (0..8).map(|_| double_chess960(random.below(960) as u16, random.below(960) as u16));
    let rich = rich.iter().map(|fen| Position::from_fen(fen).expect("the FEN is valid"));
    [Position::startpos()].into_iter().chain(rich).chain(shuffled.collect::<Vec<_>>()).collect()
}

#[test]
fn incremental_scores_equal_scores_from_scratch_in_random_games() {
    let mut random = Rng::new(1);
    let mut seen = Seen::default();
    // Miri is slow, and the widths differ in nothing but the length of their loops.
    let (widths, plies) = if cfg!(miri) { (1, 3) } else { (Width::ALL.len(), 120) };
    for width in &Width::ALL[..widths] {
        for shape in [Shape::plain(width.neurons()), full(width.neurons())] {
            let network = Arc::new(random_network(random.next_u64(), shape));
            let mut accumulators = AccumulatorStack::new(Arc::clone(&network));
            for start in starts(&mut random) {
                accumulators.reset(&start);
                let mut before = start;
                // Evaluating only now and then makes the stack catch up over several moves.
                for step in random_game(&start, &mut random, plies) {
                    accumulators.push(step.delta);
                    seen.note(&before, step.delta, &step.position);
                    before = step.position;
                    if random.below(3) == 0 {
                        let expected = network.evaluate_scratch(&step.position);
                        assert_eq!(accumulators.evaluate(&step.position), expected);
                    }
                }
            }
        }
    }
    assert!(cfg!(miri) || seen.has_everything());
}

/// Walks a small random tree as a search does, coming back to positions already computed.
fn walk(accumulators: &mut AccumulatorStack, position: &Position, random: &mut Rng, depth: usize) {
    let network = Arc::clone(accumulators.network());
    if random.below(2) == 0 {
        assert_eq!(accumulators.evaluate(position), network.evaluate_scratch(position));
    }
    let moves = position.legal_moves();
    if depth == 0 || moves.is_empty() {
        return;
    }
    if !position.is_check() {
        let mut next = *position;
        next.make_null();
        accumulators.push(Delta::Nothing);
        walk(accumulators, &next, random, depth - 1);
        accumulators.pop();
    }
    for _ in 0..4 {
        let mut next = *position;
        accumulators.push(next.make(moves[random.below(moves.len())]));
        walk(accumulators, &next, random, depth - 1);
        accumulators.pop();
    }
    assert_eq!(accumulators.evaluate(position), network.evaluate_scratch(position));
}

#[test]
#[cfg_attr(miri, ignore)]
fn taking_moves_back_restores_every_score() {
    let mut random = Rng::new(2);
    let network = Arc::new(random_network(3, full(128)));
    let mut accumulators = AccumulatorStack::new(network);
    for start in starts(&mut random) {
        accumulators.reset(&start);
        walk(&mut accumulators, &start, &mut random, 5);
    }
}

#[test]
#[cfg_attr(miri, ignore)]
fn the_stack_is_deep_enough_for_the_longest_line() {
    let network = Arc::new(random_network(4, Shape::plain(64)));
    let mut accumulators = AccumulatorStack::new(Arc::clone(&network));
    let root = Position::startpos();
    accumulators.reset(&root);
    let mut position = root;
    // Knights out and back: a line that never ends by itself.
    let (out, back) = ([Square::G1, Square::G8], [Square::F3, Square::F6]);
    for ply in 0..MAX_PLIES {
        let (from, to) = if ply % 4 < 2 { (out, back) } else { (back, out) };
        let mv = Move::new(from[ply % 2], to[ply % 2], MoveKind::Quiet);
        accumulators.push(position.make(mv));
        if ply % 50 == 49 {
            assert_eq!(accumulators.evaluate(&position), network.evaluate_scratch(&position));
        }
    }
    assert_eq!(accumulators.evaluate(&position), network.evaluate_scratch(&position));
    for _ in 0..MAX_PLIES {
        accumulators.pop();
    }
    assert_eq!(accumulators.evaluate(&root), network.evaluate_scratch(&root));
}
