//! Templates: findings and lines as English text.

use chess::{Color, Move, PieceType, Placed, Position};

use super::{explaining, findings_of};
use crate::eval::Eval;
use crate::motif::{Finding, ForcedLine, Motif, attacks_of, motifs};

pub(super) fn kind(kind: PieceType) -> &'static str {
    match kind {
        PieceType::Pawn => "pawn",
        PieceType::Knight => "knight",
        PieceType::Bishop => "bishop",
        PieceType::Rook => "rook",
        PieceType::Queen => "queen",
        PieceType::King => "king",
    }
}

pub(super) fn side(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}

/// As in "the rook on a8"; there is only one king.
fn placed(Placed { piece, square }: Placed) -> String {
    match piece.kind() {
        PieceType::King => String::from("the king"),
        other => format!("the {} on {square}", kind(other)),
    }
}

fn listed(pieces: &[Placed]) -> String {
    let names: Vec<String> = pieces.iter().map(|&piece| placed(piece)).collect();
    match &names[..] {
        [] => String::new(),
        [one] => one.clone(),
        [rest @ .., last] => format!("{} and {last}", rest.join(", ")),
    }
}

/// Moves with their numbers, as in "12...Qh4 13.g3 Qxe4+".
pub(super) fn line(position: &Position, moves: &[Move]) -> String {
    let mut current = *position;
    let mut words = Vec::new();
    for (index, &mv) in moves.iter().enumerate() {
        let san = current.to_san(mv);
        words.push(match current.side_to_move() {
            Color::White => format!("{}.{san}", current.fullmove()),
            Color::Black if index == 0 => format!("{}...{san}", current.fullmove()),
            Color::Black => san,
        });
        current.make(mv);
    }
    words.join(" ")
}

/// A small number as a word.
fn number(count: usize) -> String {
    const NUMBERS: [&str; 10] =
        ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
    let word = count.checked_sub(1).and_then(|index| NUMBERS.get(index));
    word.map_or_else(|| count.to_string(), |word| (*word).to_owned())
}

pub(super) fn mate_in(moves: i32) -> String {
    format!("mate in {}", number(moves.unsigned_abs() as usize))
}

/// What a position is worth, for people: with mates in words.
pub(super) fn score(eval: Eval) -> String {
    match eval {
        Eval::Mate(moves) => {
            let winner = if moves > 0 { Color::White } else { Color::Black };
            format!("{} for {}", mate_in(moves), side(winner))
        }
        other => other.to_string(),
    }
}

/// The name of the mate at the end of a line, if it has one that people know.
pub(super) fn mate_name(position: &Position, moves: &[Move]) -> Option<String> {
    let findings = findings_of(position, moves);
    let line = ForcedLine::new(*position, moves);
    let named = [
        (Motif::SmotheredMate, "a smothered mate"),
        (Motif::BackRankMate, "a back-rank mate"),
        (Motif::AnastasiaMate, "Anastasia's mate"),
        (Motif::ArabianMate, "the Arabian mate"),
        (Motif::BodenMate, "Boden's mate"),
    ];
    let has = |motif| findings.iter().any(|finding| finding.motif == motif);
    let (_, words) = named.into_iter().find(|(motif, _)| has(*motif))?;
    Some(match line.len().div_ceil(2) {
        1 => words.to_owned(),
        own => format!("{words} in {} moves", number(own)),
    })
}

/// Whether a motif says why a line works, in words that [`sentence`] has.
pub(super) fn explains(motif: Motif) -> bool {
    matches!(
        motif,
        Motif::Fork
            | Motif::Pin
            | Motif::RelativePin
            | Motif::Skewer
            | Motif::DiscoveredAttack
            | Motif::HangingPiece
            | Motif::TrappedPiece
            | Motif::CapturingDefender
            | Motif::Deflection
            | Motif::Overloading
            | Motif::Interference
            | Motif::Promotion
    )
}

/// How a line works: the motif that explains it and a clause about it.
pub(super) fn how(line: &ForcedLine) -> (Option<Motif>, Option<String>) {
    said(line, &motifs(line))
}

