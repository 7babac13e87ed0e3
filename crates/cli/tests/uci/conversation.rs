//! What must hold while a search runs.

use std::time::{Duration, Instant};

use chess::Position;

use crate::client::{Client, DEADLINE, best_move};

/// Long enough to see that nothing comes.
const SILENCE: Duration = Duration::from_millis(150);

fn legal(fen: &str, mv: Option<&str>) -> bool {
    let position = Position::from_fen(fen).unwrap();
    mv.is_some_and(|mv| position.parse_uci(mv).is_ok())
}

/// No best move comes for a while; info lines may.
fn assert_thinking(client: &Client) {
    let end = Instant::now() + SILENCE;
    while let Some(line) = client.line_within(end.saturating_duration_since(Instant::now())) {
        assert!(!line.starts_with("bestmove"), "{line}");
    }
}

#[test]
fn a_bench_can_be_stopped_and_what_waits_behind_it_goes_on() {
    let mut client = Client::start();
    client.send("bench 60");
    client.send("go depth 2");
    client.send("isready");
    client.send("stop");
    let lines = client.until("bestmove");
    assert!(lines.contains(&String::from("info string bench stopped")), "{lines:#?}");
    assert!(lines.contains(&String::from("readyok")), "{lines:#?}");
    client.quit();
}

#[test]
fn isready_and_stop_are_answered_during_a_search() {
    let mut client = Client::start();
    client.send("go infinite");
    for _ in 0..3 {
        client.ready();
    }
    assert_thinking(&client);
    client.send("stop");
    client.until("bestmove");
    assert_eq!(client.ready(), [""; 0]);
    client.quit();
}

#[test]
fn an_infinite_search_waits_for_stop_whatever_it_has_found() {
    let mut client = Client::start();
    for fen in [
        "7k/8/6K1/8/8/8/5Q2/8 w - - 0 1",
        "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
        "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
        "8/8/8/4k3/8/8/8/4K3 w - - 0 1",
    ] {
        client.send(&format!("position fen {fen}"));
        for parameters in ["infinite", "infinite depth 1", "infinite movetime 1"] {
            client.send(&format!("go {parameters}"));
            assert_thinking(&client);
            client.send("stop");
            let answer = client.until("bestmove").pop().unwrap();
            let over = !Position::from_fen(fen).unwrap().has_legal_move();
            assert_eq!(best_move(&answer).is_none(), over, "{fen} {answer}");
        }
    }
    client.quit();
}

