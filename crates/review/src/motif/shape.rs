//! The length of a line and the part of the game it is from.

use chess::{Board, Color, PieceType};

use super::line::ForcedLine;
use super::{Finding, Motif};

/// No more pieces than this, and it is an endgame. Neither kings nor pawns count.
const ENDGAME_PIECES: u32 = 6;
/// No more than this, and the opening is over.
const MIDDLEGAME_PIECES: u32 = 10;
/// With fewer own pieces on its first rank a side has left the opening.
const BACK_RANK: u32 = 4;

pub(super) fn find(line: &ForcedLine, found: &mut Vec<Finding>) {
    let mut whole = |motif| found.push(Finding::new(motif, 0, Vec::new()));
    let own = line.own().count();
    match own {
        0 => return,
        1 => whole(Motif::OneMove),
        2 => whole(Motif::Short),
        3 => whole(Motif::Long),
        _ => whole(Motif::VeryLong),
    }
    if line.is_mate() {
        whole(Motif::Mate);
        whole(match own {
            1 => Motif::MateIn1,
            2 => Motif::MateIn2,
            3 => Motif::MateIn3,
            4 => Motif::MateIn4,
            _ => Motif::MateIn5,
        });
    }
    whole(phase(line.start().board()));
    // An endgame of one kind stays one after the first move.
    let (start, next) = (endgame(line.start().board()), endgame(line.board_after(0)));
    if let Some(kind) = start.filter(|_| start == next) {
        whole(kind);
    }
}

/// The part of the game by what is on the board: few pieces are an endgame; many, nearly all of them
/// at home, are an opening.
fn phase(board: &Board) -> Motif {
    let light = board.kind(PieceType::Pawn) | board.kind(PieceType::King);
    let pieces = board.occupied().minus(light).count();
    let is_home = |color: Color| {
        let rank = chess::Rank::R1.relative_to(color);
        (board.color(color) & chess::Bitboard::rank(rank)).count() >= BACK_RANK
    };
    if pieces <= ENDGAME_PIECES {
        Motif::Endgame
    } else if pieces <= MIDDLEGAME_PIECES || !is_home(Color::White) || !is_home(Color::Black) {
        Motif::Middlegame
    } else {
        Motif::Opening
    }
}

/// The kind of endgame by the pieces beside kings and pawns.
fn endgame(board: &Board) -> Option<Motif> {
    let light = board.kind(PieceType::Pawn) | board.kind(PieceType::King);
    let pieces = board.occupied().minus(light);
    let only = |kinds: &[PieceType]| {
        let named = kinds.iter().fold(light, |set, &kind| set | board.kind(kind));
        board.occupied().minus(named).is_empty()
    };
    if pieces.is_empty() {
        return Some(Motif::PawnEndgame);
    }
    let kinds = [
        (PieceType::Knight, Motif::KnightEndgame),
        (PieceType::Bishop, Motif::BishopEndgame),
        (PieceType::Rook, Motif::RookEndgame),
        (PieceType::Queen, Motif::QueenEndgame),
    ];
    let single = kinds.into_iter().find(|&(kind, _)| only(&[kind])).map(|(_, motif)| motif);
    let queens = board.kind(PieceType::Queen).count();
    let mixed = only(&[PieceType::Queen, PieceType::Rook]) && queens == 1;
    single.or(mixed.then_some(Motif::QueenRookEndgame))
}
