//! Suites as files in the EPD format.

use std::path::Path;

use chess::{Move, Position};

use crate::Error;
use crate::paths;

/// What a task asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// One of these moves.
    Best(Vec<Move>),
    /// None of these moves.
    Avoid(Vec<Move>),
    /// A mate in so many moves; negative if the side to move is mated.
    Mate(i32),
    /// A score of so many centipawns for the side to move.
    Score(i32),
}

/// A position with a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// The name from `id`, or the number of the line.
    pub id: String,
    /// The position to solve.
    pub position: Position,
    /// What is asked for.
    pub wanted: Wanted,
    /// Points for moves, as graded suites give them in a comment ("f5=10, Be5+=2"). The best move
    /// has the most; a move that is not named has none.
    pub points: Vec<(Move, u32)>,
}

impl Task {
    /// The points for a move.
    #[must_use]
    pub fn points_for(&self, mv: Move) -> u32 {
        self.points.iter().find(|(graded, _)| *graded == mv).map_or(0, |(_, points)| *points)
    }

    /// The most points that an answer can get.
    #[must_use]
    pub fn most_points(&self) -> u32 {
        self.points.iter().map(|(_, points)| *points).max().unwrap_or(0)
    }

    /// Reads a line; `None` if it asks for nothing.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn parse(line: &str, number: usize) -> Result<Option<Self>, String> {
        let position = Position::from_fen(line).map_err(|error| error.to_string())?;
        let mut id = format!("#{number}");
        let mut wanted = None;
        let mut points = Vec::new();
        for (opcode, operand) in operations(line) {
            match opcode {
                "id" => operand.trim_matches('"').clone_into(&mut id),
                "bm" => wanted = Some(best(&position, operand)?),
                "am" if matches!(wanted, None | Some(Wanted::Score(_))) => {
                    wanted = Some(Wanted::Avoid(moves(&position, operand)?));
                }
                "dm" => wanted = Some(Wanted::Mate(distance(operand)?)),
                _ if is_comment(opcode) && points.is_empty() => points = grades(&position, operand),
                "ce" if wanted.is_none() => wanted = Some(Wanted::Score(centipawns(operand)?)),
                _ => {}
            }
        }
        Ok(wanted.map(|wanted| Self { id, position, wanted, points }))
    }
}

/// The operations of a line: opcode and operands.
fn operations(line: &str) -> impl Iterator<Item = (&str, &str)> {
    // Four fields of the position; the counters, if they are there, look like nothing known.
    let mut rest = line;
    for _ in 0..4 {
        rest = rest.trim_start();
        rest = rest.find(' ').map_or("", |end| &rest[end..]);
    }
    let mut quoted = false;
    let parts = rest.split(move |letter| {
        quoted ^= letter == '"';
        letter == ';' && !quoted
    });
    parts.filter_map(|part| {
        let words = part.trim().trim_start_matches(|letter: char| {
            letter.is_ascii_digit() || letter.is_ascii_whitespace()
        });
        words.split_once(' ').map(|(opcode, operand)| (opcode, operand.trim()))
    })
}

/// Whether it is one of the comments `c0` to `c9`.
fn is_comment(opcode: &str) -> bool {
    matches!(opcode.as_bytes(), [b'c', b'0'..=b'9'])
}

/// The points of a comment that grades moves; any other comment has none.
fn grades(position: &Position, comment: &str) -> Vec<(Move, u32)> {
    let grade = |text: &str| {
        // The last sign: a promotion has one of its own ("e8=Q=10").
        let (mv, points) = text.rsplit_once('=')?;
        let mv = position.parse_san(mv).or_else(|_| position.parse_uci(mv)).ok()?;
        Some((mv, points.parse().ok()?))
    };
    let words = comment.trim_matches('"').split([' ', ',']).filter(|word| !word.is_empty());
    words.map(grade).collect::<Option<_>>().unwrap_or_default()
}

fn best(position: &Position, operand: &str) -> Result<Wanted, String> {
    match operand.strip_prefix('#') {
        Some(number) => Ok(Wanted::Mate(distance(number)?)),
        None => Ok(Wanted::Best(moves(position, operand)?)),
    }
}

fn distance(operand: &str) -> Result<i32, String> {
    match operand.parse() {
        Ok(0) | Err(_) => Err(format!("{operand:?} is no distance to mate")),
        Ok(number) => Ok(number),
    }
}

fn centipawns(operand: &str) -> Result<i32, String> {
    operand.parse().map_err(|_| format!("{operand:?} is no number of centipawns"))
}

