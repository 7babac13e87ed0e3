//! Writes into a game what the engine thinks of it.

use chess::{Color, Position};

use crate::analysis::{BestLine, PositionAnalysis};
use crate::eval::Eval;
use crate::judge::{Judgement, Review};
use crate::tree::{GameTree, Line, Ply};

/// The game with a score after every move, and, after those that were not good, a glyph and the
/// best lines with at most `line_plies` moves each. What others have written stays, but for scores;
/// a move that has a glyph keeps it.
#[must_use]
pub fn annotate(
    tree: &GameTree,
    looks: &[PositionAnalysis],
    review: &Review,
    line_plies: usize,
) -> GameTree {
    let mut tree = tree.clone();
    let positions = tree.positions();
    let plies = tree.main.plies.iter_mut().zip(&review.plies).zip(positions.iter().zip(looks));
    for (index, ((ply, review), (position, before))) in plies.enumerate() {
        for comment in &mut ply.comments {
            *comment = without_eval(comment);
        }
        ply.comments.retain(|comment| !comment.is_empty());
        let mut comment = match looks[index + 1].eval {
            Eval::Over(_) => String::new(),
            eval => format!("[%eval {eval}]"),
        };
        if let Some(judgement) = review.judgement {
            // What a person has said of the move stays.
            if !ply.nags.iter().any(|nag| (1..=6).contains(nag)) {
                ply.nags.insert(0, judgement.nag());
            }
            if let Some(words) = words(judgement, position, before) {
                comment = format!("{comment} {words}").trim_start().to_owned();
            }
            let others = before.lines.iter().filter(|line| line.moves.first().copied() != ply.mv);
            let lines: Vec<Line> =
                others.map(|line| variation(line, position, line_plies)).collect();
            ply.variations.splice(0..0, lines);
        }
        if !comment.is_empty() {
            ply.comments.insert(0, comment);
        }
    }
    tree
}

fn words(judgement: Judgement, position: &Position, before: &PositionAnalysis) -> Option<String> {
    let best = before.best_move()?;
    let dots = if position.side_to_move() == Color::White { "." } else { "..." };
    let (number, san) = (position.fullmove(), position.to_san(best));
    Some(format!("{}. {number}{dots} {san} was best.", judgement.name()))
}

/// The moves of a line, with its score behind the last.
fn variation(line: &BestLine, position: &Position, line_plies: usize) -> Line {
    let mut plies: Vec<Ply> =
        line.moves.iter().take(line_plies.max(1)).map(|&mv| Ply::new(mv)).collect();
    let mut end = *position;
    for ply in &plies {
        ply.play(&mut end);
    }
    if let Some(last) = plies.last_mut()
        && Eval::of_end(&end).is_none()
    {
        last.comments.push(format!("[%eval {}]", line.eval));
    }
    Line { comments: Vec::new(), plies }
}

/// A comment without the scores of others.
fn without_eval(comment: &str) -> String {
    let mut kept = String::new();
    let mut rest = comment;
    while let Some(start) = rest.find("[%eval") {
        kept.push_str(&rest[..start]);
        rest = rest[start..].find(']').map_or("", |end| &rest[start + end + 1..]);
    }
    kept.push_str(rest);
    kept.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_of_others_are_taken_out_and_the_rest_stays() {
        assert_eq!(without_eval("[%eval 0.17] [%clk 0:10:00]"), "[%clk 0:10:00]");
        assert_eq!(without_eval("good [%eval #3] move"), "good move");
        assert_eq!(without_eval("[%eval 1"), "");
        assert_eq!(without_eval("plain"), "plain");
    }
}
