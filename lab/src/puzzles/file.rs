//! Files with the columns of Lichess's puzzle file.

use std::path::Path;

use chess::{Move, Position};

use crate::Error;

/// One puzzle of the file.
#[derive(Clone, Debug)]
pub struct Puzzle {
    /// Its name at Lichess.
    pub id: String,
    /// The position before the mistake.
    pub start: Position,
    /// The mistake and the solution after it.
    pub moves: Vec<Move>,
    /// How hard it is for people.
    pub rating: f64,
    /// What Lichess's users call its motifs.
    pub themes: Vec<String>,
}

/// Reads a file with at least the columns `PuzzleId`, `FEN`, `Moves`, `Rating` and `Themes`.
///
/// # Errors
/// If it cannot be read, a column is missing, or a line is no puzzle.
pub fn read(path: &Path) -> Result<Vec<Puzzle>, Error> {
    let text = std::fs::read_to_string(path).map_err(Error::file(path))?;
    parse(&text).map_err(|reason| Error::content(path, reason))
}

fn parse(text: &str) -> Result<Vec<Puzzle>, String> {
    let mut lines = text.lines().enumerate();
    let (_, head) = lines.next().ok_or("the file is empty")?;
    let names: Vec<&str> = head.trim_start_matches('\u{feff}').split(',').collect();
    let column = |name: &str| {
        names.iter().position(|known| *known == name).ok_or(format!("no column {name}"))
    };
    let columns = [
        column("PuzzleId")?,
        column("FEN")?,
        column("Moves")?,
        column("Rating")?,
        column("Themes")?,
    ];
    lines
        .filter(|(_, line)| !line.trim().is_empty())
        .map(|(number, line)| {
            let cells: Vec<&str> = line.split(',').collect();
            let cell = |index: usize| cells.get(columns[index]).copied().unwrap_or_default();
            puzzle([cell(0), cell(1), cell(2), cell(3), cell(4)])
                .map_err(|reason| format!("line {}: {reason}", number + 1))
        })
        .collect()
}

fn puzzle([id, fen, moves, rating, themes]: [&str; 5]) -> Result<Puzzle, String> {
    let start = Position::from_fen(fen).map_err(|error| error.to_string())?;
    let mut position = start;
    let mut played = Vec::new();
    for word in moves.split_whitespace() {
        let mv = position.parse_uci(word).map_err(|error| format!("{word}: {error}"))?;
        position.make(mv);
        played.push(mv);
    }
    if played.len() < 2 {
        return Err(String::from("no solution"));
    }
    Ok(Puzzle {
        id: id.to_owned(),
        start,
        moves: played,
        rating: rating.parse().map_err(|_| format!("{rating:?} is no rating"))?,
        themes: themes.split_whitespace().map(str::to_owned).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_found_by_name_and_damage_is_reported_with_its_line() {
        let text = "FEN,PuzzleId,Moves,Rating,Themes\n\
                    6k1/5ppp/8/8/8/8/5PPP/R5K1 b - - 0 1,abc,g8h8 a1a8,600,mate mateIn1\n";
        let puzzles = parse(text).unwrap();
        assert_eq!((puzzles[0].id.as_str(), puzzles[0].moves.len()), ("abc", 2));
        assert_eq!(puzzles[0].themes, ["mate", "mateIn1"]);
        assert!(parse("FEN,Moves\n").unwrap_err().contains("PuzzleId"));
        let wrong = text.replace("a1a8", "a1b8");
        assert!(parse(&wrong).unwrap_err().starts_with("line 2"), "{:?}", parse(&wrong));
        assert!(parse("").is_err());
    }
}