/// Whether a finding has to do with what is taken. A pin explains that the pinned piece falls, or that
/// it cannot take back.
fn is_relevant(line: &ForcedLine, finding: &Finding) -> bool {
    let (Motif::Pin, [_, pinned, _]) = (finding.motif, &finding.pieces[..]) else { return true };
    let takes = |ply: &usize| *ply >= finding.ply && line.captured(*ply).is_some();
    line.own().filter(takes).any(|ply| {
        let square = line.to(ply);
        square == pinned.square || attacks_of(line.board_before(ply), pinned.square).has(square)
    })
}

fn said(line: &ForcedLine, findings: &[Finding]) -> (Option<Motif>, Option<String>) {
    let relevant: Vec<Finding> =
        findings.iter().filter(|finding| is_relevant(line, finding)).cloned().collect();
    let Some(finding) = explaining(&relevant) else { return (None, None) };
    let text = sentence(line, finding);
    (text.is_some().then_some(finding.motif), text)
}

/// A clause about the move that the sentence begins with: "it" instead of its name once more.
pub(super) fn with_pronoun(how: &str, san: &str) -> String {
    match how.strip_prefix(san).filter(|rest| rest.starts_with(' ')) {
        Some(rest) => format!("it{rest}"),
        None => how.to_owned(),
    }
}

/// How a line works that ends with the other side in zugzwang.
pub(super) fn zugzwang(line: &ForcedLine, finding: &Finding) -> Option<String> {
    let mut position = *line.start();
    for &mv in &line.moves()[..finding.ply] {
        position.make(mv);
    }
    let san = position.to_san(*line.moves().get(finding.ply)?);
    Some(format!("{san} puts {} in zugzwang", side(line.them())))
}

/// A finding as a clause.
fn sentence(line: &ForcedLine, finding: &Finding) -> Option<String> {
    let mut position = *line.start();
    for &mv in &line.moves()[..finding.ply] {
        position.make(mv);
    }
    let san = position.to_san(*line.moves().get(finding.ply)?);
    let pieces = &finding.pieces;
    Some(match (finding.motif, &pieces[..]) {
        (Motif::Fork, [_, forked @ ..]) => format!("{san} forks {}", listed(forked)),
        (Motif::Pin, [pinner, pinned, _]) => {
            format!("{} is pinned to the king by {}", placed(*pinned), placed(*pinner))
        }
        (Motif::RelativePin, [_, pinned, behind]) => {
            format!("{} is pinned to {}", placed(*pinned), placed(*behind))
        }
        (Motif::Skewer, [_, front, behind]) => {
            format!("{san} skewers {} and {}", placed(*front), placed(*behind))
        }
        (Motif::DiscoveredAttack, [attacker, _, target]) => {
            let attacker = placed(*attacker);
            match target.piece.kind() {
                PieceType::King => format!("{san} uncovers a check by {attacker}"),
                _ => format!("{san} uncovers an attack on {} by {attacker}", placed(*target)),
            }
        }
        (Motif::HangingPiece, [_, taken]) => format!("{} is not protected", placed(*taken)),
        (Motif::TrappedPiece, [_, trapped]) => format!("{san} traps {}", placed(*trapped)),
        (Motif::CapturingDefender, [_, defender, won]) => {
            let defender = kind(defender.piece.kind());
            format!("{san} takes the {defender} that protects {}", placed(*won))
        }
        (Motif::Deflection, [_, guard, won]) => {
            format!("{san} draws {} away from {}", placed(*guard), placed(*won))
        }
        (Motif::Overloading, [guard, one, other]) => {
            format!(
                "{} cannot protect both {} and {}",
                placed(*guard),
                placed(*one),
                placed(*other)
            )
        }
        (Motif::Interference, [_, guard, won]) => {
            format!("{san} cuts {} off from {}", placed(*guard), placed(*won))
        }
        (Motif::Promotion, [_]) => String::from("a pawn promotes"),
        _ => return None,
    })
}
