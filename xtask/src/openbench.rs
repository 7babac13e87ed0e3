//! What a worker of OpenBench does, from the commit to the games.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use chess::{Castling, Color, KeyHistory, Outcome, Position};

use crate::Failure;
use crate::shell::{self, Steps, command, target};
use crate::uci::Engine;

/// Openings; each is played with both colours.
const OPENINGS: usize = 5;
/// Milliseconds for a game, and for each move.
const CLOCK: (u64, u64) = (1000, 10);
/// Workers forgive this much.
const MARGIN: Duration = Duration::from_millis(250);
/// Longer games are drawn.
const MAX_PLIES: usize = 400;
/// A bench must not take longer.
const BENCH_LIMIT: Duration = Duration::from_secs(60);

/// Builds the last commit with `make`, benches it twice at once, and plays.
pub(crate) fn run() -> Result<(), Failure> {
    let sha = git(&["rev-parse", "--short=8", "HEAD"])?;
    let folder = target().join("openbench");
    let name = format!("halcyon-{}", sha.trim());
    let program = folder.join(&name);
    let mut steps = Steps::default();
    steps.step("export", || export(&folder))?;
    steps.step("build", || build(&folder, &name))?;
    steps.step("bench", || bench(&program))?;
    let mut openings = Vec::new();
    steps.step("openings", || {
        openings = find_openings(&program)?;
        Ok(())
    })?;
    steps.step("parameters", || parameters(&program))?;
    steps.step("games", || games(&program, &openings))?;
    steps.summary();
    Ok(())
}

fn git(arguments: &[&str]) -> Result<String, Failure> {
    shell::text(command("git", arguments))
}

/// A copy of the commit without anything that is not in it.
pub(crate) fn export(folder: &Path) -> Result<(), Failure> {
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(|error| error.to_string())?;
    }
    fs::create_dir_all(folder).map_err(|error| error.to_string())?;
    let archive = folder.join("commit.tar");
    let archive = archive.to_string_lossy();
    git(&["archive", "--format=tar", "--output", &archive, "HEAD"])?;
    let mut unpack = command("tar", &["xf", &archive]);
    unpack.current_dir(folder);
    shell::text(unpack).map(|_| ())
}

/// As workers build: nothing is known but the name. The network is not needed.
fn build(folder: &Path, name: &str) -> Result<(), Failure> {
    let mut make = command("make", &["-j", &format!("EXE={name}")]);
    make.current_dir(folder).env_remove("CARGO_TARGET_DIR").env("CARGO_NET_OFFLINE", "true");
    shell::run(make)?;
    if folder.join(name).exists() { Ok(()) } else { Err(format!("make has not made {name}")) }
}

/// Twice at once; both must give the count that the last commit with one promises.
fn bench(program: &Path) -> Result<(), Failure> {
    let started = Instant::now();
    let one = || {
        let mut command = Command::new(program);
        command.arg("bench");
        shell::text(command).and_then(|text| read_bench(&text))
    };
    let results = thread::scope(|scope| {
        let both = [scope.spawn(one), scope.spawn(one)];
        both.map(|thread| thread.join().unwrap_or_else(|_| Err("a bench failed".into())))
    });
    let [first, second] = results;
    let ((nodes, nps), (again, _)) = (first?, second?);
    let expected = promised_bench("HEAD")?;
    println!("{nodes} nodes, {nps} nodes per second each of two; the commit says {expected}");
    if nodes != again || nodes != expected {
        return Err(format!("bench gives {nodes} and {again}, the commit says {expected}"));
    }
    if started.elapsed() > BENCH_LIMIT { Err("bench takes too long".into()) } else { Ok(()) }
}

/// The count and the speed, read from the end as workers do.
pub(crate) fn read_bench(text: &str) -> Result<(u64, u64), Failure> {
    let find = |unit: &str| {
        text.lines().rev().find_map(|line| {
            let words: Vec<&str> = line.split(|letter: char| !letter.is_alphanumeric()).collect();
            let place = words.iter().position(|word| *word == unit)?;
            words.get(place.checked_sub(1)?)?.parse().ok()
        })
    };
    find("nodes").zip(find("nps")).ok_or_else(|| format!("no nodes or nps in {text}"))
}

/// The nodes of a bench, as this commit or the last before it that says so promises them.
pub(crate) fn promised_bench(commit: &str) -> Result<u64, Failure> {
    promised(&git(&["log", "-n", "400", "--format=%B%x00", commit])?)
}

/// The count of the last commit that has one, from messages with a NUL between them.
fn promised(log: &str) -> Result<u64, Failure> {
    let line = |message: &str| {
        let lines = message.lines().rev();
        lines.filter_map(|line| line.strip_prefix("Bench: ")?.trim().parse().ok()).next()
    };
    log.split('\0').find_map(line).ok_or_else(|| "no commit says what bench gives".into())
}

