//! Fifty pages analyse at the same time for a minute: does each get its share, and does the server
//! stay small? `cargo run --release --package server --example load [pages] [seconds]`

#![allow(clippy::print_stdout)]

use std::thread;
use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use server::{Options, start};
use tokio::sync::oneshot;
use tokio::time::timeout_at;
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::Message;

const TOKEN: &str = "load-test-token";

/// What one page has seen.
#[derive(Default)]
struct Seen {
    updates: usize,
    depth: i64,
    nodes: u64,
    bytes: usize,
    longest_wait: Duration,
}

fn main() {
    let mut numbers = std::env::args().skip(1).filter_map(|word| word.parse::<usize>().ok());
    let pages = numbers.next().unwrap_or(50);
    let seconds = numbers.next().unwrap_or(60);
    let options = Options {
        port: Some(0),
        token: Some(TOKEN.into()),
        clients: pages + 1,
        ..Options::default()
    };
    let engines = options.engines;
    let server = start(&options).expect("the page was built and there is a free port");
    let socket = server.url().replace("http://", "ws://").replace("/?", "/api/v1/socket?");
    let (end, ended) = oneshot::channel::<()>();
    let clients = thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let seen = runtime.expect("a runtime").block_on(run(&socket, pages, seconds));
        drop(end);
        seen
    });
    let closed = async {
        let _ = ended.await;
    };
    server.run_until(closed).expect("the server serves");
    let (seen, trips) = clients.join().expect("the pages do not fail");
    report(&seen, trips, seconds, engines);
    println!("memory           {} MiB at most, pages included", peak_mebibytes());
    assert!(seen.iter().all(|seen| seen.updates > 0), "every page gets updates");
}

/// Lets all pages analyse, and one more ask for facts all the time.
async fn run(socket: &str, pages: usize, seconds: usize) -> (Vec<Seen>, Vec<Duration>) {
    let until = tokio::time::Instant::now() + Duration::from_secs(seconds as u64);
    let tasks: Vec<_> =
        (0..pages).map(|page| tokio::spawn(analyse(socket.to_owned(), page, until))).collect();
    let trips = tokio::spawn(visit(socket.to_owned(), until));
    let mut seen = Vec::new();
    for task in tasks {
        seen.push(task.await.expect("a page does not fail"));
    }
    (seen, trips.await.expect("the visitor does not fail"))
}

/// A page that analyses a position of its own.
async fn analyse(socket: String, page: usize, until: tokio::time::Instant) -> Seen {
    let (mut socket, _) = connect_async(socket).await.expect("there is room");
    let at = json!({ "start": { "chess960": page % 960 } });
    let ask = json!({ "type": "analyse", "id": 1, "at": at, "lines": 3, "statistics": true });
    socket.send(Message::text(ask.to_string())).await.expect("the server listens");
    let mut seen = Seen::default();
    let mut last = Instant::now();
    while let Ok(Some(Ok(message))) = timeout_at(until, socket.next()).await {
        let Message::Text(text) = message else { continue };
        let Ok(value) = serde_json::from_str::<Value>(&text) else { continue };
        seen.bytes += text.len();
        if value["type"] == "search" && value["nodes"].as_u64() > Some(seen.nodes) {
            seen.updates += 1;
            seen.depth = value["depth"].as_i64().unwrap_or(0);
            seen.nodes = value["nodes"].as_u64().unwrap_or(0);
            seen.longest_wait = seen.longest_wait.max(last.elapsed());
            last = Instant::now();
        }
    }
    seen
}

/// Somebody who makes moves meanwhile: how long the facts of a position take.
async fn visit(socket: String, until: tokio::time::Instant) -> Vec<Duration> {
    let (mut socket, _) = connect_async(socket).await.expect("there is room");
    let mut trips = Vec::new();
    let _ = socket.next().await;
    while tokio::time::Instant::now() < until {
        let ask = json!({ "type": "position", "id": 1, "at": { "moves": ["e4", "e5"] } });
        let began = Instant::now();
        socket.send(Message::text(ask.to_string())).await.expect("the server listens");
        let answered = timeout_at(until, socket.next()).await.is_ok();
        if answered {
            trips.push(began.elapsed());
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    trips
}

fn report(seen: &[Seen], mut trips: Vec<Duration>, seconds: usize, engines: usize) {
    trips.sort_unstable();
    let trip = |share: f64| trips.get(((trips.len() as f64 - 1.0) * share) as usize).copied();
    let updates = |pick: fn(std::slice::Iter<'_, Seen>) -> Option<&Seen>| {
        pick(seen.iter()).map_or(0, |seen| seen.updates)
    };
    let least = updates(|all| all.min_by_key(|seen| seen.updates));
    let most = updates(|all| all.max_by_key(|seen| seen.updates));
    let (low, high) = (
        seen.iter().map(|seen| seen.nodes).min().unwrap_or(0),
        seen.iter().map(|seen| seen.nodes).max().unwrap_or(0),
    );
    let wait = seen.iter().map(|seen| seen.longest_wait).max().unwrap_or_default();
    let bytes: usize = seen.iter().map(|seen| seen.bytes).sum();
    println!("{} pages, {engines} engines, {seconds} s", seen.len());
    println!("updates a page   {least} to {most}");
    println!("depth            {:?}", seen.iter().map(|seen| seen.depth).min().unwrap_or(0));
    println!("nodes a page     {low} to {high}");
    println!("longest wait     {:.1} s", wait.as_secs_f64());
    println!("traffic          {} KiB/s", bytes / 1024 / seconds.max(1));
    println!(
        "facts of a move  {:.1} ms usual, {:.1} ms at worst",
        trip(0.5).unwrap_or_default().as_secs_f64() * 1000.0,
        trip(1.0).unwrap_or_default().as_secs_f64() * 1000.0
    );
}

/// The most memory that this process has had, where the system tells.
fn peak_mebibytes() -> u64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|rest| rest.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or(0) / 1024
}