#[test]
fn commands_during_a_search_wait_and_do_not_disturb_it() {
    let mut client = Client::start();
    let start = Position::startpos().to_fen();
    client.send("position startpos");
    client.send("go infinite");
    client.send("position fen 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
    client.send("setoption name Threads value 2");
    client.send("setoption name Hash value 4");
    client.send("ucinewgame");
    client.send("d");
    client.ready();
    client.send("stop");
    let answer = client.until("bestmove").pop().unwrap();
    assert!(legal(&start, best_move(&answer)), "{answer}");
    let lines = client.until("Checkers");
    assert!(lines.iter().any(|line| line.starts_with("Fen: 4k3/8/8/8/8/8/4P3/4K3")), "{lines:#?}");
    client.quit();
}

#[test]
fn every_go_gets_exactly_one_best_move() {
    let mut client = Client::start();
    let burst = "position startpos\ngo infinite\nstop\n".repeat(1000);
    client.send_bytes(burst.as_bytes());
    for _ in 0..1000 {
        client.until("bestmove");
    }
    assert_eq!(client.ready(), [""; 0]);
    client.send("go infinite");
    client.send("go wtime 100 btime 100");
    for _ in 0..3 {
        client.send("stop");
    }
    client.until("bestmove");
    client.until("bestmove");
    assert_eq!(client.ready(), [""; 0]);
    client.quit();
}

#[test]
fn a_stop_does_not_reach_the_next_search() {
    let mut client = Client::start();
    client.send("stop");
    client.send("go depth 4");
    client.send("go depth 4");
    for _ in 0..2 {
        let lines = client.until("bestmove");
        assert!(lines.iter().any(|line| line.starts_with("info depth 4 ")), "{lines:#?}");
    }
    client.quit();
}

#[test]
fn pondering_waits_for_the_hit_or_the_stop() {
    let mut client = Client::start();
    client.send("position startpos moves e2e4");
    client.send("go ponder wtime 200 btime 200");
    assert_thinking(&client);
    client.send("ponderhit");
    client.until("bestmove");
    client.send("go ponder wtime 200 btime 200");
    assert_thinking(&client);
    client.send("stop");
    client.until("bestmove");
    client.send("ponderhit");
    assert_eq!(client.ready(), [""; 0]);
    client.send("go ponder wtime 200 btime 200\nponderhit");
    client.until("bestmove");
    client.quit();
}

#[test]
fn the_last_line_before_the_best_move_is_exact_and_agrees_with_it() {
    let mut client = Client::start();
    for parameters in
        ["depth 6", "nodes 1", "nodes 5000", "movetime 1", "wtime 1 btime 1", "wtime 0"]
    {
        let lines = client.go(parameters);
        let [.., info, answer] = &lines[..] else { panic!("{lines:#?}") };
        assert!(info.starts_with("info depth ") && !info.contains("bound"), "{info}");
        let first = info.split(" pv ").nth(1).and_then(|pv| pv.split(' ').next());
        assert_eq!(first, best_move(answer), "{parameters}: {info}");
    }
    client.quit();
}

#[test]
fn several_lines_are_numbered_in_order_of_their_scores() {
    let mut client = Client::start();
    client.send("setoption name MultiPV value 5");
    let lines = client.go("depth 5");
    let last: Vec<&String> = lines
        .iter()
        .filter(|line| line.starts_with("info depth 5 ") && !line.contains("bound"))
        .collect();
    let last = &last[last.len() - 5..];
    let field = |line: &str, name: &str| -> i32 {
        line.split(&format!(" {name} ")).nth(1).unwrap().split(' ').next().unwrap().parse().unwrap()
    };
    for (index, line) in last.iter().enumerate() {
        assert_eq!(field(line, "multipv"), index as i32 + 1, "{last:#?}");
    }
    assert!(last.is_sorted_by_key(|line| -field(line, "cp")), "{last:#?}");
    client.send("position fen 8/8/8/4k3/8/8/8/4K3 w - - 0 1");
    client.send("setoption name MultiPV value 256");
    assert!(client.go("depth 2").iter().all(|line| !line.contains("multipv 6 ")));
    client.quit();
}

#[test]
fn the_program_ends_at_once_during_a_search() {
    for ending in ["quit", ""] {
        let mut client = Client::start();
        client.send("go infinite");
        client.ready();
        let asked = Instant::now();
        if ending.is_empty() {
            client.close_input();
        } else {
            client.send(ending);
        }
        assert!(client.exit(DEADLINE).success());
        assert!(asked.elapsed() < Duration::from_secs(5), "{:?}", asked.elapsed());
    }
}

#[test]
fn a_long_count_can_be_stopped() {
    let mut client = Client::start();
    client.send("perft 40");
    client.send("stop");
    client.until("info string perft stopped");
    client.send("speedtest 1 1 100000");
    assert_thinking(&client);
    client.send("stop");
    let lines = client.ready();
    assert!(lines.last().is_some_and(|line| line.ends_with(" nps")), "{lines:#?}");
    client.quit();
}

#[test]
fn thousands_of_moves_are_one_line_like_any_other() {
    let mut client = Client::start();
    let moves = " g1f3 g8f6 f3g1 f6g8".repeat(2500);
    client.send(&format!("position startpos moves e2e4 e7e5{moves}"));
    let answer = client.go("nodes 1000").pop().unwrap();
    assert!(best_move(&answer).is_some(), "{answer}");
    client.quit();
}

#[test]
fn debugging_tells_more() {
    let mut client = Client::start();
    assert!(client.go("depth 1").iter().all(|line| !line.starts_with("info string")));
    client.send("debug on");
    assert!(client.go("depth 1").iter().any(|line| line.starts_with("info string searching")));
    client.quit();
}

#[test]
fn statistics_are_told_during_a_search_and_after_it() {
    let mut client = Client::start();
    client.send("stats on");
    client.send("go infinite");
    let end = Instant::now() + DEADLINE;
    let running = loop {
        client.send("stats json");
        let lines = client.ready();
        if let Some(json) = lines.into_iter().find(|line| line.starts_with('{')) {
            break json;
        }
        assert!(Instant::now() < end, "no statistics come");
    };
    client.send("qstats json");
    let quiescence = client.ready().into_iter().find(|line| line.starts_with('{')).unwrap();
    client.send("stop");
    client.until("bestmove");
    let ended = client.ask("stats json").pop().unwrap();
    let read = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
    let (running, quiescence, ended) = (read(&running), read(&quiescence), read(&ended));
    assert_eq!((&running["running"], &ended["running"]), (&true.into(), &false.into()));
    assert_eq!(ended["stop"], "requested");
    for (kind, total) in [("nodes_by_kind", "nodes"), ("cutoffs_by_stage", "cutoffs")] {
        for statistics in [&running, &ended] {
            let parts = statistics[kind].as_object().unwrap().values();
            let sum: u64 = parts.map(|part| part.as_u64().unwrap()).sum();
            assert_eq!(sum, statistics[total].as_u64().unwrap(), "{kind}");
        }
    }
    assert!(quiescence["quiescence_nodes"].as_u64() > Some(0));
    client.quit();
}

#[test]
fn debugging_tells_what_a_search_did() {
    let mut client = Client::start();
    client.send("debug on");
    let lines = client.go("depth 4");
    let told = |text: &str| lines.iter().filter(|line| line.contains(text)).count();
    assert_eq!(
        told("cutoffs on the first move; ended because the depth asked for"),
        1,
        "{lines:?}"
    );
    client.send("debug off");
    assert!(client.go("depth 4").iter().all(|line| !line.contains("info string")));
    client.quit();
}
