//! Games on paper: from PGN to the moves that the page shows, and from the engine's looks at its
//! positions to a reviewed game.

use std::collections::BTreeMap;

use chess::{Move, Position, chess960};
use engine::Game;
use review::{
    BestLine, Eval, GameTree, Line, Look, RawGame, Splitter, annotate, judge, read, write_pgn,
};

use crate::protocol::{Answer, Heading, Judged, MAX_GAMES, MAX_PLIES, Paper, PaperMove, Score};
use crate::rules::step;
use crate::task::Task;
use crate::view::View;

/// Moves of a better line that go into the annotated game.
const LINE_PLIES: usize = 12;
/// Nodes for each position of a review.
const NODES: std::ops::RangeInclusive<u64> = 1_000..=2_000_000;

/// The games of a text, one after the other.
fn games(pgn: &str) -> impl Iterator<Item = RawGame> {
    let mut splitter = Splitter::new(pgn.as_bytes());
    // Reading from memory cannot fail.
    std::iter::from_fn(move || splitter.next_game().ok().flatten())
}

/// Lists the games of a text that can be read, and counts those that there is no room for.
pub(crate) fn headings(pgn: &str) -> (Vec<Heading>, u64) {
    let mut list = Vec::new();
    let mut left_out = 0;
    for raw in games(pgn) {
        if list.len() == MAX_GAMES {
            left_out += 1;
        } else if let (Some(game), _) = read(&raw) {
            list.push(heading(raw.number, &game));
        }
    }
    (list, left_out)
}

fn heading(number: u64, game: &GameTree) -> Heading {
    // What nobody knows is written as question marks.
    let tag = |name| game.tag(name).filter(|value| value.contains(|c| c != '?' && c != '.'));
    let text = |name| tag(name).unwrap_or_default().to_owned();
    Heading {
        number,
        white: text("White"),
        black: text("Black"),
        event: text("Event"),
        date: text("Date"),
        result: game.result.text(),
        plies: game.main.plies.len(),
    }
}

/// Reads a game of a text, with what is wrong with it.
///
/// # Errors
/// If there is no such game in it, for people.
fn read_game(pgn: &str, number: u64) -> Result<(GameTree, Vec<String>), String> {
    let raw = games(pgn).find(|raw| raw.number == number).ok_or_else(|| match number {
        1 => String::from("there is no game in this text"),
        _ => format!("there is no game {number} in this text"),
    })?;
    let (game, faults) = read(&raw);
    let mut problems: Vec<String> =
        faults.iter().map(|fault| format!("line {}: {}", fault.line, fault.kind)).collect();
    match game {
        Some(game) if game.main.plies.len() > MAX_PLIES => {
            Err(format!("a game may have {MAX_PLIES} half-moves at most"))
        }
        Some(game) if game.main.plies.is_empty() && !problems.is_empty() => {
            Err(format!("this is not a game in PGN: {}", problems.swap_remove(0)))
        }
        Some(game) => Ok((game, problems)),
        None if problems.is_empty() => Err("there is no game in this text".into()),
        None => Err(problems.swap_remove(0)),
    }
}

/// Reads a game for the page.
///
/// # Errors
/// If there is no game in the text, for people.
pub(crate) fn paper(pgn: &str, number: u64) -> Result<Paper, String> {
    let (game, problems) = read_game(pgn, number)?;
    Ok(on_paper(&game, problems))
}

fn on_paper(game: &GameTree, problems: Vec<String>) -> Paper {
    let mut moves = Vec::new();
    flatten(&game.main, game.start, None, &mut moves);
    let start = game.start;
    let number = (0..960).find(|&number| number != 518 && chess960(number) == start);
    let headers: BTreeMap<String, String> = game
        .tags
        .iter()
        .filter(|(name, _)| !matches!(name.as_str(), "FEN" | "SetUp" | "Variant"))
        .cloned()
        .collect();
    Paper { start_fen: start.to_fen(), chess960: number, headers, moves, problems }
}

/// Writes the moves of a line one after the other, each with the place of the move before it.
fn flatten(
    line: &Line,
    mut position: Position,
    mut parent: Option<usize>,
    moves: &mut Vec<PaperMove>,
) {
    for ply in &line.plies {
        let before = position;
        let made = step(&mut position, ply.mv);
        let place = moves.len();
        let (nags, comment) = (ply.nags.clone(), ply.comments.join(" "));
        moves.push(PaperMove { parent, step: made, nags, comment });
        for variation in &ply.variations {
            flatten(variation, before, parent, moves);
        }
        parent = Some(place);
    }
}

