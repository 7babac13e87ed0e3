//! What a GUI might say, and much that none would.

use chess::{Castling, Position};

use crate::stress::{Chance, random_game, random_start};

/// Brings every option back to a plain value and every table to a known state, for a look at the
/// memory.
pub(super) const PLAIN: [&str; 12] = [
    "setoption name MultiPV value 1",
    "setoption name UCI_LimitStrength value false",
    "setoption name UCI_Chess960 value false",
    "setoption name UseQuiescence value true",
    "debug off",
    "stats off",
    "setoption name Threads value 1",
    "setoption name Hash value 1",
    "position startpos",
    "ucinewgame",
    "go nodes 20000",
    "isready",
];

/// Lines that mean nothing, or nothing good. None of them changes anything.
const NONSENSE: [&str; 22] = [
    "",
    "   ",
    "xyzzy",
    "go_infinite",
    "position",
    "position fen",
    "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
    "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1",
    "position startpos moves e2e5",
    "position startpos moves e2e4 e7e5 e1e3",
    "position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1 moves e1g1 e8e6",
    "setoption",
    "setoption name",
    "setoption name Hash value banana",
    "setoption name Hash value 99999999999999999999",
    "setoption name Threads value 0",
    "setoption name Nothing value 1",
    "setoption name EvalFile value /nowhere/net.bin",
    "setoption name SyzygyPath value /nowhere",
    "hash load /nowhere/table",
    "see a1a1",
    "\u{1F600} \u{e9}\u{e8}",
];

/// Questions with an answer of their own.
const QUESTIONS: [&str; 16] = [
    "d",
    "eval",
    "moves",
    "help",
    "compiler",
    "license",
    "stats",
    "stats json",
    "qstats",
    "qsearch",
    "perft 1",
    "perft 2",
    "go perft 2",
    "qperft 1",
    "see e2e4",
    "register later",
];

/// Work that takes long and must end at a `stop`.
pub(super) const BACKGROUND_JOBS: [&str; 6] = [
    "bench 9",
    "bench 12 2 4",
    "speedtest 1 1 9",
    "perft 7",
    "qperft 4",
    "genfens 1000000 seed 1 book None",
];

/// Options that change little or much.
const OPTIONS: [&str; 26] = [
    "Threads value 1",
    "Threads value 2",
    "Threads value 4",
    "Hash value 1",
    "Hash value 4",
    "Hash value 16",
    "Clear Hash",
    "MultiPV value 1",
    "MultiPV value 3",
    "MultiPV value 256",
    "Ponder value true",
    "Move Overhead value 0",
    "Move Overhead value 50",
    "UCI_Chess960 value true",
    "UCI_Chess960 value false",
    "UCI_ShowWDL value true",
    "UCI_ShowWDL value false",
    "UCI_LimitStrength value true",
    "UCI_LimitStrength value false",
    "UCI_Elo value 1500",
    "UseQuiescence value false",
    "UseQuiescence value true",
    "QSearchMaxPly value 8",
    "QSearchMaxPly value 32",
    "QSearchNodeLimit value 100",
    "QSearchNodeLimit value 0",
];

/// The state of the engine as far as what was said decides it.
pub(super) struct Script {
    pub(super) position: Position,
    pub(super) castling: Castling,
}

impl Default for Script {
    fn default() -> Self {
        Self { position: Position::startpos(), castling: Castling::KingMove }
    }
}

impl Script {
    /// The next line.
    pub(super) fn next(&mut self, chance: &mut Chance) -> String {
        let line = match chance.below(100) {
            0..30 => self.go(chance),
            30..45 => return self.set_position(chance),
            45..62 => String::from("isready"),
            62..74 => String::from("stop"),
            74..80 => String::from("ponderhit"),
            80..88 => format!("setoption name {}", chance.pick(&OPTIONS)),
            88..93 => chance.pick(&QUESTIONS).to_string(),
            93..97 => chance.pick(&NONSENSE).to_string(),
            97 => String::from("ucinewgame"),
            98 if chance.one_in(4) => chance.pick(&BACKGROUND_JOBS).to_string(),
            98 => chance.pick(&["debug on", "debug off", "stats on", "stats off"]).to_string(),
            _ => chance.pick(&["uci", "flip"]).to_string(),
        };
        self.note(&line);
        line
    }

    /// Follows what a line changes.
    pub(super) fn note(&mut self, line: &str) {
        match line {
            "setoption name UCI_Chess960 value true" => self.castling = Castling::KingTakesRook,
            "setoption name UCI_Chess960 value false" => self.castling = Castling::KingMove,
            "flip" => self.position = self.position.color_flipped(),
            "position startpos" => self.position = Position::startpos(),
            _ => {}
        }
    }

    fn set_position(&mut self, chance: &mut Chance) -> String {
        let start = random_start(chance);
        let most = chance.pick(&[0, 4, 20, 80, 300]);
        let (moves, position) = random_game(&start, chance.between(0, most), chance);
        self.position = position;
        let mut line = if start == Position::startpos() {
            String::from("position startpos")
        } else {
            format!("position fen {}", start.to_fen())
        };
        if !moves.is_empty() {
            line.push_str(" moves");
        }
        for mv in moves {
            line.push(' ');
            line.push_str(&mv.to_uci(Castling::KingTakesRook));
        }
        line
    }

    fn go(&self, chance: &mut Chance) -> String {
        let clocks = |chance: &mut Chance| {
            let (white, black) = (chance.between(0, 200), chance.between(0, 200));
            let mut text = format!("wtime {white} btime {black}");
            if chance.one_in(2) {
                text.push_str(&format!(" winc {} binc {}", chance.below(20), chance.below(20)));
            }
            if chance.one_in(3) {
                text.push_str(&format!(" movestogo {}", chance.below(40)));
            }
            text
        };
        let ponder = if chance.one_in(6) { "ponder " } else { "" };
        let limit = match chance.below(12) {
            0..=3 => format!("depth {}", chance.between(1, 5)),
            4 | 5 => format!("nodes {}", chance.below(3000)),
            6 => format!("movetime {}", chance.below(6)),
            7 => clocks(chance),
            8 | 9 => String::from("infinite"),
            10 => format!("mate {} nodes 2000", chance.between(1, 4)),
            _ => format!("{} depth 4", self.root_moves(chance)),
        };
        format!("go {ponder}{limit}")
    }

    /// Some of the legal moves, and sometimes one that is not.
    fn root_moves(&self, chance: &mut Chance) -> String {
        let mut text = String::from("searchmoves");
        for mv in &self.position.legal_moves() {
            if chance.one_in(4) {
                text.push(' ');
                text.push_str(&mv.to_uci(Castling::KingTakesRook));
            }
        }
        if chance.one_in(8) {
            text.push_str(" a1a1");
        }
        text
    }
}
