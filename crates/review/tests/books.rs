//! Books: the format's keys, what is made of games, and files of others.

#![allow(clippy::print_stderr, reason = "a test that is skipped says so")]

use std::path::{Path, PathBuf};

use chess::Position;
use review::{Book, BookError, BookMaker, GameTree, Splitter, polyglot_key, read};

fn games(text: &str) -> Vec<GameTree> {
    let mut splitter = Splitter::new(text.as_bytes());
    let raw = std::iter::from_fn(|| splitter.next_game().unwrap());
    raw.map(|raw| read(&raw).0.unwrap()).collect()
}

fn data(name: &str) -> Option<PathBuf> {
    let Some(folder) = std::env::var_os("HALCYON_DATA") else {
        eprintln!("skipped: no data");
        return None;
    };
    Some(Path::new(&folder).join("polyglot").join(name))
}

fn after(moves: &str) -> Position {
    let mut position = Position::startpos();
    for san in moves.split_whitespace() {
        position.make(position.parse_san(san).unwrap());
    }
    position
}

#[test]
fn keys_are_those_of_the_format() {
    // The examples of the format's description: start, castling rights lost, a capture in passing.
    assert_eq!(polyglot_key(&Position::startpos()), 0x463b_9618_1691_fc9c);
    assert_eq!(polyglot_key(&after("e4 d5 e5 f5")), 0x22a4_8b5a_8e47_ff78);
    assert_eq!(polyglot_key(&after("e4 d5 e5 f5 Ke2 Kf7")), 0x00fd_d303_c946_bdd9);
    assert_eq!(polyglot_key(&after("a4 b5 h4 b4 c4")), 0x3c81_23ea_7b06_7637);
}

#[test]
fn keys_equal_the_public_list() {
    let Some(path) = data("keys.txt") else { return };
    for line in std::fs::read_to_string(path).unwrap().lines() {
        let (fen, key) = line.split_once(';').unwrap();
        let position = Position::from_fen(fen).unwrap();
        assert_eq!(format!("{:016x}", polyglot_key(&position)), key, "{fen}");
    }
}

#[test]
fn a_book_of_others_is_played_to_its_end() {
    let Some(path) = data("lasker-trap.bin") else { return };
    let book = Book::new(std::fs::read(path).unwrap()).unwrap();
    assert_eq!(book.len(), 7);
    // Black's moves of the trap, with its promotion to a knight.
    let mut position = after("d4 d5 c4");
    for (answer, next) in [("e5", "dxe5"), ("d4", "e3"), ("Bb4+", "Bd2"), ("dxe3", "Bxb4")] {
        let mv = book.choose(&position, 5).expect(answer);
        assert_eq!(position.to_san(mv), answer);
        position.make(mv);
        position.make(position.parse_san(next).unwrap());
    }
    let trap = Position::from_fen("rnbqk1nr/ppp2ppp/8/4P3/1BP5/8/PP2KpPP/RN1Q1BNR b kq - 1 7");
    let trap = trap.unwrap();
    assert_eq!(trap.to_san(book.choose(&trap, 0).unwrap()), "fxg1=N+");
}

const GAMES: &str = "\
1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O 1-0

1. e4 c5 2. Nf3 0-1

1. d4 d5 1/2-1/2

1. e4 e5 2. Nf3 Nf6 1-0

1. h4 *
";

#[test]
fn a_book_made_of_games_knows_their_moves_by_success() {
    let mut maker = BookMaker::default();
    for game in games(GAMES) {
        maker.add(&game, 40);
    }
    let book = maker.finish(1);
    let known = |moves: &str| -> Vec<(String, u16)> {
        let position = after(moves);
        let moves = book.moves(&position).into_iter();
        moves.map(|known| (position.to_san(known.mv), known.weight)).collect()
    };
    assert_eq!(known(""), [("e4".into(), 4), ("d4".into(), 1)]);
    assert_eq!(known("e4"), [("c5".into(), 2)], "e5 always lost");
    assert_eq!(known("e4 e5 Nf3 Nc6 Bc4 Bc5"), [("O-O".into(), 2)]);
    assert_eq!(Book::new(book.bytes().to_vec()).unwrap().moves(&after("")), book.moves(&after("")));
    let chosen = |number| after("").to_san(book.choose(&after(""), number).unwrap());
    assert_eq!([0, 1, 2, 3, 4].map(chosen), ["e4", "e4", "e4", "e4", "d4"]);
    assert_eq!(maker.finish(2).moves(&after("e4")), []);
    assert_eq!(book.plies_of(&games("1. e4 c5 2. Nc3 *")[0]), 2);
}

#[test]
fn what_is_no_book_is_refused() {
    assert_eq!(Book::new(vec![0; 17]).unwrap_err(), BookError::Length(17));
    let mut bytes = vec![0; 32];
    bytes[0] = 1;
    assert_eq!(Book::new(bytes).unwrap_err(), BookError::Order(1));
    assert!(Book::new(Vec::new()).unwrap().choose(&Position::startpos(), 1).is_none());
}
