//! Attacks on the king.

use chess::{Bitboard, Color, File, PieceType, Rank, Square, attacks};

use super::line::ForcedLine;
use super::worth::king;
use super::{Finding, Motif};

/// With fewer pieces than this on the board it is no attack on a castled king any more.
const KINGSIDE_PIECES: u32 = 20;
const QUEENSIDE_PIECES: u32 = 18;
/// Squares from the corner within which a capture tears the king's shelter open.
const NEAR: usize = 3;
/// Squares from the corner beyond which a move is not about the king.
const FAR: usize = 5;

pub(super) fn find(line: &ForcedLine, found: &mut Vec<Finding>) {
    let them = king(line.start().board(), line.them());
    if is_exposed(line) {
        found.push(Finding::new(Motif::ExposedKing, 0, vec![them]));
    }
    found.extend(line.own().find_map(|ply| attacking_f2_f7(line, ply)));
    let castled = |corner, files: &[File], pieces| is_attack(line, corner, files, pieces);
    if castled(File::H, &[File::G, File::H], KINGSIDE_PIECES) {
        found.push(Finding::new(Motif::KingsideAttack, 0, vec![them]));
    }
    if castled(File::A, &[File::A, File::B, File::C], QUEENSIDE_PIECES) {
        found.push(Finding::new(Motif::QueensideAttack, 0, vec![them]));
    }
    let castles = |&ply: &usize| line.moves()[ply].is_castle();
    let castling = line.own().find(castles);
    found.extend(castling.map(|ply| Finding::new(Motif::Castling, ply, vec![line.moved(ply)])));
}

/// The king stands on its first three ranks with no own pawn beside or before it, and is checked on the
/// way, neither only at the first nor only at the last move.
fn is_exposed(line: &ForcedLine) -> bool {
    let board = line.start().board();
    let square = board.king(line.them());
    let rank = square.relative_to(line.them()).rank();
    let behind: Bitboard = match rank {
        Rank::R1 => Bitboard::EMPTY,
        _ => attacks::king(square) & Bitboard::rank(square.forward(line.us()).rank()),
    };
    let shelter = attacks::king(square).minus(behind);
    let own: Vec<usize> = line.own().collect();
    let middle = own.get(1..own.len().saturating_sub(1)).unwrap_or_default();
    rank <= Rank::R3
        && !shelter.meets(board.pieces(line.them(), PieceType::Pawn))
        && middle.iter().any(|&ply| line.gives_check(ply))
}

/// Something is taken on f2 or f7 while the king stands beside it on its first square.
fn attacking_f2_f7(line: &ForcedLine, ply: usize) -> Option<Finding> {
    let (target, home) = match line.them() {
        Color::White => (Square::F2, Square::E1),
        Color::Black => (Square::F7, Square::E8),
    };
    let stands = line.board_after(ply).king(line.them()) == home;
    let taken = line.captured_piece(ply).filter(|taken| taken.square == target && stands)?;
    Some(Finding::new(Motif::AttackingF2F7, ply, vec![line.moved(ply), taken]))
}

/// The king stands on its first rank near a corner with many pieces on the board, it is checked, and
/// checks and captures near the corner outweigh moves elsewhere.
fn is_attack(line: &ForcedLine, corner: File, files: &[File], pieces: u32) -> bool {
    let board = line.start().board();
    let king = board.king(line.them());
    let home = Rank::R1.relative_to(line.them());
    let is_castled = king.rank() == home && files.contains(&king.file());
    if !is_castled || board.occupied().count() < pieces {
        return false;
    }
    let corner = Square::new(corner, home);
    let mut weight = 0;
    let mut checks = 0;
    for ply in line.own() {
        let distance = line.to(ply).distance(corner);
        checks += i32::from(line.gives_check(ply));
        if line.captured(ply).is_some() && distance <= NEAR {
            weight += 1;
        } else if distance >= FAR {
            weight -= 1;
        }
    }
    checks > 0 && weight + checks >= 2
}
