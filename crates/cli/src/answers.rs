//! Answers to commands that ask about the position or the engine, as text.

use chess::{Bitboard, Color, Move, MoveTextError, PieceType, Position, Setup, Square};
use engine::{Game, Score, Verdict};

use crate::board_text::{self, Paint};
use crate::command::{COMMANDS, Group};
use crate::go::PARAMETERS;
use crate::info::Display;
use crate::options::{OPTIONS, OptionSpec};
use crate::session::Session;
use crate::text::{CommandError, quote};
use engine::wdl::{Curve, Shown};

/// The engine's name and version.
pub const NAME: &str = concat!("Halcyon ", env!("CARGO_PKG_VERSION"));
const AUTHOR: &str = "the Halcyon authors";

/// The answer to `uci`.
#[must_use]
pub fn identification() -> String {
    let mut lines = vec![format!("id name {NAME}"), format!("id author {AUTHOR}")];
    lines.extend(OPTIONS.iter().map(OptionSpec::declaration));
    #[cfg(feature = "tune")]
    lines.extend(engine::params::PARAMS.iter().map(|param| {
        let engine::params::Param { name, default, min, max } = param;
        format!("option name {name} type spin default {default} min {min} max {max}")
    }));
    lines.push(String::from("uciok"));
    lines.join("\n")
}

/// What a person at a terminal sees first.
#[must_use]
pub fn greeting() -> String {
    format!(
        "{NAME}, a UCI chess engine. Usually a chess program talks to it; you can, too:\n\
         type a move (e4 or e2e4), d for the board, go movetime 3000 to think, help for more, \
         quit to leave."
    )
}

/// The answer to `help`.
#[must_use]
pub fn help() -> String {
    let mut text = String::new();
    for (group, title) in [(Group::Standard, "UCI commands:"), (Group::Own, "Halcyon's own:")] {
        text.push_str(title);
        text.push('\n');
        for spec in COMMANDS.iter().filter(|spec| spec.group == group) {
            let usage = format!("{} {}", spec.name, spec.syntax);
            text.push_str(&format!("  {:<40} {}\n", usage.trim_end(), spec.meaning));
        }
    }
    let parameters: Vec<&str> = PARAMETERS.iter().map(|parameter| parameter.name).collect();
    text.push_str(&format!("Parameters of go: {}\n", parameters.join(" ")));
    text.push_str("A move or a FEN alone is understood, too. Everything else: docs/uci.md");
    text
}

/// The answer to `license`.
#[must_use]
pub fn license() -> &'static str {
    "Halcyon is free software: you can redistribute it and/or modify it under the terms of the\n\
     GNU General Public License as published by the Free Software Foundation, either version 3 of\n\
     the License, or (at your option) any later version. It comes without any warranty. The text\n\
     of the license is in the file LICENSE and at https://www.gnu.org/licenses/"
}

/// The answer to `spsa`.
#[must_use]
pub fn parameters() -> String {
    engine::params::PARAMS.iter().map(engine::params::Param::line).collect::<Vec<_>>().join("\n")
}

/// The answer to `compiler`.
#[must_use]
pub fn compiler() -> String {
    let (instructions, certain) = engine::embedded_network().instructions();
    let chosen = if certain { "fixed by the build" } else { "chosen at the start" };
    format!(
        "Halcyon {} built by {} for {}, {} profile{}\n\
         the processor is expected to have {}\n\
         network: {instructions}, {chosen}; sliders: magic multiplication, {}",
        env!("HALCYON_VERSION"),
        env!("HALCYON_COMPILER"),
        env!("HALCYON_TARGET"),
        env!("HALCYON_PROFILE"),
        if cfg!(debug_assertions) { ", with assertions" } else { "" },
        env!("HALCYON_FEATURES"),
        "which serves every processor",
    )
}

