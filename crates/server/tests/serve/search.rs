//! Searches for one page.

use std::time::Duration;

use serde_json::{Value, json};
use server::Options;

use crate::client::{Server, options};

/// Plays through the lines of a search with the rules.
fn check_lines(fen: &str, search: &Value) {
    let root = chess::Position::from_fen(fen).unwrap();
    for line in search["lines"].as_array().unwrap() {
        let mut position = root;
        let moves = line["moves"].as_array().unwrap();
        assert!(!moves.is_empty());
        assert!(line["main_plies"].as_u64().unwrap() as usize <= moves.len());
        let chances: u64 = line["wdl"].as_array().unwrap().iter().filter_map(Value::as_u64).sum();
        assert_eq!(chances, 1000);
        for step in moves {
            let mv = position.parse_uci(step["uci"].as_str().unwrap()).unwrap();
            assert_eq!(position.to_san(mv), step["san"].as_str().unwrap());
            position.make(mv);
            assert_eq!(position.to_fen(), step["fen"].as_str().unwrap());
        }
    }
}

#[test]
fn facts_of_a_position() {
    let server = Server::new();
    let mut page = server.page();
    let mut id = 0;
    let mut facts = |start: Value, moves: Value| {
        id += 1;
        page.ask(&json!({ "type": "position", "id": id, "at": { "start": start, "moves": moves } }))
    };
    let ruy = facts(json!("usual"), json!(["e4", "e5", "Nf3", "b8c6", "Bb5"]));
    assert_eq!(ruy["opening"], json!({ "eco": "C60", "name": "Ruy Lopez" }));
    assert_eq!(ruy["last"]["san"], "Bb5");
    assert_eq!(ruy["turn"], "black");
    let mated = facts(json!("usual"), json!(["f3", "e5", "g4", "Qh4#"]));
    assert_eq!(mated["outcome"], json!({ "result": "0-1", "reason": "checkmate" }));
    assert_eq!((&mated["check"], &mated["dests"]), (&json!(true), &json!({})));
    let shuffle = ["Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6", "Ng1", "Ng8"];
    assert_eq!(facts(json!("usual"), json!(shuffle))["outcome"]["reason"], "threefold repetition");
    let stale = facts(json!({ "fen": "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1" }), json!([]));
    assert_eq!(stale["outcome"]["reason"], "stalemate");
    let bare = facts(json!({ "fen": "7k/8/6K1/8/8/8/8/8 b - - 0 1" }), json!([]));
    assert_eq!(bare["outcome"]["reason"], "insufficient material");
    let castle = facts(json!({ "fen": "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1" }), json!([]));
    let king = castle["dests"]["e1"].as_array().unwrap();
    assert!(["g1", "h1", "c1", "a1"].iter().all(|to| king.contains(&json!(to))), "{king:?}");
    // Position 518 is chess; in 959 the king stands on g1 beside its rook.
    assert_eq!(
        facts(json!({ "chess960": 518 }), json!([]))["fen"],
        facts(json!("usual"), json!([]))["fen"]
    );
    let corner = facts(json!({ "fen": "6k1/8/8/8/8/8/8/R5KR w HA - 0 1" }), json!([]));
    assert!(corner["dests"]["g1"].as_array().unwrap().contains(&json!("h1")));
}

#[test]
fn an_analysis_deepens_until_it_is_stopped() {
    let server = Server::new();
    let mut page = server.page();
    let fen = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3";
    let at = json!({ "start": { "fen": fen } });
    page.say(&json!({ "type": "analyse", "id": 4, "at": at, "lines": 3 }));
    let shallow =
        page.hear_until(|message| message["lines"].as_array().is_some_and(|l| l.len() == 3));
    check_lines(fen, &shallow);
    let depth = shallow["depth"].as_i64().unwrap();
    let deeper = page.hear_until(|message| message["depth"].as_i64().is_some_and(|d| d > depth));
    check_lines(fen, &deeper);
    page.say(&json!({ "type": "stop", "id": 4 }));
    let last = page.hear_until(|message| message["state"] == "stopped");
    check_lines(fen, &last);
    assert!(last["nodes"].as_u64() >= deeper["nodes"].as_u64());
}

#[test]
fn a_finished_search_says_so() {
    let server = Server::new();
    let mut page = server.page();
    let at = json!({ "moves": ["f3", "e5", "g4", "Qh4#"] });
    page.say(&json!({ "type": "analyse", "id": 1, "at": at, "lines": 2 }));
    let done = page.hear_until(|message| message["state"] == "done");
    assert_eq!(done["lines"], json!([]));
}

