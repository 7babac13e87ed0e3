//! The right move at the right time: moves in between, moves that make room, and moves that do
//! nothing loud.

use chess::{PieceType, geometry};

use super::line::ForcedLine;
use super::pawns::is_advanced;
use super::worth::{attackers, is_en_prise, is_slider, targets};
use super::{Finding, Motif};

/// With fewer legal moves than this nobody had to find the move.
const CHOICES: u32 = 3;

pub(super) fn find(line: &ForcedLine, found: &mut Vec<Finding>) {
    found.extend(line.later_own().find_map(|ply| intermezzo(line, ply)));
    found.extend(line.later_own().find_map(|ply| clearance(line, ply)));
    found.extend(line.own().find_map(|ply| quiet_move(line, ply)));
    found.extend(defensive_move(line));
}

/// A recapture that was possible at once is made a move later, after something more urgent.
fn intermezzo(line: &ForcedLine, ply: usize) -> Option<Finding> {
    let (first, reply) = (ply - 2, ply - 1);
    let square = line.to(ply);
    let taken = line.captured_piece(ply)?;
    let was_taken = match first.checked_sub(1) {
        Some(before) => line.to(before) == square && line.captured(before).is_some(),
        None => line
            .before_start()
            .is_some_and(|(before, mv)| mv.to() == square && before.captured(mv).is_some()),
    };
    let answers_there =
        attackers(line.board_after(first), square, line.them()).has(line.from(reply));
    let is_intermezzo = was_taken
        && line.to(first) != square
        && !answers_there
        && line.before(first).is_legal(line.moves()[ply]);
    is_intermezzo.then(|| Finding::new(Motif::Intermezzo, first, vec![line.moved(first), taken]))
}

/// A slider goes, without taking, to or through the square that the own move before has left; that
/// move was quiet or an offer.
fn clearance(line: &ForcedLine, ply: usize) -> Option<Finding> {
    let (first, reply) = (ply - 2, ply - 1);
    let left = line.from(first);
    let uses = line.to(ply) == left || geometry::between(line.from(ply), line.to(ply)).has(left);
    let is_forced = line.gives_check(ply) && line.kind(reply) == PieceType::King;
    let is_clearance = line.captured(ply).is_none()
        && is_slider(line.kind(ply))
        && uses
        && !line.moves()[first].is_promotion()
        && line.to(first) != line.from(ply)
        && line.to(first) != line.to(ply)
        && !line.before(ply).is_check()
        && !is_forced
        && (line.captured(first).is_none()
            || is_en_prise(line.board_after(first), line.moved(first)));
    is_clearance
        .then(|| Finding::new(Motif::Clearance, first, vec![line.moved(first), line.moved(ply)]))
}

/// Neither takes, checks nor attacks a piece, is no answer to a check, no advance of a far pawn and no
/// move of the king; and the line goes on.
fn quiet_move(line: &ForcedLine, ply: usize) -> Option<Finding> {
    let is_quiet = ply + 1 < line.len()
        && is_calm(line, ply)
        && !line.before(ply).is_check()
        && line.kind(ply) != PieceType::King;
    is_quiet.then(|| Finding::new(Motif::QuietMove, ply, vec![line.moved(ply)]))
}

/// The last move is calm and there was a choice, or one of the first moves answers a check: nothing was
/// taken or checked until then, and there was a choice.
fn defensive_move(line: &ForcedLine) -> Option<Finding> {
    let has_choice = |ply: usize| line.before(ply).count_legal_moves() >= CHOICES;
    let last = line.own().next_back().filter(|last| last + 1 == line.len());
    let holds = last.filter(|&last| is_calm(line, last) && has_choice(last));
    let is_reserved =
        |ply: &usize| line.captured(*ply).is_none() && !line.gives_check(*ply) && has_choice(*ply);
    let escapes = || line.own().take_while(is_reserved).find(|&ply| line.before(ply).is_check());
    let ply = holds.or_else(escapes)?;
    Some(Finding::new(Motif::DefensiveMove, ply, vec![line.moved(ply)]))
}

fn is_calm(line: &ForcedLine, ply: usize) -> bool {
    line.captured(ply).is_none()
        && !line.gives_check(ply)
        && targets(line.board_after(ply), line.to(ply)).is_empty()
        && !is_advanced(line, ply)
}
