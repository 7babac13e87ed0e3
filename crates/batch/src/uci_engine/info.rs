//! What the `info` lines of a search have said.

use std::collections::BTreeMap;

use chess::{Move, Position};

use crate::engines::MAX_MULTIPV;

/// A score as engines tell it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// Centipawns for the side to move.
    Centipawns(i32),
    /// Moves to mate; not positive if the side to move is mated.
    Mate(i32),
}

/// One of the best lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UciLine {
    /// Its score for the side to move.
    pub score: Shown,
    /// The depth at which it was found.
    pub depth: i32,
    /// The chances to win, draw and lose in thousandths, if the engine tells them.
    pub wdl: Option<[u32; 3]>,
    /// Its moves as text.
    pub moves: Vec<String>,
}

/// What is known of a search so far.
#[derive(Clone, Debug, Default)]
pub struct UciInfo {
    /// Nodes that the engine says it has searched.
    pub nodes: u64,
    /// The best lines by their number from 1. Bounds do not count.
    pub lines: BTreeMap<usize, UciLine>,
}

impl UciInfo {
    /// The best line so far, if the engine has told one.
    #[must_use]
    pub fn best(&self) -> Option<&UciLine> {
        self.lines.get(&1)
    }

    /// Takes in a line of text. Returns the number of the best line that it has changed.
    pub fn read(&mut self, text: &str) -> Option<usize> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let place = |name: &str| words.iter().position(|&word| word == name);
        // Behind "pv" and "string" come words that are none of the protocol.
        let end = [place("pv"), place("string")].into_iter().flatten().min().unwrap_or(words.len());
        let field = |name: &str, offset: usize| {
            let at = words[..end].iter().position(|&word| word == name)?;
            words[..end].get(at + offset).copied()
        };
        let number = |name: &str, offset| field(name, offset)?.parse::<i64>().ok();
        if let Some(nodes) = number("nodes", 1).and_then(|nodes| nodes.try_into().ok()) {
            self.nodes = nodes;
        }
        if words[..end].iter().any(|&word| word == "lowerbound" || word == "upperbound") {
            return None;
        }
        let small = |number: i64| number.clamp(-1_000_000, 1_000_000) as i32;
        let value = number("score", 2).map(small)?;
        let score = match field("score", 1)? {
            "cp" => Shown::Centipawns(value),
            "mate" => Shown::Mate(value),
            _ => return None,
        };
        let index = number("multipv", 1).map_or(Some(1), |index| usize::try_from(index).ok())?;
        if !(1..=MAX_MULTIPV).contains(&index) {
            return None;
        }
        let chance = |offset| u32::try_from(number("wdl", offset)?).ok();
        let wdl = (|| Some([chance(1)?, chance(2)?, chance(3)?]))();
        let depth = number("depth", 1).map_or(0, small);
        let moves = place("pv").filter(|&at| at == end).map_or(&[][..], |at| &words[at + 1..]);
        let moves = moves.iter().map(|&word| word.to_owned()).collect();
        let wdl = wdl.filter(|chances| chances.iter().sum::<u32>() == 1000);
        self.lines.insert(index, UciLine { score, depth, wdl, moves });
        Some(index)
    }
}

impl UciLine {
    /// The moves as far as they are legal.
    #[must_use]
    pub fn legal_moves(&self, position: &Position) -> Vec<Move> {
        let mut at = *position;
        let mut moves = Vec::new();
        for text in &self.moves {
            let Ok(mv) = at.parse_uci(text) else { break };
            at.make(mv);
            moves.push(mv);
        }
        moves
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn info_lines_are_read_and_bounds_do_not_count() {
        let mut info = UciInfo::default();
        let first = "info depth 9 seldepth 12 multipv 1 score cp -31 wdl 200 500 300 nodes 12345 \
                     nps 1 pv e2e4 e7e5";
        assert_eq!(info.read(first), Some(1));
        let best = info.best().unwrap().clone();
        assert_eq!((best.score, best.depth, info.nodes), (Shown::Centipawns(-31), 9, 12_345));
        assert_eq!((best.wdl, best.moves.join(" ")), (Some([200, 500, 300]), "e2e4 e7e5".into()));
        assert_eq!(info.read("info depth 10 score cp 90 lowerbound nodes 20000 pv d2d4"), None);
        assert_eq!((info.best(), info.nodes), (Some(&best), 20_000));
        assert_eq!(info.read("info depth 10 multipv 2 score mate 1 nodes 30000 pv d2d4"), Some(2));
        assert_eq!((info.best(), info.lines[&2].score), (Some(&best), Shown::Mate(1)));
        assert_eq!(info.read("info depth 11 score mate -3 nodes 40000 pv a2a3"), Some(1));
        assert_eq!(info.best().unwrap().score, Shown::Mate(-3));
        for odd in [
            "info string depth 99 score cp 1",
            "info score cp",
            "info score cp x pv e2e4",
            "info multipv 0 score cp 1",
            "info multipv 9999 score cp 1",
            "info pv score cp 5",
            "info",
        ] {
            assert_eq!(info.read(odd), None, "{odd}");
        }
        assert_eq!(info.lines.len(), 2);
    }

    #[test]
    fn lines_end_before_the_first_illegal_move() {
        let mut info = UciInfo::default();
        info.read("info score cp 1 pv e2e4 e7e5 e4e5 a7a6");
        let line = info.best().unwrap().legal_moves(&Position::startpos());
        assert_eq!(line.len(), 2);
    }
}