#[test]
fn tablebases_judge_what_the_search_cannot() {
    let Some(data) = std::env::var_os("HALCYON_DATA") else {
        eprintln!("skipped: no data (HALCYON_DATA is not set)");
        return;
    };
    let folder = std::path::Path::new(&data).join("syzygy");
    let tablebases = engine::Tablebases::open(&folder.to_string_lossy()).unwrap();
    let score = |options: Options| {
        let server = Server::with(options);
        let mut page = server.page();
        // A rook against a bishop: more material, and a draw.
        let at = json!({ "start": { "fen": "8/8/8/3k4/8/3b4/8/R3K3 w - - 0 1" } });
        page.say(&json!({ "type": "analyse", "id": 1, "at": at, "lines": 1 }));
        let deep = |message: &Value| message["depth"].as_i64().is_some_and(|depth| depth >= 4);
        page.hear_until(deep)["lines"][0]["score"]["cp"].as_i64().unwrap()
    };
    assert!(score(options()) > 50);
    let tablebases = Some(tablebases.into());
    assert_eq!(score(Options { tablebases, ..options() }), 0);
}

#[test]
fn a_new_search_replaces_the_old_one() {
    let server = Server::new();
    let mut page = server.page();
    for id in 1..=20 {
        page.say(&json!({ "type": "analyse", "id": id, "at": {}, "lines": 1 }));
    }
    let last = page.hear_until(|message| message["id"] == 20);
    assert_eq!(last["type"], "search");
    page.say(&json!({ "type": "stop", "id": 20 }));
    let stopped = page.hear_until(|message| message["state"] == "stopped");
    assert_eq!(stopped["id"], 20);
}

#[test]
fn the_engine_answers_at_every_strength_and_clock() {
    let server = Server::new();
    let mut page = server.page();
    let mut id = 0;
    for extra in [
        json!({ "elo": 800 }),
        json!({ "elo": 5 }),
        json!({ "elo": 2200, "clock": { "remaining_ms": 1000, "increment_ms": 0 } }),
        json!({ "clock": { "remaining_ms": 300, "increment_ms": 10 } }),
        json!({ "clock": { "remaining_ms": 0, "increment_ms": 0 } }),
        json!({ "move_time_ms": 50 }),
    ] {
        id += 1;
        let mut request = json!({ "type": "play_move", "id": id, "at": { "moves": ["e4"] } });
        request.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        page.say(&request);
        let best = page.hear_until(|message| message["type"] == "best" && message["id"] == id);
        let mut position = chess::Position::startpos();
        position.make(position.parse_san("e4").unwrap());
        assert!(position.parse_uci(best["best"]["uci"].as_str().unwrap()).is_ok(), "{best}");
    }
}

#[test]
fn a_move_is_played_at_once_on_stop() {
    let server = Server::new();
    let mut page = server.page();
    let clock = json!({ "remaining_ms": 36_000_000, "increment_ms": 0 });
    page.say(&json!({ "type": "play_move", "id": 1, "at": {}, "clock": clock }));
    page.say(&json!({ "type": "stop", "id": 1 }));
    assert!(page.hear_of("best")["best"]["uci"].is_string());
}

#[test]
fn an_analysis_ends_when_its_page_is_idle() {
    let server = Server::with(Options { idle: Duration::from_millis(300), ..options() });
    let mut page = server.page();
    page.say(&json!({ "type": "analyse", "id": 1, "at": {}, "lines": 1 }));
    let idle = page.hear_until(|message| message["state"] == "idle");
    assert!(idle["depth"].as_i64().unwrap() > 0);
    // It can be had again.
    page.say(&json!({ "type": "analyse", "id": 2, "at": {}, "lines": 1 }));
    page.hear_until(|message| message["id"] == 2 && message["state"] == "running");
}

#[test]
fn a_search_that_counts_adds_up() {
    let server = Server::new();
    let mut page = server.page();
    page.say(&json!({ "type": "analyse", "id": 1, "at": {}, "lines": 2, "statistics": true }));
    let live = page.hear_until(|message| message["statistics"].is_object());
    let nodes = &live["statistics"]["nodes_by_kind"];
    let kinds: u64 = nodes.as_object().unwrap().values().filter_map(Value::as_u64).sum();
    assert!(kinds > 0 && live["nodes"].as_u64() >= Some(kinds), "{live}");
    page.say(&json!({ "type": "stop", "id": 1 }));
    let last = page.hear_until(|message| message["state"] == "stopped");
    assert_eq!(last["statistics"]["running"], false);
    // Without being asked, it does not count.
    page.say(&json!({ "type": "analyse", "id": 2, "at": {}, "lines": 1 }));
    let plain =
        page.hear_until(|message| message["id"] == 2 && message["depth"].as_i64() > Some(0));
    assert!(plain["statistics"].is_null());
}

