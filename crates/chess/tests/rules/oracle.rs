//! The same position in `shakmaty`, and its answers in our types.

use chess::{Bitboard, Color, Move, Outcome, PieceType, Position, Rank};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, EnPassantMode, KnownOutcome, Position as _, Role};

/// What tells one legal move from another: from, to, promotion, and whether it captures, captures
/// in passing or castles.
pub(crate) type Signature = (usize, usize, Option<PieceType>, bool, bool, bool);

pub(crate) fn translate(position: &Position) -> Chess {
    let fen: Fen = position.to_shredder_fen().parse().expect("our FEN is well formed");
    fen.into_position(CastlingMode::Chess960).expect("our position is legal")
}

pub(crate) fn our_signature(mv: Move) -> Signature {
    (
        mv.from().index(),
        mv.to().index(),
        mv.promotion(),
        mv.is_capture(),
        mv.is_en_passant(),
        mv.is_castle(),
    )
}

pub(crate) fn their_signature(mv: shakmaty::Move) -> Signature {
    (
        usize::from(mv.from().expect("no drops in chess")),
        usize::from(mv.to()),
        mv.promotion().map(kind),
        mv.is_capture(),
        mv.is_en_passant(),
        mv.is_castle(),
    )
}

fn kind(role: Role) -> PieceType {
    match role {
        Role::Pawn => PieceType::Pawn,
        Role::Knight => PieceType::Knight,
        Role::Bishop => PieceType::Bishop,
        Role::Rook => PieceType::Rook,
        Role::Queen => PieceType::Queen,
        Role::King => PieceType::King,
    }
}

pub(crate) fn checkers(oracle: &Chess) -> Bitboard {
    Bitboard(oracle.checkers().0)
}

pub(crate) fn outcome(oracle: &Chess) -> Option<Outcome> {
    match oracle.outcome() {
        shakmaty::Outcome::Unknown => None,
        shakmaty::Outcome::Known(KnownOutcome::Draw) => Some(Outcome::Draw),
        shakmaty::Outcome::Known(KnownOutcome::Decisive { winner }) => {
            Some(Outcome::Win(if winner.is_white() { Color::White } else { Color::Black }))
        }
    }
}

pub(crate) fn fen(oracle: &Chess) -> String {
    Fen::from_position(oracle, EnPassantMode::Legal).to_string()
}

/// Shredder-FEN, which `shakmaty` reads but does not write: its FEN with the castling field
/// made from its set of rooks.
pub(crate) fn shredder_fen(oracle: &Chess) -> String {
    let rooks = Bitboard(oracle.castles().castling_rights().0);
    let letters = |rank: Rank| {
        let rooks = (rooks & Bitboard::rank(rank)).into_iter();
        rooks.map(|rook| rook.file().letter()).collect::<Vec<_>>().into_iter().rev()
    };
    let white = letters(Rank::R1).map(|letter| letter.to_ascii_uppercase());
    let mut field: String = white.chain(letters(Rank::R8)).collect();
    if field.is_empty() {
        field.push('-');
    }
    let fen = fen(oracle);
    let mut fields: Vec<&str> = fen.split(' ').collect();
    fields[2] = &field;
    fields.join(" ")
}
