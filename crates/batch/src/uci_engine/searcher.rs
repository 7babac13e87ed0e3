//! Another engine as the searcher of an analyst.

use chess::{Castling, Color, Move, Position};
use engine::wdl::Curve;
use engine::{Game, Limits, Score};
use review::{
    BestLine, Eval, Iteration, PositionAnalysis, SearchRequest, Searcher, Study, castling_form,
};

use super::info::{Shown, UciInfo, UciLine};
use super::process::UciEngine;
use crate::Error;
use crate::engines::Budget;

/// An engine and how it is set up.
#[derive(Clone, Debug)]
pub struct UciConfig {
    /// The command that starts it, with its arguments.
    pub command: String,
    /// Names and values of options that the user asks for.
    pub options: Vec<(String, String)>,
    /// Threads of a search.
    pub threads: usize,
    /// Transposition table in MiB.
    pub hash: usize,
    /// Folders with Syzygy tablebases.
    pub syzygy: Option<String>,
}

impl UciConfig {
    /// Starts the engine and sets it up.
    ///
    /// # Errors
    /// If it cannot be started, does not speak UCI, or lacks an option that was asked for.
    pub fn start(&self) -> Result<UciEngine, Error> {
        let mut engine = UciEngine::start(&self.command)?;
        // These help if they are there; an engine without them is none the worse.
        for (name, value) in [
            ("Threads", self.threads.to_string().as_str()),
            ("Hash", &self.hash.to_string()),
            ("UCI_AnalyseMode", "true"),
            ("UCI_ShowWDL", "true"),
        ] {
            engine.set_option(name, value)?;
        }
        let syzygy = self.syzygy.iter().map(|path| ("SyzygyPath", path.as_str()));
        let asked = self.options.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        for (name, value) in syzygy.chain(asked) {
            engine.check_option(name, value)?;
            if !engine.set_option(name, value)? {
                return Err(missing(&engine, name));
            }
        }
        engine.ready()?;
        Ok(engine)
    }
}

fn missing(engine: &UciEngine, option: &str) -> Error {
    Error::Request(format!("{}: the engine has no option {option}", engine.name()))
}

/// Searches with another engine. One that has failed is started again with the next game.
pub struct UciSearcher {
    config: UciConfig,
    engine: Result<UciEngine, String>,
    /// What the engine was told last.
    multipv: usize,
    is_chess960: bool,
}

impl UciSearcher {
    /// Starts the engine, which must be able to find so many lines at once.
    ///
    /// # Errors
    /// As [`UciConfig::start`].
    pub fn new(config: UciConfig, lines: usize) -> Result<Self, Error> {
        let mut engine = config.start()?;
        if lines > 1 {
            engine.check_option("MultiPV", &lines.to_string())?;
            if !engine.set_option("MultiPV", &lines.to_string())? {
                return Err(missing(&engine, "MultiPV"));
            }
        }
        Ok(Self { config, engine: Ok(engine), multipv: lines.max(1), is_chess960: false })
    }

    fn begin(&mut self) -> Result<(), Error> {
        if self.engine.is_err() {
            let engine = self.config.start()?;
            (self.engine, self.multipv, self.is_chess960) = (Ok(engine), 1, false);
        }
        match &mut self.engine {
            Ok(engine) => engine.new_game(),
            Err(reason) => Err(Error::Request(reason.clone())),
        }
    }

    fn ask(&mut self, game: &Game, request: &SearchRequest<'_>) -> Result<Study, Error> {
        let engine = self.engine.as_mut().map_err(|reason| Error::Request(reason.clone()))?;
        let (base, since) = game.reversible_part();
        let castling = castling_form(base);
        let is_chess960 = castling == Castling::KingTakesRook;
        if request.lines != self.multipv {
            if !engine.set_option("MultiPV", &request.lines.to_string())? {
                return Err(missing(engine, "MultiPV"));
            }
            self.multipv = request.lines;
        }
        if is_chess960 != self.is_chess960 {
            if !engine.set_option("UCI_Chess960", &is_chess960.to_string())? {
                return Err(missing(engine, "UCI_Chess960"));
            }
            self.is_chess960 = is_chess960;
        }
        let text = |moves: &[Move]| -> String {
            moves.iter().map(|mv| format!(" {}", mv.to_uci(castling))).collect()
        };
        let moves = if since.is_empty() { String::new() } else { format!(" moves{}", text(since)) };
        engine.tell(&format!("position fen {}{moves}", base.to_fen()))?;
        let only = match request.moves {
            [] => String::new(),
            moves => format!("searchmoves{}", text(moves)),
        };
        let position = game.position();
        let (mut info, mut history) = (UciInfo::default(), Vec::new());
        let best = engine.search(&only, budget(request.limits), |line| {
            if info.read(line) == Some(1)
                && let Some(found) = info.best()
                && let Some(&best) = found.legal_moves(position).first()
            {
                history.retain(|known: &Iteration| known.depth < found.depth);
                history.push(Iteration { depth: found.depth, nodes: info.nodes, best });
            }
            false
        })?;
        let best = position.parse_uci(&best).map_err(|_| {
            let reason = format!("{}: answers {best:?}, which is not legal", engine.name());
            Error::Request(reason)
        })?;
        Ok(Study { look: analysis(position, &info, best), history })
    }
}