fn find_openings(program: &Path) -> Result<Vec<Position>, Failure> {
    let mut command = Command::new(program);
    command.args([&format!("genfens {OPENINGS} seed 1 book None "), "quit"]);
    let text = shell::text(command)?;
    let fens = text.lines().filter_map(|line| line.strip_prefix("info string genfens "));
    let found: Result<Vec<Position>, _> = fens.map(Position::from_fen).collect();
    let found = found.map_err(|error| error.to_string())?;
    if found.len() == OPENINGS { Ok(found) } else { Err(format!("genfens says {text}")) }
}

fn parameters(program: &Path) -> Result<(), Failure> {
    let mut command = Command::new(program);
    command.arg("spsa");
    let text = shell::text(command)?;
    let right = |line: &str| {
        let fields: Vec<&str> = line.split(", ").collect();
        fields.len() == 7
            && fields[1] == "int"
            && fields[2..].iter().all(|f| f.parse::<f64>().is_ok())
    };
    match text.lines().find(|line| !right(line)) {
        None if !text.is_empty() => {
            println!("{} parameters", text.lines().count());
            Ok(())
        }
        wrong => Err(format!("spsa says {wrong:?}")),
    }
}

fn games(program: &Path, openings: &[Position]) -> Result<(), Failure> {
    let mut points = [0; 3];
    for opening in openings {
        for _ in 0..2 {
            let mut players = [Engine::start(program)?, Engine::start(program)?];
            let (result, plies, reason) = play(&mut players, opening)?;
            println!("{plies} plies, {reason}");
            points[result] += 1;
        }
    }
    println!("{} games: White won {}, Black {}", points.iter().sum::<i32>(), points[0], points[1]);
    Ok(())
}

/// One game of a program against itself, by the clock.
pub(crate) fn play_one(
    players: &mut [Engine; 2],
    start: &Position,
) -> Result<&'static str, Failure> {
    play(players, start).map(|(_, _, reason)| reason)
}

/// One game; who has won (White, Black or nobody), its length and why it ended. A move that is late
/// or not legal is a failure of the engine and of the test.
fn play(
    players: &mut [Engine; 2],
    start: &Position,
) -> Result<(usize, usize, &'static str), Failure> {
    let (time, increment) = CLOCK;
    let mut clocks = [Duration::from_millis(time); 2];
    let (mut position, mut history, mut moves) =
        (*start, KeyHistory::with_capacity(512), String::new());
    for player in players.iter_mut() {
        for option in ["Threads value 1", "Hash value 16"] {
            player.send(&format!("setoption name {option}"))?;
        }
        player.send("ucinewgame")?;
        player.ask("isready", "readyok")?;
    }
    for ply in 0..MAX_PLIES {
        match position.outcome() {
            Some(Outcome::Win(Color::White)) => return Ok((0, ply, "White mates")),
            Some(Outcome::Win(Color::Black)) => return Ok((1, ply, "Black mates")),
            Some(Outcome::Draw) => return Ok((2, ply, "drawn by the rules")),
            None if position.is_fifty_move_draw() => return Ok((2, ply, "drawn by fifty moves")),
            None if history.is_threefold(&position) => return Ok((2, ply, "drawn by repetition")),
            None => {}
        }
        let side = position.side_to_move().index();
        let player = &mut players[side];
        player.send(&format!("position fen {} moves{moves}", start.to_fen()))?;
        player.ask("isready", "readyok")?;
        let [white, black] = clocks.map(|clock| clock.as_millis());
        let go = format!("go wtime {white} btime {black} winc {increment} binc {increment}");
        let begun = Instant::now();
        let answer = player.ask(&go, "bestmove")?;
        let spent = begun.elapsed();
        if spent > clocks[side] + MARGIN {
            return Err(format!("a move took {spent:?} with {:?} left", clocks[side]));
        }
        clocks[side] = clocks[side].saturating_sub(spent) + Duration::from_millis(increment);
        let text = answer.split_ascii_whitespace().nth(1).unwrap_or_default();
        let mv = position
            .parse_uci(text)
            .map_err(|error| format!("{text} after {}{moves} is {error}", start.to_fen()))?;
        moves.push_str(&format!(" {}", mv.to_uci(Castling::KingMove)));
        history.push(&position);
        position.make(mv);
    }
    Ok((2, MAX_PLIES, "drawn for its length"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bench_is_read_from_the_end() {
        let text = "   123 nodes  8/8 w - -\n4567 nodes 890 nps\n";
        assert_eq!(read_bench(text), Ok((4567, 890)));
        assert!(read_bench("nothing").is_err());
    }

    #[test]
    fn the_last_promise_counts() {
        let log = "Say more\n\nNo functional change\n\0Search less\n\nwhy\nBench: 12\n\0Old\nBench: 9\n\0";
        assert_eq!(promised(log), Ok(12));
        assert!(promised("").is_err());
    }
}
