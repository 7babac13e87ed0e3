//! A fixed set of positions searched to a fixed depth: one node count that changes when, and only
//! when, the search changes.

use std::ops::ControlFlow;
use std::time::Duration;

use chess::Position;

use crate::{Engine, Game, HashError, Limits, Silent};

/// The depth when nobody asks for another.
pub const DEFAULT_DEPTH: i32 = 12;

/// Positions of every sort: openings, middlegames, endings, Chess960, mates, fortresses,
/// promotions.
pub static POSITIONS: &[&str] = &[
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "rnbqkb1r/pp1p1ppp/4pn2/2p5/2PP4/5N2/PP2PPPP/RNBQKB1R w KQkq - 0 4",
    "r1bqkbnr/1ppp1ppp/p1n5/4p3/B3P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 1 4",
    "rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq - 0 6",
    "rnbq1rk1/ppp1ppbp/3p1np1/8/2PPP3/2N2N2/PP3PPP/R1BQKB1R w KQ - 2 6",
    "rnbqkbnr/ppp2ppp/4p3/3pP3/3P4/8/PPP2PPP/RNBQKBNR b KQkq - 0 3",
    "r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2NB1N2/PP3PPP/R1BQ1RK1 w - - 0 10",
    "2rq1rk1/pb2bppp/1p2pn2/8/3P4/P1NB1N2/1P1Q1PPP/3R1RK1 w - - 4 16",
    "r2q1rk1/1p1nbppp/p2pbn2/4p3/4P3/1NN1BP2/PPPQ2PP/2KR1B1R b - - 3 11",
    "r1b2rk1/ppq1bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2Q1RK1 w - - 2 10",
    "3r1rk1/p1q2ppp/1p2pn2/2b5/2P5/1P3NP1/PBQ2PBP/3R1RK1 w - - 0 19",
    "r3r1k1/pp3pbp/1qp1b1p1/2B5/2BP4/Q1n2N2/P4PPP/3R1K1R w - - 4 18",
    "2r3k1/1q1nbppp/r3p3/3pP3/pPpP4/P1Q2N2/2RN1PPP/2R4K b - b3 0 23",
    "1rb2rk1/p4ppp/1p1qp1n1/3n2N1/2pP4/2P3P1/PPQ2PBP/R1B1R1K1 w - - 4 17",
    "r1b1k2r/2q1bppp/p2ppn2/1p6/3QPP2/2N1B3/PPP3PP/2KR1B1R w kq - 0 12",
    "4rrk1/pp1n1pp1/q5p1/P1pP4/2n3P1/7P/1P3PB1/R1BQ1RK1 w - - 3 22",
    "r3k3/1pp1qpp1/p1np1n1p/2b1p3/2B1P1b1/P1NPBN1P/1PP2PP1/R2QK2R w KQq - 0 10",
    "8/8/1p1k2p1/p1prp2p/P2n3P/6P1/1P1R1PK1/4R3 b - - 5 49",
    "8/1r1rp1k1/p1q1Ppp1/1p5p/1P1R3P/2PQ2P1/5PK1/3R4 w - - 0 38",
    "3r2k1/1p3ppp/p1n5/2p1P3/2P2P2/1P2B3/P5PP/3R2K1 b - - 0 25",
    "8/5pk1/4p1p1/3pP1Pp/1p1P1P1P/1P2K3/8/8 w - - 0 40",
    "8/pp3k2/2p2p2/3p4/3P1P2/2P1K3/PP6/8 w - - 0 30",
    "5k2/R7/4P3/5K2/8/8/7r/8 w - - 0 60",
    "6k1/5p2/6p1/8/7p/8/6PP/6K1 b - - 0 1",
    "8/8/4k3/3n1n2/5P2/8/3K4/8 b - - 0 12",
    "8/3k4/8/4B3/5p2/5P2/3K4/8 w - - 0 50",
    "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
    "8/8/8/5N2/8/p7/8/2NK3k w - - 0 1",
    "8/3k4/8/8/8/4B3/4KB2/2B5 w - - 0 1",
    "8/8/1P6/5pr1/8/4R3/7k/2K5 w - - 0 1",
    "8/2p4P/8/kr6/6R1/8/8/1K6 w - - 0 1",
    "8/8/3P3k/8/1p6/8/1P6/1K3n2 b - - 0 1",
    "8/R7/2q5/8/6k1/8/1P5p/K6R w - - 0 124",
    "8/P7/6k1/8/8/8/K6p/8 b - - 0 1",
    "6k1/3b3r/1p1p4/p1n2p2/1PPNpP1q/P3Q1p1/1R1RB1P1/5K2 b - - 0 1",
    "r2r1n2/pp2bk2/2p1p2p/3q4/3PN1QP/2P3R1/P4PP1/5RK1 w - - 0 1",
    "r1bq2rk/pp3pbp/2p1p1pQ/7P/3P4/2PB1N2/PP3PPR/2KR4 w - - 0 1",
    "2q1k3/8/8/1N6/8/8/5PPP/6K1 w - - 0 1",
    "6k1/6p1/8/8/8/8/rr6/3Q3K w - - 0 1",
    "5rkq/3r1p1p/5RpP/2p3P1/2B2Q2/p7/P4PK1/8 w - - 0 1",
    "8/8/8/1B6/6k1/8/p7/K7 w - - 0 1",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9",
    "nrkqbbrn/pppppppp/8/8/8/8/PPPPPPPP/NRKQBBRN w GBgb - 0 1",
    "8/1P4P1/3k4/8/8/3K4/1p4p1/8 w - - 0 1",
];

