//! A long analysis with changing positions and options: the memory stays, and so does the speed.

use std::time::{Duration, Instant};

use chess::Castling;

use crate::Failure;
use crate::trial::{Chance, Client, program, random_game, random_start};

const PATIENCE: Duration = Duration::from_secs(60);

/// Positions whose speed is measured, at the start and at the end.
const MEASURED: [&str; 3] = [
    "r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2NB1N2/PP3PPP/R1BQ1RK1 w - - 0 10",
    "3r2k1/1p3ppp/p1n5/2p1P3/2P2P2/1P2B3/P5PP/3R2K1 b - - 0 25",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
];

/// How often each is measured; the best counts, the others were disturbed.
const SAMPLES: usize = 8;

const SLOWER: f64 = 0.97;
const LARGER: f64 = 1.02;

/// Analyses for so many minutes.
pub(crate) fn run(arguments: &[&str]) -> Result<(), Failure> {
    let minutes = arguments.first().copied().unwrap_or("60");
    let minutes: f64 = minutes.parse().map_err(|_| format!("{minutes:?} is no number"))?;
    let mut client = Client::start(&program(arguments.get(1).copied())?)?;
    let mut chance = Chance::new(9);
    // Everything is used once before anything is measured.
    for _ in 0..20 {
        analyse(&mut client, &mut chance, Duration::from_millis(200))?;
    }
    let (speed, memory) = (speed(&mut client)?, client.resident());
    let end = Instant::now() + Duration::from_secs_f64(minutes * 60.0);
    let mut searches = 0;
    while Instant::now() < end {
        let time = Duration::from_millis(chance.between(50, 4000) as u64);
        analyse(&mut client, &mut chance, time)?;
        searches += 1;
    }
    let (later, larger) = (self::speed(&mut client)?, client.resident());
    let share = later as f64 / speed as f64;
    println!("{searches} searches in {minutes} minutes");
    println!("speed  {speed} nps before, {later} after: {:.1} %", 100.0 * share);
    let growth = match (memory, larger) {
        (Some(before), Some(after)) => {
            println!("memory {before} KiB before, {after} KiB after");
            after as f64 / before as f64
        }
        _ => 1.0,
    };
    match () {
        () if growth > LARGER => Err(String::from("the memory grows")),
        () if share < SLOWER => Err(String::from("it becomes slower")),
        () => Ok(()),
    }
}

/// One search of a random position with random options, stopped after a time.
fn analyse(client: &mut Client, chance: &mut Chance, time: Duration) -> Result<(), Failure> {
    for (name, values) in [
        ("Threads", &["1", "2", "2"][..]),
        ("Hash", &["16", "16", "32", "64"]),
        ("MultiPV", &["1", "1", "3", "5"]),
        ("UCI_ShowWDL", &["true", "false"]),
    ] {
        if chance.one_in(5) {
            client.send(&format!("setoption name {name} value {}", chance.pick(values)))?;
        }
    }
    if chance.one_in(10) {
        client.send("ucinewgame")?;
    }
    let start = random_start(chance);
    let plies = chance.below(40);
    let (moves, position) = random_game(&start, plies, chance);
    let moves: Vec<String> = moves.iter().map(|mv| mv.to_uci(Castling::KingTakesRook)).collect();
    client.send(&format!("position fen {} moves {}", start.to_fen(), moves.join(" ")))?;
    client.send("go infinite")?;
    std::thread::sleep(time);
    client.send("stop")?;
    let best = client.until("bestmove ", PATIENCE)?;
    let is_none = best.text.starts_with("bestmove (none)");
    if is_none == position.has_legal_move() {
        return Err(client.failure(&format!("says {:?}", best.text)));
    }
    Ok(())
}

/// Nodes a second of fixed searches on one thread.
fn speed(client: &mut Client) -> Result<u64, Failure> {
    for line in ["Threads value 1", "Hash value 16", "MultiPV value 1"] {
        client.send(&format!("setoption name {line}"))?;
    }
    let (mut nodes, mut time) = (0, Duration::ZERO);
    for fen in MEASURED {
        let mut best: Option<Duration> = None;
        let count = 200_000;
        for _ in 0..SAMPLES {
            client.send("ucinewgame")?;
            client.send(&format!("position fen {fen}"))?;
            client.ready(PATIENCE)?;
            let begun = Instant::now();
            client.send(&format!("go nodes {count}"))?;
            let took = client.until("bestmove ", PATIENCE)?.at.duration_since(begun);
            best = Some(best.map_or(took, |best| best.min(took)));
        }
        nodes += count;
        time += best.unwrap_or_default();
    }
    Ok((nodes as f64 / time.as_secs_f64()) as u64)
}
