//! Openings for matches and training games.

use std::fs;
use std::path::Path;

use chess::Position;

use crate::Error;
use crate::rng::{Rng, hash_bytes};

/// Random plies of an opening without a book.
const RANDOM_PLIES: usize = 8;
/// The largest difference of material, in pawns, of an opening without a book.
const FAIR_MATERIAL: i32 = 1;

/// Openings in a random order that depends on a seed alone.
#[derive(Debug)]
pub struct Book {
    openings: Vec<String>,
    seed: u64,
}

impl Book {
    /// The openings of an EPD or FEN file.
    ///
    /// # Errors
    /// If it cannot be read or a line is not a position.
    pub fn open(path: &Path, seed: u64) -> Result<Self, Error> {
        let text = fs::read_to_string(path).map_err(Error::file(path))?;
        let mut openings = Vec::new();
        for (index, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let position = Position::from_fen(line)
                .map_err(|error| Error::content(path, format!("line {}: {error}", index + 1)))?;
            openings.push(position.to_fen());
        }
        if openings.is_empty() {
            return Err(Error::content(path, "there is no opening in it"));
        }
        Rng::new(seed).shuffle(&mut openings);
        Ok(Self { openings, seed })
    }

    /// Openings of random moves.
    #[must_use]
    pub fn random(seed: u64) -> Self {
        Self { openings: Vec::new(), seed }
    }

    /// A start position of the book, picked at random; none if the book has no positions.
    pub fn pick(&self, rng: &mut Rng) -> Option<Position> {
        let fen = self.openings.get(rng.below(self.openings.len()))?;
        Position::from_fen(fen).ok()
    }

    /// A number that tells books apart.
    #[must_use]
    pub fn fingerprint(&self) -> u64 {
        hash_bytes(self.openings.join("\n").as_bytes()) ^ self.seed
    }

    /// The opening of the pair with this number. A book that is used up starts over.
    #[must_use]
    pub fn opening(&self, number: usize) -> String {
        if !self.openings.is_empty() {
            return self.openings[number % self.openings.len()].clone();
        }
        let mut rng = Rng::derived(self.seed, number as u64);
        loop {
            let mut position = Position::startpos();
            for _ in 0..RANDOM_PLIES {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                position.make(moves[rng.below(moves.len())]);
            }
            if position.outcome().is_none() && balance(&position).abs() <= FAIR_MATERIAL {
                return position.to_fen();
            }
        }
    }
}

fn balance(position: &Position) -> i32 {
    use chess::{Color, PieceType};
    let worth = [1, 3, 3, 5, 9];
    let kinds =
        [PieceType::Pawn, PieceType::Knight, PieceType::Bishop, PieceType::Rook, PieceType::Queen];
    let count = |color| -> i32 {
        kinds
            .iter()
            .zip(worth)
            .map(|(&kind, worth)| worth * position.board().pieces(color, kind).count() as i32)
            .sum()
    };
    count(Color::White) - count(Color::Black)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_openings_are_legal_fair_and_repeat_themselves() {
        let book = Book::random(5);
        for number in 0..50 {
            let fen = book.opening(number);
            assert_eq!(fen, Book::random(5).opening(number));
            let position = Position::from_fen(&fen).unwrap();
            assert!(position.has_legal_move() && balance(&position).abs() <= FAIR_MATERIAL);
        }
        assert_ne!(book.opening(0), Book::random(6).opening(0));
    }

    #[test]
    fn a_book_is_shuffled_by_its_seed_and_a_wrong_line_refused() {
        let path = std::env::temp_dir().join(format!("halcyon-book-{}.epd", std::process::id()));
        let mut lines: Vec<String> =
            (0..20).map(|number| Book::random(1).opening(number)).collect();
        fs::write(&path, lines.join("\n")).unwrap();
        let book = Book::open(&path, 3).unwrap();
        let mut read: Vec<String> = (0..20).map(|number| book.opening(number)).collect();
        assert_ne!(read, lines);
        assert_eq!(book.opening(20), book.opening(0));
        read.sort();
        lines.sort();
        assert_eq!(read, lines);
        fs::write(&path, "nonsense").unwrap();
        assert!(Book::open(&path, 3).is_err());
        fs::remove_file(&path).unwrap();
    }
}
