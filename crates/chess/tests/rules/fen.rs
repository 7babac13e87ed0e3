//! Positions as text.

use chess::{Position, Square};

fn position(fen: &str) -> Position {
    Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

#[test]
fn fields_that_are_missing_have_their_usual_values() {
    let board = "4k3/8/8/8/8/8/8/4K2R";
    let full = position(&format!("{board} w - - 0 1"));
    for fields in ["", " w", " w -", " w - -", " w - - 0"] {
        assert_eq!(position(&format!("{board}{fields}")), full, "{fields:?}");
    }
    assert_eq!(position(&format!("  {board}   w  -\t-  0   1 ")), full);
    assert_eq!(position(&format!("{board} w - - 0 0")), full);
}

#[test]
fn what_follows_the_counters_is_left_alone() {
    let start = Position::startpos();
    let fen = start.to_fen();
    assert_eq!(position(&format!("{fen} bm e4; id \"x\";")), start);
    let epd = fen.trim_end_matches(" 0 1");
    assert_eq!(position(&format!("{epd} bm e4; id \"x\";")), start);
}

#[test]
fn castling_rooks_are_named_by_side_or_by_file() {
    // Two rooks on the king's side; the inner one may castle.
    let inner = position("4k3/8/8/8/8/8/8/4KR1R w F - 0 1");
    assert_eq!(inner.castling_rooks(), Square::F1.into());
    assert_eq!(inner.to_fen(), "4k3/8/8/8/8/8/8/4KR1R w F - 0 1");
    let outer = position("4k3/8/8/8/8/8/8/4KR1R w K - 0 1");
    assert_eq!(outer.castling_rooks(), Square::H1.into());
    assert_eq!(outer.to_shredder_fen(), "4k3/8/8/8/8/8/8/4KR1R w H - 0 1");
    assert_eq!(position("4k3/8/8/8/8/8/8/4KR1R w H - 0 1"), outer);
    // Sides in any order.
    let mixed = position("r3k2r/8/8/8/8/8/8/R3K2R w qAkH - 0 1");
    assert_eq!(mixed.to_fen(), "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
}

#[test]
fn an_en_passant_square_is_kept_only_when_a_capture_is_legal() {
    let kept = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2";
    assert_eq!(position(kept).en_passant(), Some(Square::D6));
    assert_eq!(position(kept).to_fen(), kept);
    let dropped = [
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e3 0 1",
        "k1r5/8/8/1pP5/2K5/8/8/8 w - b6 0 1",
    ];
    for fen in dropped {
        assert_eq!(position(fen).en_passant(), None, "{fen}");
    }
}

#[test]
fn counters_too_large_to_hold_are_as_large_as_can_be_held() {
    let huge = position("7k/8/8/8/8/8/R7/K7 w - - 99999999999999999999 99999999999999999999");
    assert_eq!((huge.halfmove_clock(), huge.fullmove()), (u16::MAX, u16::MAX));
    assert_eq!(position(&huge.to_fen()), huge);
}

#[test]
fn positions_of_the_public_collections_are_read_and_written_alike() {
    for folder in ["openings", "suites", "mates"] {
        let Some(files) = crate::data::shared_epd_files(folder) else { return };
        for (name, text) in files {
            for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
                let read =
                    Position::from_fen(line).unwrap_or_else(|e| panic!("{name}: {line}: {e}"));
                assert_eq!(position(&read.to_fen()), read, "{name}: {line}");
                assert_eq!(position(&read.to_shredder_fen()), read, "{name}: {line}");
            }
        }
    }
}