/// A game that is being reviewed, position by position.
pub(crate) struct Reviewing {
    pub(crate) id: u32,
    nodes: u64,
    tree: GameTree,
    /// The game at each of its positions.
    games: Vec<Game>,
    /// The looks, the last position first: what is learned at the end of a game helps to understand
    /// how it came there.
    looks: Vec<Look>,
}

impl Reviewing {
    /// Begins to review a game.
    ///
    /// # Errors
    /// If there is no game in the text, for people.
    pub(crate) fn new(id: u32, pgn: &str, nodes: u64) -> Result<Self, String> {
        let (tree, _) = read_game(pgn, 1)?;
        if tree.main.plies.is_empty() {
            return Err("there is no move to review".into());
        }
        let mut games = vec![Game::new(tree.start)];
        for ply in &tree.main.plies {
            let mut next = games[games.len() - 1].clone();
            next.play(ply.mv);
            games.push(next);
        }
        let nodes = nodes.clamp(*NODES.start(), *NODES.end());
        Ok(Self { id, nodes, tree, games, looks: Vec::new() })
    }

    /// The index of the position that is looked at next.
    fn next(&self) -> Option<usize> {
        (self.games.len() - self.looks.len()).checked_sub(1)
    }

    /// The search that is to be done next. Positions in which the game is over need none.
    pub(crate) fn next_task(&mut self) -> Option<Task> {
        while let Some(index) = self.next() {
            let game = &self.games[index];
            let Some(eval) = Eval::of_end(game.position()) else {
                return Some(Task::review(game.clone(), self.nodes));
            };
            let wdl = match eval.white_chance() {
                chance if chance > 0.9 => [1000, 0, 0],
                chance if chance < 0.1 => [0, 0, 1000],
                _ => [0, 1000, 0],
            };
            self.looks.push(Look { eval, wdl, depth: 0, nodes: 0, lines: Vec::new() });
        }
        None
    }

    /// Takes in what a search has found, and says how far the review is.
    pub(crate) fn take(&mut self, view: &View) -> Option<Answer> {
        let index = self.next()?;
        let position = *self.games[index].position();
        let found = view.found();
        let best = found.first()?;
        let lines = found.iter().map(|line| BestLine {
            eval: Eval::new(&position, line.score),
            moves: line.pv.clone(),
        });
        let (score, wdl) = view.score(best.score);
        self.looks.push(Look {
            eval: Eval::new(&position, best.score),
            wdl,
            depth: best.depth,
            nodes: view.nodes(),
            lines: lines.collect(),
        });
        let (done, total) = (self.looks.len(), self.games.len());
        Some(Answer::Progress { id: self.id, done, total, ply: index, score, wdl })
    }

    /// The reviewed game.
    pub(crate) fn result(mut self) -> Answer {
        self.looks.reverse();
        let review = judge(&self.tree, &self.looks, 0);
        let annotated = annotate(&self.tree, &self.looks, &review, LINE_PLIES);
        let positions = self.tree.positions();
        let plies = review.plies.iter().enumerate().map(|(index, ply)| {
            let (before, after) = (&self.looks[index], &self.looks[index + 1]);
            let san = |mv: Move| positions[index].to_san(mv);
            Judged {
                loss: ply.loss,
                accuracy: ply.accuracy,
                judgement: ply.judgement,
                best: before.best_move().map(san),
                score: shown(after.eval),
                wdl: after.wdl,
                depth: after.depth,
            }
        });
        Answer::Reviewed {
            id: self.id,
            plies: plies.collect(),
            white: review.white,
            black: review.black,
            pgn: write_pgn(&annotated),
            game: Box::new(on_paper(&annotated, Vec::new())),
        }
    }
}

/// A score as the page writes it; none where the game is over.
fn shown(eval: Eval) -> Option<Score> {
    match eval {
        Eval::Cp(cp) => Some(Score::Cp(cp)),
        Eval::Mate(moves) => Some(Score::Mate(moves)),
        Eval::Over(_) => None,
    }
}
