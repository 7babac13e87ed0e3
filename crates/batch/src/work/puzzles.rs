//! The record of a game's puzzles: its mistakes that have one clearly best answer.

use chess::{Color, Position};
use review::{Analyst, GameTree, Ply, PuzzleRules, SCAN_PART, is_suspect, make_puzzles, suspects};

use super::game::read_selected;
use super::{Job, Work};
use crate::input::Item;
use crate::record::{
    FaultRecord, GameRecord, PASS, PlyRecord, PuzzleRecord, PuzzlesRecord, Record, source_tags,
};

pub(super) fn empty_puzzles(job: &Job, content: &Item) -> PuzzlesRecord {
    let (game, line) = match content {
        Item::Game(raw) => (raw.number, raw.line),
        Item::Reviewed(game) => (game.game, game.line),
        Item::Position { line, .. } => (0, *line),
    };
    PuzzlesRecord {
        item: job.item,
        file: job.file.to_string(),
        game,
        line,
        tags: Default::default(),
        moves: 0,
        nodes: 0,
        puzzles: Vec::new(),
        faults: Vec::new(),
    }
}

pub(super) fn puzzles_record(
    work: &Work<'_>,
    analyst: &mut Analyst,
    job: &Job,
    content: &Item,
) -> Option<Record> {
    let mut record = empty_puzzles(job, content);
    let mut fault = |line, text: &str| {
        record.faults.push(FaultRecord { line, text: text.to_owned() });
    };
    // The game, and whether a puzzle may begin with each of its moves.
    let scanned: Option<(GameTree, Vec<bool>)> = match content {
        Item::Game(raw) => {
            let (tree, faults) = read_selected(work, raw)?;
            record.faults = faults;
            tree.map(|tree| {
                analyst.set_limits(work.budget.part(SCAN_PART).limits());
                let looks = analyst.looks(&tree, |_| true).unwrap_or_default();
                record.nodes = looks.iter().map(|look| look.nodes).sum();
                let suspects = suspects(&tree, &looks, work.selection.skipped_plies());
                (tree, suspects)
            })
        }
        Item::Reviewed(game) => {
            let read = reviewed_game(game);
            if read.is_none() {
                fault(game.line, "the record is damaged; the game is left out");
            }
            read
        }
        Item::Position { line, .. } => {
            fault(*line, "a position without the move before it is no puzzle");
            None
        }
    };
    if let Some((tree, suspects)) = scanned {
        let tags = tree.tags.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        record.tags = source_tags(tags);
        record.moves = tree.main.plies.len() as u64;
        analyst.set_limits(work.budget.limits());
        for (_, puzzle) in make_puzzles(analyst, &tree, &suspects, &PuzzleRules::default()) {
            record.nodes += puzzle.nodes;
            record.puzzles.push(PuzzleRecord::from(&puzzle));
        }
    }
    Some(Record::Puzzles(Box::new(record)))
}

/// The game of a record, and whether a puzzle may begin with each of its moves.
fn reviewed_game(game: &GameRecord) -> Option<(GameTree, Vec<bool>)> {
    let start =
        game.plies.first().map_or(Ok(Position::startpos()), |ply| Position::from_fen(&ply.fen));
    let mut position = start.ok()?;
    let mut tree = GameTree::new(position);
    tree.tags = game.tags.clone().into_iter().collect();
    tree.result = game.result;
    for ply in &game.plies {
        let ply = match ply.uci.as_str() {
            PASS => Ply::pass(),
            text => Ply::new(position.parse_uci(text).ok()?),
        };
        ply.play(&mut position);
        tree.main.plies.push(ply);
    }
    let suspect = |ply: &PlyRecord| {
        let mover = if ply.white { Color::White } else { Color::Black };
        // Records have percents.
        !ply.book && is_suspect(ply.loss / 100.0, ply.eval, mover)
    };
    Some((tree, game.plies.iter().map(suspect).collect()))
}