/// The answer to `d`.
#[must_use]
pub fn board(session: &Session, paint: Paint) -> String {
    let position = session.position();
    let checkers: Vec<String> =
        position.checkers().into_iter().map(|square| square.to_string()).collect();
    let mut text = format!(
        "{}\nFen: {}\nKey: {:016X}\nPawn key: {:016X}\nCheckers: {}",
        board_text::board(position.board(), paint),
        position.to_fen(),
        position.key(),
        position.pawn_key(),
        checkers.join(" ")
    );
    if let Some(value) = session.engine.tablebases().and_then(|tables| tables.value(position)) {
        text.push_str("\nTablebases: the side to move ");
        text.push_str(verdict_text(value.verdict));
        if let Some(distance) = value.distance {
            text.push_str(&format!(" (DTZ {distance})"));
        }
    }
    text
}

fn verdict_text(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Win => "wins",
        Verdict::CursedWin => "wins, but for the fifty-move rule",
        Verdict::Draw => "draws",
        Verdict::BlessedLoss => "loses, but for the fifty-move rule",
        Verdict::Loss => "loses",
    }
}

/// The answer to `moves`.
#[must_use]
pub fn moves(position: &Position, display: Display) -> String {
    let legal = position.legal_moves();
    let mut lines: Vec<String> =
        legal.iter().map(|&mv| format!("{:<6}{}", display.mv(mv), position.to_san(mv))).collect();
    lines.sort();
    lines.push(format!("{} legal moves", legal.len()));
    lines.join("\n")
}

/// Reads a move in UCI or algebraic notation.
///
/// # Errors
/// If it is neither, or not legal.
pub fn find_move(position: &Position, text: &str) -> Result<Move, CommandError> {
    read_move(position, text)
        .map_err(|error| CommandError::new(format!("{} is {error}", quote(text)), "position kept"))
}

/// Reads a move in UCI or algebraic notation.
///
/// # Errors
/// Says what is wrong with it, without its text.
pub fn read_move(position: &Position, text: &str) -> Result<Move, String> {
    match position.parse_uci(text) {
        Ok(mv) => Ok(mv),
        Err(error @ MoveTextError::NoPromotion) => Err(error.to_string()),
        Err(_) => position.parse_san(text).map_err(|error| error.to_string()),
    }
}

/// The answer to `see`.
///
/// # Errors
/// If the move is not legal.
pub fn exchange(position: &Position, text: &str) -> Result<String, CommandError> {
    let mv = find_move(position, text)?;
    let value = board_text::pawns(position.see(mv));
    Ok(format!("{}: the exchange is worth {value} pawns", position.to_san(mv)))
}

/// The answer to `eval`: the static score, and for each piece how the score changes without it,
/// both from White's view.
#[must_use]
pub fn evaluation(session: &mut Session) -> String {
    let position = *session.position();
    let whole = white_score(session, &position);
    let mut values = [None; 64];
    for square in position.board().occupied() {
        values[square.index()] =
            without(&position, square).map(|rest| whole.raw() - white_score(session, &rest).raw());
    }
    session.engine.set_game(session.played().game());
    let score = match Curve::of(&position).shown(whole) {
        Shown::Centipawns(centipawns) => board_text::pawns(centipawns),
        Shown::Mate(moves) => format!("mate in {moves}"),
    };
    let picture = board_text::contributions(&position, |square| values[square.index()]);
    let network = session.engine.network();
    let (bucket, buckets) = (network.bucket(&position) + 1, network.buckets());
    format!(
        "{picture}Static score: {score} for White (below each piece: what it adds)\n\
         Output bucket: {bucket} of {buckets}"
    )
}

fn white_score(session: &mut Session, position: &Position) -> Score {
    session.engine.set_game(Game::new(*position));
    let score = session.engine.evaluate();
    if position.side_to_move() == Color::White { score } else { -score }
}

/// The position without the piece on `square`; `None` if that is not a legal position.
fn without(position: &Position, square: Square) -> Option<Position> {
    let piece = position.board().piece_at(square)?;
    if piece.kind() == PieceType::King {
        return None;
    }
    let Setup { mut board, castling, .. } = position.to_setup();
    board.take(piece, square);
    let castling = castling.minus(Bitboard::of(square));
    let setup = Setup { board, castling, en_passant: None, ..position.to_setup() };
    Position::from_setup(setup).ok()
}
