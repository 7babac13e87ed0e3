//! Puzzles as games, rows and EPD lines.

use review::{GameTree, Judgement, Ply, write_pgn};

use super::csv::quoted;
use crate::record::{PuzzleRecord, PuzzlesRecord};

/// The columns of Lichess's puzzle file.
pub(super) const PUZZLE_HEAD: &str = "PuzzleId,FEN,Moves,Rating,RatingDeviation,Popularity,NbPlays,Themes,\
                           GameUrl,OpeningTags\n";

fn theme_names(puzzle: &PuzzleRecord) -> String {
    puzzle.themes.iter().map(|motif| motif.name()).collect::<Vec<_>>().join(" ")
}

/// How far the estimate of a puzzle's rating may be off; nobody has played it yet.
const RATING_DEVIATION: u32 = 500;

pub(super) fn puzzle_csv(game: &PuzzlesRecord, puzzle: &PuzzleRecord) -> String {
    let site = quoted(game.tags.get("Site").map_or("", String::as_str));
    let PuzzleRecord { id, fen, moves, rating, .. } = puzzle;
    let themes = theme_names(puzzle);
    format!("{id},{fen},{moves},{rating},{RATING_DEVIATION},0,0,{themes},{site},\n")
}

/// The position to solve with its best move, the solution and the motifs.
pub(super) fn puzzle_epd(puzzle: &PuzzleRecord) -> String {
    let Some((mut position, moves)) = solution(puzzle) else { return String::new() };
    position.make(moves[0]);
    let fen = position.to_fen();
    let fields: Vec<&str> = fen.split(' ').take(4).collect();
    let mut solution = puzzle.san.split(' ').skip(1);
    let best = solution.next().unwrap_or_default();
    let pv = std::iter::once(best).chain(solution).collect::<Vec<_>>().join(" ");
    let themes = theme_names(puzzle);
    let (fields, id, rating) = (fields.join(" "), &puzzle.id, puzzle.rating);
    format!("{fields} bm {best}; pv {pv}; id \"{id}\"; c0 \"{themes}\"; c1 \"rating {rating}\";\n")
}

fn solution(puzzle: &PuzzleRecord) -> Option<(chess::Position, Vec<chess::Move>)> {
    let start = chess::Position::from_fen(&puzzle.fen).ok()?;
    let mut position = start;
    let mut moves = Vec::new();
    for word in puzzle.moves.split(' ') {
        let mv = position.parse_uci(word).ok()?;
        position.make(mv);
        moves.push(mv);
    }
    (!moves.is_empty()).then_some((start, moves))
}

/// A game that begins before the mistake: the mistake with its glyph, if it was one, then the solution.
pub(super) fn puzzle_pgn(game: &PuzzlesRecord, puzzle: &PuzzleRecord) -> String {
    let Some((start, moves)) = solution(puzzle) else { return String::new() };
    let mut tree = GameTree::new(start);
    for (name, value) in &game.tags {
        tree.set_tag(name, value.clone());
    }
    tree.set_tag("PuzzleId", puzzle.id.clone());
    tree.set_tag("Themes", theme_names(puzzle));
    tree.set_tag("Rating", puzzle.rating.to_string());
    tree.main.plies = moves.into_iter().map(Ply::new).collect();
    if !puzzle.no_mistake {
        tree.main.plies[0].nags.push(Judgement::Blunder.nag());
    }
    write_pgn(&tree)
}
