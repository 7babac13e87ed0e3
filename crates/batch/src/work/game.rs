//! The record of a game: every move judged, mistakes explained.

use engine::Game;
use review::{
    Analyst, GameTree, PositionAnalysis, RawGame, annotate, explain, judge, play_or_pass,
    read_with_passes, write_pgn,
};

use super::{Job, Work};
use crate::record::{
    ClauseRecord, FaultRecord, GameRecord, OpeningRecord, PlyRecord, Record, ply_records,
    rounded_side,
};

pub(super) fn empty_game(job: &Job, raw: &RawGame) -> GameRecord {
    GameRecord {
        item: job.item,
        file: job.file.to_string(),
        game: raw.number,
        line: raw.line,
        tags: Default::default(),
        result: Default::default(),
        opening: None,
        start: None,
        plies: Vec::new(),
        white: Default::default(),
        black: Default::default(),
        faults: Vec::new(),
        pgn: String::new(),
    }
}

/// Reads a game that is to be looked at. One that cannot be read is reported if nothing is asked of
/// its tags.
pub(super) fn read_selected(
    work: &Work<'_>,
    raw: &RawGame,
) -> Option<(Option<GameTree>, Vec<FaultRecord>)> {
    let (tree, faults) = read_with_passes(raw);
    let is_selected = match &tree {
        Some(tree) => work.selection.has_game(tree),
        None => work.selection.has_positions(),
    };
    is_selected.then(|| (tree, faults.iter().map(FaultRecord::from).collect()))
}

pub(super) fn game_record(
    work: &Work<'_>,
    analyst: &mut Analyst,
    job: &Job,
    raw: &RawGame,
) -> Option<Record> {
    let (tree, faults) = read_selected(work, raw)?;
    let mut record = GameRecord { faults, ..empty_game(job, raw) };
    if let Some(tree) = tree {
        record.tags = tree.tags.iter().cloned().collect();
        record.result = tree.result;
        record.opening = OpeningRecord::of(&tree);
        record.pgn = write_pgn(&tree);
        let looks = analyst.looks(&tree, |_| true).unwrap_or_default();
        if let [first, _, ..] = &looks[..] {
            let book_plies = work.book.map_or(0, |book| book.plies_of(&tree));
            let book_plies = book_plies.max(work.selection.skipped_plies());
            let review = judge(&tree, &looks, book_plies);
            record.start = Some(first.eval);
            record.plies = ply_records(&tree, &looks, &review);
            record.white = rounded_side(&review.white);
            record.black = rounded_side(&review.black);
            let mut annotated = annotate(&tree, &looks, &review, work.line_plies);
            for (index, text) in explain_mistakes(analyst, &tree, &looks, &mut record.plies) {
                let comments = &mut annotated.main.plies[index].comments;
                // In quotes, so that the board tells it apart from what people have written.
                let said = format!("Coach: \"{text}\"");
                match comments.first_mut() {
                    Some(first) => *first = format!("{first} {said}"),
                    None => comments.push(said),
                }
            }
            sign(&mut annotated, work.annotator);
            record.pgn = write_pgn(&annotated);
        }
    }
    Some(Record::Game(Box::new(record)))
}

/// Says of every move that was judged why it was bad, in its record; returns the words by index.
fn explain_mistakes(
    analyst: &mut Analyst,
    tree: &GameTree,
    looks: &[PositionAnalysis],
    plies: &mut [PlyRecord],
) -> Vec<(usize, String)> {
    let mut said = Vec::new();
    let mut game = Game::new(tree.start);
    for (index, (ply, record)) in tree.main.plies.iter().zip(plies).enumerate() {
        if record.judgement.is_some()
            && let Some(mv) = ply.mv
        {
            let known = Some((&looks[index], &looks[index + 1]));
            let explanation = explain(analyst, &game, mv, known);
            record.why = explanation.clauses.iter().map(ClauseRecord::from).collect();
            said.push((index, explanation.text()));
        }
        play_or_pass(&mut game, ply.mv);
    }
    said
}

/// A game that was analysed before stays as it is, but for its number here.
pub(super) fn reviewed_record(job: &Job, game: &GameRecord) -> Record {
    Record::Game(Box::new(GameRecord { item: job.item, ..game.clone() }))
}

/// Adds the engine to those who have annotated the game.
fn sign(tree: &mut GameTree, annotator: &str) {
    let value = match tree.tag("Annotator").map(str::trim) {
        None | Some("" | "?" | "-") => annotator.to_owned(),
        Some(known) if known.split("; ").any(|name| name == annotator) => return,
        Some(known) => format!("{known}; {annotator}"),
    };
    tree.set_tag("Annotator", value);
}
