//! Games from outside: texts with many of them, and the opening book.

use review::{BookMaker, Splitter, read};
use serde_json::{Value, json};
use server::Options;
use server::protocol::MAX_GAMES;

use crate::client::{Server, options};

const THREE: &str = "[Event \"Club\"]\n[Date \"1999.??.??\"]\n[White \"Anna\"]\n[Black \"Bert\"]\n\n\
                     1. e4 e5 1-0\n\n[FEN \"nonsense\"]\n\n1. e4 *\n\n[White \"?\"]\n\
                     [Black \"Cora\"]\n[Result \"1/2-1/2\"]\n\n1. d4 d5 2. c4 1/2-1/2\n";

#[test]
fn the_games_of_a_text_are_listed_and_each_can_be_read() {
    let server = Server::new();
    let mut page = server.page();
    let list = page.ask(&json!({ "type": "games", "id": 1, "pgn": THREE }));
    let heading = |number: u64, who: [&str; 2], event: &str, date: &str, end: &str, plies: u64| {
        json!({ "number": number, "white": who[0], "black": who[1], "event": event, "date": date,
                "result": end, "plies": plies })
    };
    // The second cannot be read and keeps its number.
    let expected = json!([
        heading(1, ["Anna", "Bert"], "Club", "1999.??.??", "1-0", 2),
        heading(3, ["", "Cora"], "", "", "1/2-1/2", 3),
    ]);
    assert_eq!((&list["games"], &list["left_out"]), (&expected, &json!(0)));
    let mut game =
        |number: u64| page.ask(&json!({ "type": "game", "id": 2, "pgn": THREE, "number": number }));
    assert_eq!(game(1)["headers"]["White"], "Anna");
    assert_eq!(game(3)["moves"].as_array().unwrap().len(), 3);
    for number in [0, 2, 4, u64::MAX] {
        assert_eq!(game(number)["type"], "error", "{number}");
    }
    assert_eq!(game(4)["message"], "there is no game 4 in this text");
}

#[test]
fn a_list_of_games_has_an_end() {
    let server = Server::new();
    let mut page = server.page();
    let many = "[White \"Anna\"]\n\n1. e4 *\n\n".repeat(MAX_GAMES + 7);
    let list = page.ask(&json!({ "type": "games", "id": 1, "pgn": many }));
    assert_eq!(list["games"].as_array().unwrap().len(), MAX_GAMES);
    assert_eq!(list["left_out"], 7);
    for nothing in ["", "\n\n", "[FEN \"nonsense\"]\n\n*"] {
        let list = page.ask(&json!({ "type": "games", "id": 2, "pgn": nothing }));
        assert_eq!((&list["games"], &list["left_out"]), (&json!([]), &json!(0)), "{nothing}");
    }
}

#[test]
fn the_engine_plays_from_its_book_as_long_as_it_knows_the_game() {
    let mut maker = BookMaker::default();
    // Nobody would find this by searching.
    let text = b"[Result \"0-1\"]\n\n1. e4 h5 2. d4 a5 0-1\n";
    let raw = Splitter::new(&text[..]).next_game().unwrap().unwrap();
    maker.add(&read(&raw).0.unwrap(), 4);
    let server = Server::with(Options { book: Some(maker.finish(1)), ..options() });
    let mut page = server.page();
    let mut answer = |moves: &[&str], elo: Option<u32>| {
        let mut request = json!({ "type": "play_move", "id": 5, "at": { "moves": moves } });
        request["move_time_ms"] = json!(20);
        request["elo"] = json!(elo);
        page.say(&request);
        let mut searches = 0;
        loop {
            let message = page.hear().unwrap();
            searches += u32::from(message["type"] == "search");
            if message["type"] == "best" {
                return (message, searches);
            }
        }
    };
    for elo in [None, Some(1000)] {
        let (known, searches) = answer(&["e4"], elo);
        assert_eq!((&known["best"]["san"], &known["book"]), (&json!("h5"), &json!(true)));
        assert_eq!(searches, 0);
        let (also, _) = answer(&["e4", "h5", "d4"], elo);
        assert_eq!((&also["best"]["san"], &also["book"]), (&json!("a5"), &json!(true)));
    }
    // White lost and taught nothing, and nobody played this.
    for moves in [&[][..], &["e4", "h5"], &["d4"]] {
        let (found, searches) = answer(moves, None);
        assert_eq!(found["book"], false, "{moves:?}");
        assert!(searches > 0);
    }
    // A game that is over needs no move, even where the book knows one.
    let shuffle = ["e4", "Nf6", "Nf3", "Ng8", "Ng1", "Nf6", "Nf3", "Ng8", "Ng1"];
    assert_eq!(answer(&shuffle[..5], None).0["best"]["san"], "h5");
    let (over, _) = answer(&shuffle, None);
    assert_eq!(over["book"], false);
    // The explorer shows all that it knows.
    let book = page.ask(&json!({ "type": "book", "id": 7, "at": { "moves": ["e4"] } }));
    assert_eq!(book["moves"].as_array().map(Vec::len), Some(1));
    assert_eq!(book["moves"][0]["san"], "h5");
    assert!(book["moves"][0]["weight"].as_u64() > Some(0));
    let none = page.ask(&json!({ "type": "book", "id": 8, "at": { "moves": ["d4"] } }));
    assert_eq!(none["moves"], json!([]));
    // An analysis knows no book.
    page.say(&json!({ "type": "analyse", "id": 6, "at": { "moves": ["e4"] }, "lines": 1 }));
    let found = page.hear_until(|message: &Value| message["depth"].as_i64() > Some(3));
    assert_ne!(found["lines"][0]["moves"][0]["san"], "h5");
}
