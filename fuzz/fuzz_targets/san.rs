//! A position and words as moves: a word is a legal move, or the reason why not.

#![no_main]

use chess::Position;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let (fen, words) = text.split_once('\n').unwrap_or(("", text));
    let mut position = Position::from_fen(fen).unwrap_or_else(|_| Position::startpos());
    for word in words.split_whitespace() {
        match position.parse_san(word) {
            Err(error) => assert!(!error.to_string().is_empty()),
            Ok(mv) => {
                assert!(position.is_legal(mv), "{position:?} {word}");
                assert_eq!(position.parse_san(&position.to_san(mv)), Ok(mv));
                position.make(mv);
            }
        }
        if let Ok(mv) = position.parse_uci(word) {
            assert!(position.is_legal(mv), "{position:?} {word}");
        }
    }
});
