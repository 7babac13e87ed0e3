//! Strangers, bad input and too much of it.

use std::io::Write;
use std::net::TcpStream;
use std::time::Duration;

use serde_json::json;
use server::{Options, Problem, start};

use crate::client::{Page, Server, TOKEN, options};

fn status(response: &str) -> u16 {
    response.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or(0)
}

#[test]
fn the_page_opens_with_the_token_and_only_with_it() {
    let server = Server::new();
    let front = |headers: &str, query: &str| {
        server.http(&format!(
            "GET /{query} HTTP/1.1\r\nHost: localhost:PORT\r\n{headers}Connection: close\r\n\r\n"
        ))
    };
    assert_eq!(status(&front("", "")), 403);
    assert_eq!(status(&front("", "?token=wrong")), 403);
    assert_eq!(status(&front("Cookie: halcyon-PORT=wrong\r\n", "")), 403);
    let welcome = front("", &format!("?token={TOKEN}"));
    assert_eq!(status(&welcome), 303, "{welcome}");
    assert!(welcome.contains("location: /\r\n"), "{welcome}");
    assert!(welcome.contains("HttpOnly; SameSite=Strict"), "{welcome}");
    let page = front(&format!("Cookie: halcyon-PORT={TOKEN}\r\n"), "");
    assert!(status(&page) == 200 && page.contains("<title>Halcyon</title>"), "{page}");
    for path in ["/app.js", "/app.css", "/icon.svg", "/api/v1/status"] {
        assert_eq!(status(&server.get(path)), 200, "{path}");
        let stranger = server.http(&format!(
            "GET {path} HTTP/1.1\r\nHost: localhost:PORT\r\nConnection: close\r\n\r\n"
        ));
        assert_eq!(status(&stranger), 403, "{path}");
    }
    assert_eq!(status(&server.get("/../Cargo.toml")), 404);
    assert_eq!(status(&server.get("/secret")), 404);
}

#[test]
fn other_hosts_and_other_sites_are_refused() {
    let server = Server::new();
    let request = |host: &str, origin: &str| {
        let origin =
            if origin.is_empty() { String::new() } else { format!("Origin: {origin}\r\n") };
        status(&server.http(&format!(
            "GET /api/v1/status HTTP/1.1\r\nHost: {host}\r\n{origin}\
             Cookie: halcyon-PORT={TOKEN}\r\nConnection: close\r\n\r\n"
        )))
    };
    assert_eq!(request("127.0.0.1:PORT", ""), 200);
    assert_eq!(request("127.0.0.1:PORT", "http://127.0.0.1:PORT"), 200);
    assert_eq!(request("rebound.example:PORT", ""), 421);
    assert_eq!(request("127.0.0.1:PORT", "http://evil.example"), 403);
    assert_eq!(request("127.0.0.1:PORT", "null"), 403);
    let stranger = Page::open_with(server.port, &[("origin", "http://evil.example".into())]);
    assert!(stranger.is_err());
    let own = format!("http://127.0.0.1:{}", server.port);
    assert!(Page::open_with(server.port, &[("origin", own)]).is_ok());
}

#[test]
fn every_response_has_the_strict_headers() {
    let server = Server::new();
    let bad_host = "GET / HTTP/1.1\r\nHost: evil\r\nConnection: close\r\n\r\n";
    for response in [server.get("/"), server.get("/nothing"), server.http(bad_host)] {
        let head = response.split("\r\n\r\n").next().unwrap();
        for header in [
            "content-security-policy: default-src 'none'; script-src 'self'; style-src 'self'; ",
            "frame-ancestors 'none'",
            "x-content-type-options: nosniff",
            "referrer-policy: no-referrer",
            "cross-origin-resource-policy: same-origin",
        ] {
            assert!(head.contains(header), "no {header} in {head}");
        }
        assert!(!head.contains("unsafe-"), "{head}");
    }
}

#[test]
fn nonsense_gets_a_message_and_the_server_continues() {
    let server = Server::new();
    let mut page = server.page();
    for text in [
        "",
        "{",
        "null",
        "[]",
        "\u{0}",
        r#"{"type":"position"}"#,
        r#"{"type":"fly","id":3}"#,
        r#"{"type":"position","id":-1,"at":{}}"#,
        r#"{"type":"position","id":1,"at":{"start":{"file":"/etc/passwd"}}}"#,
        r#"{"type":"analyse","id":1,"at":{},"lines":2,"EvalFile":"/etc/passwd"}"#,
        r#"{"type":"analyse","id":1,"at":{},"lines":-2}"#,
        r#"{"type":"stop"}"#,
    ] {
        page.say_text(text);
        let answer = page.hear_of("error");
        assert!(answer["message"].as_str().is_some_and(|words| words.len() > 10), "{text}");
    }
    let answer = page.ask(&json!({ "type": "fly", "id": 77 }));
    assert_eq!((&answer["type"], &answer["id"]), (&json!("error"), &json!(77)));
    let facts = page.ask(&json!({ "type": "position", "id": 5, "at": {} }));
    assert_eq!(facts["dests"].as_object().unwrap().len(), 10);
}