/// What a bench came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BenchResult {
    /// Nodes of all positions.
    pub nodes: u64,
    /// Time spent on all searches together.
    pub time: Duration,
}

impl BenchResult {
    /// Nodes per second over all searches.
    #[must_use]
    pub fn nps(&self) -> u64 {
        (self.nodes as f64 / self.time.as_secs_f64().max(1e-9)) as u64
    }
}

/// A bench that can be stopped, with an engine as it was made ready.
pub struct Bench {
    /// Searches; its position, table and histories are forgotten.
    pub engine: Engine,
    /// Depth of every search, in plies.
    pub depth: i32,
}

impl Bench {
    /// Searches every position and tells `progress` of its nodes, until that says that it is
    /// enough; then there is no result.
    ///
    /// # Panics
    /// Never: the positions are legal, which a test shows.
    pub fn run(
        mut self,
        mut progress: impl FnMut(&str, u64) -> ControlFlow<()>,
    ) -> Option<BenchResult> {
        let mut total = BenchResult::default();
        for fen in POSITIONS {
            let position = Position::from_fen(fen).expect("bench positions are legal");
            self.engine.new_game();
            self.engine.set_game(Game::new(position));
            let outcome = self.engine.search(&Limits::depth(self.depth), &mut Silent);
            total.nodes += outcome.progress.nodes;
            total.time += outcome.progress.time;
            if progress(fen, outcome.progress.nodes).is_break() {
                return None;
            }
        }
        Some(total)
    }
}

/// The nodes of the bench on one thread.
///
/// # Errors
/// If there is no memory for the table.
pub fn nodes(depth: i32, hash_mebibytes: usize) -> Result<u64, HashError> {
    let mut engine = Engine::new();
    engine.set_hash(hash_mebibytes)?;
    let result = Bench { engine, depth }.run(|_, _| ControlFlow::Continue(()));
    Ok(result.map_or(0, |result| result.nodes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_is_legal_and_stands_once() {
        let mut seen = std::collections::HashSet::new();
        for fen in POSITIONS {
            assert!(Position::from_fen(fen).is_ok(), "{fen}");
            assert!(seen.insert(fen));
        }
    }

    #[test]
    fn the_node_count_is_the_same_every_time() {
        assert_eq!(nodes(5, 1).unwrap(), nodes(5, 1).unwrap());
    }
}
