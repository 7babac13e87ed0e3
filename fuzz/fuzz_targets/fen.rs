//! Any bytes as a FEN: an error or a sound position that is written and read alike.

#![no_main]

use chess::Position;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    match Position::from_fen(&text) {
        Err(error) => assert!(!error.to_string().is_empty()),
        Ok(position) => {
            assert!(position.is_consistent());
            for fen in [position.to_fen(), position.to_shredder_fen()] {
                assert_eq!(Position::from_fen(&fen), Ok(position));
            }
            assert_eq!(position.color_flipped().color_flipped(), position);
            assert_eq!(position.legal_moves().len(), position.count_legal_moves() as usize);
        }
    }
    // The same text is no move either, or a legal one.
    let start = Position::startpos();
    for mv in [start.parse_uci(&text).ok(), start.parse_san(&text).ok()].into_iter().flatten() {
        assert!(start.is_legal(mv));
    }
});
