//! Random numbers that give every position its key.

use crate::rng::Rng;
use crate::{File, Piece, Square};

struct Keys {
    pieces: [[u64; 64]; 12],
    castling: [u64; 64],
    en_passant: [u64; 8],
    side: u64,
}

const KEYS: Keys = {
    let mut rng = Rng::new(0x4861_6C63_796F_6E21);
    let mut keys = Keys { pieces: [[0; 64]; 12], castling: [0; 64], en_passant: [0; 8], side: 0 };
    let mut piece = 0;
    while piece < 12 {
        let mut square = 0;
        while square < 64 {
            keys.pieces[piece][square] = rng.next_u64();
            square += 1;
        }
        piece += 1;
    }
    let mut square = 0;
    while square < 64 {
        keys.castling[square] = rng.next_u64();
        square += 1;
    }
    let mut file = 0;
    while file < 8 {
        keys.en_passant[file] = rng.next_u64();
        file += 1;
    }
    keys.side = rng.next_u64();
    keys
};

static PIECES: [[u64; 64]; 12] = KEYS.pieces;
static CASTLING: [u64; 64] = KEYS.castling;

/// The number of a piece on a square.
#[inline]
pub(crate) const fn piece(piece: Piece, square: Square) -> u64 {
    PIECES[piece.index()][square.index()]
}

/// The number of the right to castle with the rook on `square`.
#[inline]
pub(crate) fn castling(square: Square) -> u64 {
    CASTLING[square.index()]
}

/// The number of a capture in passing on `file`.
#[inline]
pub(crate) fn en_passant(file: File) -> u64 {
    KEYS.en_passant[file.index()]
}

/// The number of Black being to move.
#[inline]
pub(crate) const fn side() -> u64 {
    KEYS.side
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_generator_is_the_published_one() {
        let mut rng = Rng::new(0);
        let numbers = [(); 3].map(|()| rng.next_u64());
        let published = [0xE220_A839_7B1D_CDAF, 0x6E78_9E6A_A1B9_65F4, 0x06C4_5D18_8009_454F];
        assert_eq!(numbers, published);
    }

    #[test]
    fn no_two_numbers_are_alike() {
        let pieces =
            Piece::ALL.into_iter().flat_map(|kind| Square::all().map(move |to| piece(kind, to)));
        let mut all: Vec<u64> = pieces.collect();
        all.extend(Square::all().map(castling));
        all.extend(File::ALL.map(en_passant));
        all.push(side());
        let count = all.len();
        all.push(0);
        all.sort_unstable();
        all.dedup();
        assert_eq!((count, all.len()), (12 * 64 + 64 + 8 + 1, count + 1));
    }
}
