//! Positions for stress tests.

use chess::{Castling, Move, Position, chess960, double_chess960};

use super::Chance;

/// Positions that random play from the start seldom reaches: endings, promotions, mates, dead ends.
const LATER: [&str; 14] = [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1",
    "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1",
    "8/5k2/3p4/2pPp3/1pP1Pp2/pP3Pp1/P5P1/6K1 w - - 98 120",
    "8/8/8/8/8/4k3/8/4K2R w K - 0 1",
    "8/8/8/5N2/8/p7/8/2NK3k w - - 0 1",
    "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
    "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
    "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
    "6k1/5p2/6p1/8/7p/8/6PP/6K1 b - - 0 1",
    "q3k2q/8/8/8/8/8/8/Q3K2Q w - - 0 1",
];

/// Where a game begins, and whether it is Chess960.
pub(crate) fn random_start(chance: &mut Chance) -> Position {
    match chance.below(10) {
        0 => chess960(chance.below(960) as u16),
        1 => double_chess960(chance.below(960) as u16, chance.below(960) as u16),
        2..=4 => Position::from_fen(chance.pick(&LATER)).expect("every listed position is legal"),
        _ => Position::startpos(),
    }
}

/// Random legal moves from a position, and where they lead.
pub(crate) fn random_game(
    start: &Position,
    plies: usize,
    chance: &mut Chance,
) -> (Vec<Move>, Position) {
    let (mut moves, mut position) = (Vec::with_capacity(plies), *start);
    for _ in 0..plies {
        let legal = position.legal_moves();
        if legal.is_empty() {
            break;
        }
        let mv = legal[chance.below(legal.len())];
        position.make(mv);
        moves.push(mv);
    }
    (moves, position)
}

/// The legal move that is written exactly like this.
pub(crate) fn legal_move(position: &Position, text: &str, castling: Castling) -> Option<Move> {
    position.legal_moves().iter().copied().find(|mv| mv.to_uci(castling) == text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_listed_position_is_legal() {
        for fen in LATER {
            assert!(Position::from_fen(fen).is_ok(), "{fen}");
        }
    }
}
