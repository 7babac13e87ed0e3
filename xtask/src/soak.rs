//! A long analysis with changing positions and options: the memory stays, and so does the speed.

use std::time::{Duration, Instant};

use chess::Castling;

use crate::Failure;
use crate::speed::median;
use crate::stress::{Chance, Client, program, random_game, random_start};

const PATIENCE: Duration = Duration::from_secs(60);

/// Positions whose speed is measured.
const MEASURED: [&str; 3] = [
    "r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2NB1N2/PP3PPP/R1BQ1RK1 w - - 0 10",
    "3r2k1/1p3ppp/p1n5/2p1P3/2P2P2/1P2B3/P5PP/3R2K1 b - - 0 25",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
];

/// How often each is measured, in turn with a program that has just started.
const ROUNDS: usize = 12;

const SLOWER: f64 = 0.97;
const LARGER: f64 = 1.02;

/// Analyses for so many minutes.
pub(crate) fn run(arguments: &[&str]) -> Result<(), Failure> {
    let minutes = arguments.first().copied().unwrap_or("60");
    let minutes: f64 = minutes.parse().map_err(|_| format!("{minutes:?} is no number"))?;
    let program = program(arguments.get(1).copied())?;
    let mut client = Client::start(&program)?;
    let mut chance = Chance::new(9);
    // Everything is used once before the memory is looked at.
    for line in ["Threads value 2", "Hash value 64", "MultiPV value 5"] {
        client.send(&format!("setoption name {line}"))?;
    }
    for _ in 0..20 {
        analyse(&mut client, &mut chance, Duration::from_millis(200))?;
    }
    let before = memory(&mut client)?;
    let end = Instant::now() + Duration::from_secs_f64(minutes * 60.0);
    let mut searches = 0;
    while Instant::now() < end {
        let time = Duration::from_millis(chance.between(50, 4000) as u64);
        analyse(&mut client, &mut chance, time)?;
        searches += 1;
    }
    let after = memory(&mut client)?;
    let share = share_of_speed(&mut client, &mut Client::start(&program)?)?;
    println!("{searches} searches in {minutes} minutes");
    println!("speed  {:.1} % of that of a program that has just started", 100.0 * share);
    let growth = match (before, after) {
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

/// The memory with one thread and a small table, after some searches.
fn memory(client: &mut Client) -> Result<Option<u64>, Failure> {
    settle(client)?;
    for fen in MEASURED {
        time(client, fen)?;
    }
    Ok(client.resident())
}

/// How fast the first is, as a share of the second: the median of neighbouring searches, so that
/// what slows the machine slows both.
fn share_of_speed(old: &mut Client, fresh: &mut Client) -> Result<f64, Failure> {
    settle(old)?;
    settle(fresh)?;
    let mut shares = Vec::new();
    for round in 0..ROUNDS {
        for fen in MEASURED {
            let (slow, quick) = if round % 2 == 0 {
                let slow = time(old, fen)?;
                (slow, time(fresh, fen)?)
            } else {
                let quick = time(fresh, fen)?;
                (time(old, fen)?, quick)
            };
            shares.push(quick.as_secs_f64() / slow.as_secs_f64());
        }
    }
    Ok(median(shares))
}

fn settle(client: &mut Client) -> Result<(), Failure> {
    for line in ["Threads value 1", "Hash value 16", "MultiPV value 1"] {
        client.send(&format!("setoption name {line}"))?;
    }
    client.ready(PATIENCE)
}

/// How long a search of one thread takes that always visits the same nodes.
fn time(client: &mut Client, fen: &str) -> Result<Duration, Failure> {
    client.send("ucinewgame")?;
    client.send(&format!("position fen {fen}"))?;
    client.ready(PATIENCE)?;
    let begun = Instant::now();
    client.send("go nodes 200000")?;
    Ok(client.until("bestmove ", PATIENCE)?.at.duration_since(begun))
}