impl Searcher for UciSearcher {
    fn new_game(&mut self) {
        if let Err(error) = self.begin() {
            self.engine = Err(error.to_string());
        }
    }

    fn search(&mut self, game: &Game, request: &SearchRequest<'_>) -> Result<Study, String> {
        self.ask(game, request).map_err(|error| {
            let reason = error.to_string();
            self.engine = Err(reason.clone());
            reason
        })
    }
}

/// Limits as they can be said to any engine.
fn budget(limits: &Limits) -> Budget {
    match (limits.nodes, limits.depth, limits.move_time) {
        (Some(nodes), _, _) => Budget::Nodes(nodes),
        (_, Some(depth), _) => Budget::Depth(depth.unsigned_abs().max(1)),
        (_, _, time) => Budget::Time(time.unwrap_or_default()),
    }
}

/// What the lines of a search come to. The move that the engine chose comes first.
fn analysis(position: &Position, info: &UciInfo, best: Move) -> PositionAnalysis {
    let mut lines: Vec<(&UciLine, Vec<Move>)> = info
        .lines
        .values()
        .map(|line| (line, line.legal_moves(position)))
        .filter(|(_, moves)| !moves.is_empty())
        .collect();
    // The number of the line decides, unless the engine answers with another move in the end.
    lines.sort_by_key(|(_, moves)| moves[0] != best);
    let told = lines.first().filter(|(_, moves)| moves[0] == best).map(|(line, _)| *line);
    let told = told.or_else(|| info.best());
    let score = told.map_or(Shown::Centipawns(0), |line| line.score);
    let mut found: Vec<BestLine> = lines
        .iter()
        .map(|(line, moves)| BestLine { eval: eval(position, line.score), moves: moves.clone() })
        .collect();
    if found.first().is_none_or(|line| line.moves[0] != best) {
        found.insert(0, BestLine { eval: eval(position, score), moves: vec![best] });
    }
    let chances = told.and_then(|line| line.wdl).unwrap_or_else(|| chances(position, score));
    let [win, draw, loss] = chances;
    let is_white = position.side_to_move() == Color::White;
    PositionAnalysis {
        eval: eval(position, score),
        wdl: if is_white { [win, draw, loss] } else { [loss, draw, win] },
        depth: told.map_or(0, |line| line.depth),
        nodes: info.nodes,
        lines: found,
    }
}

fn eval(position: &Position, score: Shown) -> Eval {
    let sign = if position.side_to_move() == Color::White { 1 } else { -1 };
    match score {
        Shown::Centipawns(centipawns) => Eval::Cp(sign * centipawns),
        Shown::Mate(moves) => Eval::Mate(sign * moves),
    }
}

/// The chances that Halcyon's own games give to such a score, for engines that do not tell theirs.
fn chances(position: &Position, score: Shown) -> [u32; 3] {
    let curve = Curve::of(position);
    let score = match score {
        Shown::Centipawns(centipawns) => curve.score_of(centipawns),
        Shown::Mate(1..) => Score::mate_in(1),
        Shown::Mate(_) => Score::mated_in(2),
    };
    let chances = curve.wdl(score);
    [chances.win, chances.draw, chances.loss]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_answer_leads_even_if_its_line_was_not_the_last_word() {
        let start = Position::startpos();
        let mv = |text: &str| start.parse_uci(text).unwrap();
        let mut info = UciInfo::default();
        info.read("info depth 5 multipv 1 score cp 20 nodes 90 pv e2e4 e7e5");
        info.read("info depth 5 multipv 2 score cp 10 nodes 99 pv d2d4");
        let look = analysis(&start, &info, mv("e2e4"));
        assert_eq!((look.eval, look.depth, look.nodes), (Eval::Cp(20), 5, 99));
        assert_eq!(look.lines.iter().map(|line| line.moves.len()).collect::<Vec<_>>(), [2, 1]);
        assert_eq!(look.wdl.iter().sum::<u32>(), 1000);
        let second = analysis(&start, &info, mv("d2d4"));
        assert_eq!((second.eval, second.best_move()), (Eval::Cp(10), Some(mv("d2d4"))));
        let other = analysis(&start, &info, mv("a2a3"));
        assert_eq!((other.best_move(), other.lines.len()), (Some(mv("a2a3")), 3));
        let silent = analysis(&start, &UciInfo::default(), mv("a2a3"));
        assert_eq!((silent.eval, silent.lines.len()), (Eval::Cp(0), 1));
    }

    #[test]
    fn scores_and_chances_are_turned_to_white() {
        let black = Position::from_fen("4k3/8/8/8/8/8/7q/4K3 b - - 0 1").unwrap();
        let mut info = UciInfo::default();
        info.read("info depth 9 score mate 4 wdl 1000 0 0 pv h2g2");
        let look = analysis(&black, &info, black.parse_uci("h2g2").unwrap());
        assert_eq!((look.eval, look.wdl), (Eval::Mate(-4), [0, 0, 1000]));
        assert_eq!(chances(&black, Shown::Mate(-2)), [0, 0, 1000]);
        assert_eq!(chances(&black, Shown::Mate(2)), [1000, 0, 0]);
    }
}