fn moves(position: &Position, operand: &str) -> Result<Vec<Move>, String> {
    let read = |text: &str| {
        position
            .parse_san(text)
            .or_else(|error| position.parse_uci(text).map_err(|_| error))
            .map_err(|error| format!("{text}: {error}"))
    };
    operand.split([' ', ',']).filter(|text| !text.is_empty()).map(read).collect()
}

/// Reads a suite. Lines that ask for nothing are left out.
///
/// # Errors
/// If the file cannot be read or a line is wrong.
pub fn read_suite(path: &Path) -> Result<Vec<Task>, Error> {
    let text = paths::read_text(path)?;
    let mut tasks = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let task = Task::parse(line, index + 1)
            .map_err(|reason| Error::content(path, format!("line {}: {reason}", index + 1)))?;
        tasks.extend(task);
    }
    if tasks.is_empty() {
        return Err(Error::content(
            path,
            "no line asks for a move, a mate or a score (bm, am, dm, ce)",
        ));
    }
    Ok(tasks)
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

    fn task(operations: &str) -> Task {
        Task::parse(&format!("{START} {operations}"), 7).unwrap().unwrap()
    }

    #[test]
    fn best_and_avoided_moves_are_read_in_either_notation() {
        let e4 = Position::startpos().parse_san("e4").unwrap();
        let nf3 = Position::startpos().parse_san("Nf3").unwrap();
        assert_eq!(task("bm e4 Nf3; id \"two; moves\";").wanted, Wanted::Best(vec![e4, nf3]));
        assert_eq!(task("bm e4 Nf3; id \"two; moves\";").id, "two; moves");
        assert_eq!(task("bm e2e4;").wanted, Wanted::Best(vec![e4]));
        assert_eq!(task("am e4; c0 \"x\";").wanted, Wanted::Avoid(vec![e4]));
        assert_eq!(task("am e4;").id, "#7");
    }

    #[test]
    fn mates_are_read_in_either_form_with_or_without_counters() {
        assert_eq!(task("dm 3; id \"a\";").wanted, Wanted::Mate(3));
        assert_eq!(task("bm #5; PV: e2e4;").wanted, Wanted::Mate(5));
        assert_eq!(task("0 1 bm #-2;").wanted, Wanted::Mate(-2));
    }

    #[test]
    fn a_score_is_asked_for_only_where_nothing_else_is() {
        assert_eq!(task("ce -35; acd 12;").wanted, Wanted::Score(-35));
        let e4 = Position::startpos().parse_san("e4").unwrap();
        assert_eq!(task("ce 12; bm e4;").wanted, Wanted::Best(vec![e4]));
        assert_eq!(task("am e4; ce 12;").wanted, Wanted::Avoid(vec![e4]));
    }

    #[test]
    fn comments_that_grade_moves_give_points() {
        let read = |san: &str| Position::startpos().parse_san(san).unwrap();
        let graded = task("bm e4; c0 \"e4=10, Nf3=7, a3=1\"; c9 \"e2e4=10\";");
        assert_eq!(graded.points, [(read("e4"), 10), (read("Nf3"), 7), (read("a3"), 1)]);
        assert_eq!(graded.most_points(), 10);
        assert_eq!((graded.points_for(read("Nf3")), graded.points_for(read("h3"))), (7, 0));
        assert_eq!(task("bm e4; c9 \"e2e4=10 g1f3=7\";").points.len(), 2);
        for plain in ["c0 \"x=y\";", "c0 \"e4=10 and more\";", "c0 \"\";", "c0 \"Qh5=3\";"] {
            assert_eq!(task(&format!("bm e4; {plain}")).points, [], "{plain}");
        }
        let line = "8/4P1k1/8/8/8/8/8/K7 w - - bm e8=Q; c0 \"e8=Q=10, e8=N=2\";";
        assert_eq!(Task::parse(line, 1).unwrap().unwrap().most_points(), 10);
    }

    #[test]
    fn a_wrong_line_is_refused_with_the_reason_and_one_that_asks_nothing_left_out() {
        let refusal =
            |operations: &str| Task::parse(&format!("{START} {operations}"), 1).unwrap_err();
        assert!(refusal("bm Qh5;").contains("Qh5"));
        assert!(refusal("dm zero;").contains("mate"));
        assert!(Task::parse("8/8/8/8/8/8/8/8 w - - bm e4;", 1).is_err());
        assert_eq!(Task::parse(&format!("{START} c0 \"only words\";"), 1), Ok(None));
    }
}
