//! Random games, the same for the same seed.

use chess::{Move, PieceType, Position, chess960, double_chess960};

/// A small generator of random numbers.
pub(crate) struct Rng(u64);

impl Rng {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed ^ 0x9E37_79B9_7F4A_7C15)
    }

    pub(crate) fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ self.0 >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        (mixed ^ mixed >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93) ^ mixed >> 29
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.number() % bound as u64) as usize
    }

    pub(crate) fn pick<T: Copy>(&mut self, items: &[T]) -> Option<T> {
        if items.is_empty() { None } else { Some(items[self.below(items.len())]) }
    }
}

/// Middlegames and endgames that random play from the start seldom reaches.
const LATER: [&str; 12] = [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/PPPk4/8/8/8/8/4Kppp/8 w - - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1",
    "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1",
    "3k4/8/8/2pP4/8/8/1b4B1/4K3 w - c6 0 2",
    "8/8/1k6/8/2pP2q1/8/5PPP/3RK3 b - d3 0 1",
    "2kr3r/pp1n1ppp/1qp1b3/4p3/1b2P3/1NN1B3/PPP1QPPP/2KR3R w - - 4 12",
    "8/5k2/3p4/2pPp3/1pP1Pp2/pP3Pp1/P5P1/6K1 w - - 0 1",
    "q3k2q/8/8/8/8/8/8/Q3K2Q w - - 0 1",
];

/// Where a game begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Start {
    Standard,
    Chess960,
    DoubleChess960,
    Later,
}

impl Start {
    pub(crate) const ALL: [Self; 4] =
        [Self::Standard, Self::Chess960, Self::DoubleChess960, Self::Later];

    pub(crate) fn position(self, rng: &mut Rng) -> Position {
        let array = |rng: &mut Rng| rng.below(960) as u16;
        match self {
            Self::Standard => Position::startpos(),
            Self::Chess960 => chess960(array(rng)),
            Self::DoubleChess960 => double_chess960(array(rng), array(rng)),
            Self::Later => {
                let fen = LATER[rng.below(LATER.len())];
                Position::from_fen(fen).expect("every listed position is legal")
            }
        }
    }
}

/// How the players of one game choose their moves.
#[derive(Clone, Copy)]
enum Taste {
    Any,
    Noisy,
    Pawns,
    Checks,
}

impl Taste {
    fn choose(self, position: &Position, rng: &mut Rng) -> Option<Move> {
        let all = position.legal_moves();
        let info = position.check_info();
        let liked: Vec<Move> = match self {
            Self::Any => Vec::new(),
            Self::Noisy => all.iter().copied().filter(|mv| mv.is_noisy()).collect(),
            Self::Pawns => {
                let pawn = |mv: &Move| position.moved(*mv).kind() == PieceType::Pawn;
                all.iter().copied().filter(pawn).collect()
            }
            Self::Checks => {
                let check = |mv: &Move| position.gives_check(*mv, &info);
                all.iter().copied().filter(check).collect()
            }
        };
        if rng.below(2) == 0 && !liked.is_empty() { rng.pick(&liked) } else { rng.pick(&all) }
    }
}

/// Plays a game of at most `plies` plies and shows every position with the move played from it,
/// the last one without.
pub(crate) fn game(
    start: Position,
    plies: usize,
    rng: &mut Rng,
    mut visit: impl FnMut(&Position, Option<Move>),
) {
    let taste = [Taste::Any, Taste::Noisy, Taste::Pawns, Taste::Checks][rng.below(4)];
    let mut position = start;
    for _ in 0..plies {
        let Some(mv) = taste.choose(&position, rng) else { break };
        visit(&position, Some(mv));
        position.make(mv);
    }
    visit(&position, None);
}

/// Shows positions of random games from all kinds of starts until `count` have been seen.
pub(crate) fn positions(count: usize, seed: u64, mut visit: impl FnMut(&Position)) {
    let mut rng = Rng::new(seed);
    let mut seen = 0;
    while seen < count {
        let start = Start::ALL[rng.below(Start::ALL.len())].position(&mut rng);
        game(start, 240, &mut rng, |position, _| {
            if seen < count {
                visit(position);
                seen += 1;
            }
        });
    }
}
