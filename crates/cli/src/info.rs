//! The lines a search sends: `info` and `bestmove`.

use std::fmt::Write as _;
use std::time::Duration;

use chess::{Castling, Move};
use engine::{Bound, Line, Outcome, Progress, Report, Reporter, Score, Warning};

use crate::output::Output;
use engine::wdl::{Curve, Shown};

/// How things are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Display {
    /// The form of castling.
    pub castling: Castling,
    /// Whether the chances to win, draw and lose go with every score.
    pub show_wdl: bool,
}

impl Default for Display {
    fn default() -> Self {
        Self { castling: Castling::KingMove, show_wdl: false }
    }
}

impl Display {
    /// The text of a move.
    #[must_use]
    pub fn mv(self, mv: Move) -> String {
        mv.to_uci(self.castling)
    }

    /// The full `info` line of a principal variation.
    #[must_use]
    pub fn info(self, line: &Line, progress: &Progress, curve: Curve) -> String {
        let Line { depth, seldepth, multipv, .. } = line;
        let mut text = format!("info depth {depth} seldepth {seldepth} multipv {multipv}");
        text.push_str(&self.score(line.score, line.bound, curve));
        text.push_str(&counters(progress));
        text.push_str(" pv");
        for &mv in &line.pv {
            text.push(' ');
            text.push_str(&self.mv(mv));
        }
        text
    }

    /// The `info` line of a root without legal moves.
    #[must_use]
    pub fn game_over(self, outcome: &Outcome, curve: Curve) -> String {
        let score = self.score(outcome.score, Bound::Exact, curve);
        format!("info depth 0 seldepth 0 multipv 1{score}{}", counters(&outcome.progress))
    }

    /// The line that ends a search.
    #[must_use]
    pub fn best_move(self, best: Option<Move>, ponder: Option<Move>) -> String {
        let Some(best) = best else { return String::from("bestmove (none)") };
        let mut text = format!("bestmove {}", self.mv(best));
        if let Some(ponder) = ponder {
            text.push_str(" ponder ");
            text.push_str(&self.mv(ponder));
        }
        text
    }

    fn score(self, score: Score, bound: Bound, curve: Curve) -> String {
        let mut text = match curve.shown(score) {
            Shown::Centipawns(centipawns) => format!(" score cp {centipawns}"),
            Shown::Mate(moves) => format!(" score mate {moves}"),
        };
        text.push_str(match bound {
            Bound::Exact => "",
            Bound::Lower => " lowerbound",
            Bound::Upper => " upperbound",
        });
        if self.show_wdl {
            let chances = curve.wdl(score);
            // Writing to a string cannot fail.
            let _ = write!(text, " wdl {} {} {}", chances.win, chances.draw, chances.loss);
        }
        text
    }
}

fn counters(progress: &Progress) -> String {
    let Progress { nodes, hashfull, tb_hits, time } = progress;
    format!(
        " nodes {nodes} nps {} hashfull {hashfull} tbhits {tb_hits} time {}",
        per_second(*nodes, *time),
        time.as_millis()
    )
}

/// Nodes per second, as a whole number, for any time.
#[must_use]
pub fn per_second(nodes: u64, time: Duration) -> u64 {
    let rate = u128::from(nodes) * 1_000_000 / time.as_micros().max(1);
    u64::try_from(rate).unwrap_or(u64::MAX)
}

/// Writes what a search reports as it comes.
pub struct Printer<'a> {
    output: &'a Output,
    display: Display,
    curve: Curve,
    /// The last exact line of each rank.
    printed: Vec<Line>,
}

impl<'a> Printer<'a> {
    /// Writes the reports of a search to `output`.
    #[must_use]
    pub fn new(output: &'a Output, display: Display, curve: Curve) -> Self {
        Self { output, display, curve, printed: Vec::new() }
    }

    /// Ends the search: the final lines, if they differ from those already written, and the
    /// best move.
    pub fn finish(&mut self, outcome: &Outcome) {
        if outcome.lines.is_empty() {
            self.output.line(&self.display.game_over(outcome, self.curve));
        } else if !self.has_printed(&outcome.lines) {
            for line in &outcome.lines {
                self.output.line(&self.display.info(line, &outcome.progress, self.curve));
            }
        }
        self.output.line(&self.display.best_move(outcome.best_move, outcome.ponder_move));
    }
}