#[test]
fn a_recorded_tree_unfolds_legally() {
    let server = Server::new();
    let mut page = server.page();
    let nothing = page.ask(&json!({ "type": "unfold", "id": 1, "node": 0 }));
    assert_eq!(nothing["type"], "error");
    page.say(&json!({ "type": "trace", "id": 2, "at": { "moves": ["e4"] }, "depth": 4 }));
    let traced = page.hear_until(|message| message["id"] == 2);
    assert_eq!(traced["type"], "traced", "nothing else answers");
    let count = traced["nodes"].as_u64().unwrap();
    assert!(count > 20, "{traced}");
    let mut position = chess::Position::startpos();
    position.make(position.parse_san("e4").unwrap());
    let mut seen = 0;
    for root in traced["roots"].as_array().unwrap() {
        let node = root["id"].as_u64().unwrap();
        let answer = page.ask(&json!({ "type": "unfold", "id": 3, "node": node }));
        let children = answer["children"].as_array().unwrap();
        assert_eq!(children.len() as u64, root["children"].as_u64().unwrap());
        for child in children {
            let label = child["label"].as_str().unwrap();
            let special =
                label == "null move" || label == "re-search" || label.starts_with("without ");
            assert!(special || position.parse_san(label).is_ok(), "{label}");
            seen += 1;
        }
    }
    assert!(seen >= 20, "all first moves are there");
    let beyond = page.ask(&json!({ "type": "unfold", "id": 4, "node": count }));
    assert_eq!(beyond["type"], "error");
}

const LEGAL: &str = "[White \"Anna\"]\n[Black \"Bert\"]\n\n1. e4 e5 2. Nf3 d6 3. Bc4 Bg4 4. Nc3 g6 \
                     (4... Nf6 5. h3) 5. Nxe5 Bxd1 6. Bxf7+ Ke7 7. Nd5# 1-0\n";

#[test]
fn a_game_is_read_with_its_variations() {
    let server = Server::new();
    let mut page = server.page();
    let game = page.ask(&json!({ "type": "game", "id": 1, "pgn": LEGAL }));
    let moves = game["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 15, "{game}");
    assert_eq!((&game["headers"]["White"], &game["chess960"]), (&json!("Anna"), &Value::Null));
    let aside: Vec<&Value> =
        moves.iter().filter(|mv| mv["san"] == "Nf6" || mv["san"] == "h3").collect();
    // The variation hangs where the move it replaces does.
    let replaced = moves.iter().find(|mv| mv["san"] == "g6").unwrap();
    assert_eq!(aside[0]["parent"], replaced["parent"]);
    for text in ["", "hello", "[FEN \"nonsense\"]\n\n1. e4 *", "1. e5", "[Variant \"Atomic\"]\n\n*"]
    {
        let answer = page.ask(&json!({ "type": "game", "id": 2, "pgn": text }));
        assert_eq!(answer["type"], "error", "{text}: {answer}");
    }
    // What can be read of a damaged game is, with a word about the rest.
    let damaged = page.ask(&json!({ "type": "game", "id": 3, "pgn": "1. e4 e5 2. Qxf9 Nc6 *" }));
    assert_eq!(damaged["moves"].as_array().unwrap().len(), 2);
    assert!(damaged["problems"][0].as_str().unwrap().contains("Qxf9"), "{damaged}");
}

#[test]
fn a_review_finds_the_blunder() {
    let server = Server::new();
    let mut page = server.page();
    page.say(&json!({ "type": "review", "id": 6, "pgn": LEGAL, "nodes": 20_000 }));
    let first = page.hear_of("progress");
    assert_eq!(first["total"], 14);
    let reviewed = page.hear_of("reviewed");
    let plies = reviewed["plies"].as_array().unwrap();
    assert_eq!(plies.len(), 13);
    assert_eq!(plies[9]["judgement"], "blunder", "{}", plies[9]);
    assert_eq!(plies[12]["judgement"], Value::Null);
    assert!(reviewed["white"]["accuracy"].as_f64() > reviewed["black"]["accuracy"].as_f64());
    // The better line can be played.
    let mut position = chess::Position::startpos();
    for san in ["e4", "e5", "Nf3", "d6", "Bc4", "Bg4", "Nc3", "g6", "Nxe5"] {
        position.make(position.parse_san(san).unwrap());
    }
    let best = plies[9]["best"].as_array().unwrap();
    assert!(!best.is_empty() && best.len() <= 12, "{best:?}");
    for step in best {
        position.make(position.parse_san(step["san"].as_str().unwrap()).unwrap());
        assert_eq!(position.to_fen(), step["fen"].as_str().unwrap());
    }
    // A review can be stopped, and replaced.
    page.say(&json!({ "type": "review", "id": 8, "pgn": LEGAL, "nodes": 2_000_000 }));
    page.say(&json!({ "type": "stop", "id": 8 }));
    page.say(&json!({ "type": "analyse", "id": 9, "at": {}, "lines": 1 }));
    page.hear_until(|message| message["id"] == 9 && message["depth"].as_i64() > Some(3));
}