#[test]
fn impossible_positions_and_moves_are_explained() {
    let server = Server::new();
    let mut page = server.page();
    let long = "8/".repeat(200);
    for (start, moves, words) in [
        (json!({ "fen": "" }), json!([]), "position"),
        (json!({ "fen": "8/8/8/8/8/8/8/8 w - - 0 1" }), json!([]), "king"),
        (json!({ "fen": long }), json!([]), "too long"),
        (json!({ "chess960": 960 }), json!([]), "959"),
        (json!("usual"), json!(["e2e5"]), "“e2e5” is not a legal move"),
        (json!("usual"), json!(["e4", "e4\u{7}\u{1b}[2J"]), "legal move"),
        (json!("usual"), json!(vec!["e4"; 5000]), "half-moves"),
    ] {
        let at = json!({ "start": start, "moves": moves });
        for kind in ["position", "analyse"] {
            let answer = page.ask(&json!({ "type": kind, "id": 9, "at": at, "lines": 1 }));
            // A position has no lines: then the request itself is refused.
            let message = answer["message"].as_str().unwrap();
            let refused = kind == "position" && message.contains("lines");
            assert!(refused || message.contains(words), "{words} not in {message}");
            assert!(!message.contains('\u{1b}'), "{message}");
        }
    }
}

#[test]
fn a_message_of_any_size_ends_at_most_its_own_page() {
    let server = Server::new();
    let mut page = server.page();
    page.say_text(&format!(r#"{{"type":"position","id":1,"x":"{}"}}"#, "a".repeat(3 << 20)));
    assert_eq!(page.hear(), None);
    assert_eq!(server.page().ask(&json!({ "type": "position", "id": 1, "at": {} }))["id"], 1);
}

#[test]
fn there_are_only_so_many_pages() {
    let server = Server::with(Options { clients: 2, ..options() });
    let first = server.page();
    let _second = server.page();
    assert!(Page::open(server.port).is_err());
    assert_eq!(status(&server.get("/api/v1/status")), 503);
    drop(first);
    let again = (0..200).find_map(|_| {
        std::thread::sleep(Duration::from_millis(20));
        Page::open(server.port).ok()
    });
    assert!(again.is_some(), "a seat becomes free");
}

#[test]
fn an_address_that_others_reach_needs_a_long_token() {
    let open = Options { host: "0.0.0.0".into(), token: None, ..options() };
    assert!(matches!(start(&open), Err(Problem::NeedsToken(_))));
    for token in ["short", "with space and more", "semi;colon=1", ""] {
        let options = Options { token: Some(token.into()), ..options() };
        assert!(matches!(start(&options), Err(Problem::BadToken(8))), "{token}");
    }
    // Where others can guess, it must be longer.
    let public = |token: &str| {
        start(&Options { host: "0.0.0.0".into(), token: Some(token.into()), ..options() })
    };
    assert!(matches!(public("fifteen-letters"), Err(Problem::BadToken(16))));
    assert!(public("sixteen-letters-").is_ok());
    let nowhere = Options { host: "no such host".into(), ..options() };
    assert!(matches!(start(&nowhere), Err(Problem::BadHost(..))));
    let server = Server::new();
    let taken = Options { port: Some(server.port), ..options() };
    assert!(matches!(start(&taken), Err(Problem::Address(..))));
}

#[test]
fn half_requests_do_not_lock_others_out() {
    let server = Server::new();
    let half = |_| {
        let mut stream = TcpStream::connect(("127.0.0.1", server.port)).unwrap();
        stream.write_all(b"GET / HTTP/1.1\r\nHost: 127").unwrap();
        stream
    };
    // More than the server accepts at the same time.
    let connections: Vec<TcpStream> = (0..250).map(half).collect();
    assert_eq!(status(&server.get("/api/v1/status")), 200);
    server.page();
    drop(connections);
}

#[test]
fn hostile_games_are_read_while_others_are_served() {
    let mut server = Server::new();
    let texts = ["(".repeat(300_000), "(d4) ".repeat(60_000), "x ".repeat(150_000)];
    let mut hostile: Vec<Page> = texts.iter().map(|_| server.page()).collect();
    for (page, text) in hostile.iter_mut().zip(&texts) {
        page.say(&json!({ "type": "game", "id": 1, "pgn": format!("1. e4 {text}") }));
    }
    for id in 0..5 {
        let facts = server.page().ask(&json!({ "type": "position", "id": id, "at": {} }));
        assert_eq!(facts["id"], id);
    }
    // The end does not wait for them.
    server.close();
    for page in &mut hostile {
        while page.hear().is_some() {}
    }
}

#[test]
fn a_game_with_too_many_moves_is_refused() {
    let server = Server::new();
    let mut page = server.page();
    let many = "(1. d4 d5 2. c4) ".repeat(10_000);
    let answer = page.ask(&json!({ "type": "game", "id": 1, "pgn": format!("1. e4 {many} *") }));
    assert!(answer["message"].as_str().is_some_and(|text| text.contains("moves")), "{answer}");
}

#[test]
fn the_end_comes_in_the_middle_of_searches() {
    let mut server = Server::new();
    let mut pages: Vec<Page> = (0..3).map(|_| server.page()).collect();
    for page in &mut pages {
        page.say(&json!({ "type": "analyse", "id": 1, "at": {}, "lines": 3 }));
    }
    pages[0].hear_of("search");
    server.close();
    for page in &mut pages {
        while page.hear().is_some() {}
    }
}
