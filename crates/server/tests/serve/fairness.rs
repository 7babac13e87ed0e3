//! Many pages, one engine.

use serde_json::json;
use server::Options;

use crate::client::{Page, Server, options};

#[test]
fn every_page_gets_its_share() {
    let server = Server::with(Options { engines: 1, ..options() });
    let mut pages: Vec<Page> = (0..8).map(|_| server.page()).collect();
    let openings = ["e4", "d4", "c4", "Nf3", "b3", "g3", "f4", "Nc3"];
    for (page, first) in pages.iter_mut().zip(openings) {
        let at = json!({ "moves": [first] });
        page.say(&json!({ "type": "analyse", "id": 1, "at": at, "lines": 1 }));
    }
    // Each has run, been set aside for the others, and run again.
    for page in &mut pages {
        let first = page.hear_until(|message| message["depth"].as_i64() > Some(0));
        let aside = page.hear_until(|message| message["state"] == "waiting");
        assert!(aside["depth"].as_i64() >= first["depth"].as_i64());
        let again = page.hear_until(|message| {
            message["state"] == "running" && message["nodes"].as_u64() >= aside["nodes"].as_u64()
        });
        assert!(again["depth"].as_i64() >= aside["depth"].as_i64());
    }
}

#[test]
fn a_game_does_not_wait_for_the_analyses_of_others() {
    let server = Server::new();
    let mut others: Vec<Page> = (0..6).map(|_| server.page()).collect();
    for page in &mut others {
        page.say(&json!({ "type": "analyse", "id": 1, "at": {}, "lines": 1 }));
    }
    let mut player = server.page();
    for id in 1..=3 {
        player.say(&json!({ "type": "play_move", "id": id, "at": {}, "elo": 1000 }));
        let best = player.hear_until(|message| message["type"] == "best");
        assert!(best["best"]["san"].is_string());
    }
}

#[test]
fn pages_that_leave_make_room() {
    let server = Server::new();
    for round in 0..5 {
        let mut pages: Vec<Page> = (0..6).map(|_| server.page()).collect();
        for page in &mut pages {
            page.say(&json!({ "type": "analyse", "id": round, "at": {}, "lines": 2 }));
        }
    }
    let mut last = server.page();
    last.say(&json!({ "type": "analyse", "id": 1, "at": {}, "lines": 1 }));
    last.hear_until(|message| message["depth"].as_i64() >= Some(5));
}
