//! Texts that are not legal positions: each is refused with its own reason.

use std::collections::BTreeSet;

use chess::{FenError, Position, PositionError};

use crate::data;

/// The name of a reason. Exhaustive, so that a new reason must be named here and tested below.
fn name(error: &FenError) -> &'static str {
    match error {
        FenError::Empty => "empty",
        FenError::Ranks(_) => "ranks",
        FenError::RankLength(_) => "rank-length",
        FenError::Piece(_) => "piece",
        FenError::Side(_) => "side",
        FenError::Castling(_) => "castling-text",
        FenError::EnPassant(_) => "en-passant-text",
        FenError::Counter(_) => "counter",
        FenError::Position(error) => match error {
            PositionError::MissingKing(_) => "missing-king",
            PositionError::ManyKings(_) => "many-kings",
            PositionError::ManyPieces(_) => "many-pieces",
            PositionError::ManyPawns(_) => "many-pawns",
            PositionError::ManyPromoted(_) => "many-promoted",
            PositionError::PawnOnBackRank(_) => "pawn-on-back-rank",
            PositionError::KingsTouch => "kings-touch",
            PositionError::OpponentInCheck => "opponent-in-check",
            PositionError::ManyCheckers => "many-checkers",
            PositionError::Castling(_) => "castling",
            PositionError::EnPassant(_) => "en-passant",
        },
    }
}

const REASONS: [&str; 19] = [
    "empty",
    "ranks",
    "rank-length",
    "piece",
    "side",
    "castling-text",
    "en-passant-text",
    "counter",
    "missing-king",
    "many-kings",
    "many-pieces",
    "many-pawns",
    "many-promoted",
    "pawn-on-back-rank",
    "kings-touch",
    "opponent-in-check",
    "many-checkers",
    "castling",
    "en-passant",
];

#[test]
fn every_broken_position_is_refused_for_its_own_reason() {
    let file = data::own("bad_fens.txt");
    let mut seen = BTreeSet::new();
    for line in file.lines().filter(|line| !line.starts_with('#')) {
        let (reason, fen) = line.split_once('\t').expect("reason, tab, FEN");
        let error = Position::from_fen(fen).expect_err(line);
        assert_eq!(name(&error), reason, "{line}");
        assert!(!error.to_string().is_empty());
        seen.insert(reason);
    }
    assert_eq!(seen, BTreeSet::from(REASONS), "a reason without an example");
}

#[test]
fn messages_name_the_culprit_and_stay_short() {
    let message = |fen: &str| Position::from_fen(fen).unwrap_err().to_string();
    assert_eq!(message("8/8/8/8/8/8/8/4K3 w - - 0 1"), "Black has no king");
    assert_eq!(message("4k3/8/8/8/8/8/8/4K2P w - - 0 1"), "a pawn stands on h1");
    assert_eq!(message("4k3/8/8/8/8/8/8/4K3 x - - 0 1"), "side to move \"x\" is neither w nor b");
    let long = format!("4k3/8/8/8/8/8/8/4K3 w {} - 0 1", "é".repeat(1_000));
    assert!(message(&long).len() < 200);
}

/// Whether a row of the public list demands that the position is taken or refused.
fn demanded(kind: &str, expectation: &str) -> Option<bool> {
    if expectation.starts_with("REJECT:") {
        return Some(false);
    }
    let either = expectation.contains("REJECT") || expectation.starts_with("either");
    let accepts = expectation.starts_with("ACCEPT") || expectation.starts_with("NORMALIZE");
    (!either && (accepts || kind == "fen-extreme")).then_some(true)
}

#[test]
fn positions_of_the_public_list_are_taken_or_refused_as_it_says() {
    let Some(text) = data::shared_file("bad_inputs.txt") else { return };
    let (mut taken, mut refused) = (0, 0);
    for row in text.lines().filter(|row| !row.starts_with('#')) {
        let fields: Vec<&str> = row.split('\t').collect();
        let [_, kind, input, expectation] = fields[..] else { continue };
        if !kind.starts_with("fen-") {
            continue;
        }
        let command = input.split(" \\n ").next().unwrap_or(input);
        let fen = command.strip_prefix("position fen").expect(row);
        let result = Position::from_fen(fen);
        if let Some(accept) = demanded(kind, expectation) {
            assert_eq!(result.is_ok(), accept, "{row}: {result:?}");
            *(if accept { &mut taken } else { &mut refused }) += 1;
        }
        if expectation.contains("ep normalised to -") || expectation == "NORMALIZE ep to -" {
            assert_eq!(result.map(|position| position.en_passant()), Ok(None), "{row}");
        } else if expectation.contains("218 legal moves") {
            assert_eq!(result.map(|position| position.legal_moves().len()), Ok(218), "{row}");
        }
    }
    assert!(taken >= 12 && refused >= 16, "{taken} {refused}");
}