impl Printer<'_> {
    fn has_printed(&self, lines: &[Line]) -> bool {
        lines.iter().all(|line| self.printed.contains(line))
    }
}

impl Reporter for Printer<'_> {
    fn report(&mut self, report: &Report) {
        match report {
            Report::Line(line, progress) => {
                self.printed.retain(|old| old.multipv != line.multipv);
                if line.bound == Bound::Exact {
                    self.printed.push(line.clone());
                }
                self.output.line(&self.display.info(line, progress, self.curve));
            }
            Report::CurrentMove { depth, mv, number } => {
                let mv = self.display.mv(*mv);
                let text = format!("info depth {depth} currmove {mv} currmovenumber {number}");
                self.output.line(&text);
            }
            Report::Totals(progress) => {
                self.output.line(&format!("info{}", counters(progress)));
            }
            Report::Warning(warning) => {
                self.output.note(&format!("warning: {}", describe(warning)));
            }
            // Written for those who ask.
            Report::Statistics(_) => {}
        }
    }
}

/// A warning in words.
fn describe(warning: &Warning) -> String {
    match warning {
        Warning::Explosion { position, nodes } => {
            format!("a quiescence search took {nodes} nodes: {}", position.to_fen())
        }
        Warning::PlyLimit { position } => {
            format!("a line reached the longest possible length: {}", position.to_fen())
        }
        Warning::QuiescenceShare { quiescence, main } => {
            let times = quiescence / (*main).max(1);
            format!("quiescence has {times} times the nodes of the main search")
        }
        Warning::Oscillation { depth, scores } => {
            let scores: Vec<String> =
                scores.iter().rev().map(|score| format!("{:+}", score.raw())).collect();
            format!("the score swings at depth {depth}: {}", scores.join(", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use chess::Position;

    use super::*;
    use crate::output::tests::Kept;

    fn line() -> Line {
        let position = Position::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1").unwrap();
        let castle = position.parse_san("O-O").unwrap();
        Line {
            multipv: 1,
            depth: 9,
            seldepth: 14,
            score: Score::from_cp(25),
            bound: Bound::Exact,
            pv: vec![castle],
            main_plies: 1,
        }
    }

    fn progress() -> Progress {
        let time = Duration::from_millis(250);
        Progress { nodes: 5000, time, hashfull: 12, tb_hits: 3 }
    }

    #[test]
    fn an_info_line_has_its_fields_in_the_usual_order() {
        let (display, curve) = (Display::default(), Curve::of(&Position::startpos()));
        let draw = Line { score: Score::DRAW, ..line() };
        assert_eq!(
            display.info(&draw, &progress(), curve),
            "info depth 9 seldepth 14 multipv 1 score cp 0 nodes 5000 nps 20000 hashfull 12 \
             tbhits 3 time 250 pv e1g1"
        );
        let display = Display { castling: Castling::KingTakesRook, show_wdl: true };
        let bounded = Line { bound: Bound::Lower, score: Score::mate_in(3), ..line() };
        assert_eq!(
            display.info(&bounded, &progress(), curve),
            "info depth 9 seldepth 14 multipv 1 score mate 2 lowerbound wdl 1000 0 0 nodes 5000 \
             nps 20000 hashfull 12 tbhits 3 time 250 pv e1h1"
        );
    }

    #[test]
    fn speed_is_whole_and_never_divides_by_zero() {
        assert_eq!(per_second(7, Duration::ZERO), 7_000_000);
        assert_eq!(per_second(u64::MAX, Duration::ZERO), u64::MAX);
        assert_eq!(per_second(1000, Duration::from_secs(2)), 500);
    }

    #[test]
    fn a_final_line_already_written_is_not_repeated() {
        let outcome = Outcome {
            best_move: Some(line().pv[0]),
            ponder_move: None,
            lines: vec![line()],
            score: line().score,
            progress: progress(),
            statistics: None,
            failed_threads: 0,
        };
        for (reported, expected) in [(line(), 2), (Line { depth: 8, ..line() }, 3)] {
            let kept = Kept::default();
            let output = Output::new(kept.clone());
            let curve = Curve::of(&Position::startpos());
            let mut printer = Printer::new(&output, Display::default(), curve);
            printer.report(&Report::Line(reported, progress()));
            printer.finish(&outcome);
            assert_eq!(kept.writes().len(), expected, "{}", kept.text());
            assert!(kept.text().ends_with("bestmove e1g1\n"));
        }
    }
}
