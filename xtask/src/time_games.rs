//! Games against short clocks on a busy machine: no clock may run out that could have been kept.

use std::hint;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

use crate::Failure;
use crate::stress::referee::{Pace, Player, Report, play};
use crate::stress::{Chance, program, random_game};

/// Games that are played at the same time.
const BOARDS: usize = 2;

const OVERHEADS: [usize; 6] = [0, 1, 5, 10, 25, 50];

/// Milliseconds at the start, for each move, and the moves that they are for; and of twenty games
/// how many are played so.
const SERIES: [(&str, u64, u64, Option<usize>, usize); 6] = [
    ("0.1+0.001", 100, 1, None, 4),
    ("0.1", 100, 0, None, 4),
    ("0.5+0.005", 500, 5, None, 4),
    ("0.5", 500, 0, None, 4),
    ("40/2", 2000, 0, Some(40), 2),
    ("40/2+0.02", 2000, 20, Some(40), 2),
];

/// Plays so many games beside so many threads that do nothing but keep processors busy.
pub(crate) fn run(arguments: &[&str]) -> Result<(), Failure> {
    let number = |text: &str| text.parse::<usize>().map_err(|_| format!("{text:?} is no number"));
    let games = arguments.first().map_or(Ok(2000), |text| number(text))?;
    let cores = thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let load = arguments.get(1).map_or(Ok(cores), |text| number(text))?;
    let program = program(arguments.get(2).copied())?;
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        for _ in 0..load {
            scope.spawn(|| {
                while !done.load(Relaxed) {
                    hint::spin_loop();
                }
            });
        }
        let result = all_series(&program, games);
        done.store(true, Relaxed);
        result
    })
}

fn all_series(program: &Path, games: usize) -> Result<(), Failure> {
    let (mut played, mut avoidable) = (0, 0);
    for (name, start, increment, moves, share) in SERIES {
        let ms = Duration::from_millis;
        let pace = Pace::Clock { start: ms(start), increment: ms(increment), moves };
        let tally = series(program, pace, games * share / 20)?;
        println!("{name:<12}{tally}");
        played += tally.games;
        avoidable += tally.avoidable;
    }
    println!("{played} games, {avoidable} clocks ran out that could have been kept");
    if avoidable == 0 { Ok(()) } else { Err(format!("{avoidable} avoidable forfeits")) }
}

#[derive(Default)]
struct Tally {
    games: usize,
    plies: usize,
    forfeits: usize,
    avoidable: usize,
}

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { games, plies, forfeits, avoidable } = self;
        write!(
            f,
            "{games:>5} games {plies:>7} plies {forfeits:>4} forfeits {avoidable:>3} avoidable"
        )
    }
}

impl Tally {
    fn add(&mut self, report: &Report) {
        self.games += 1;
        self.plies += report.plies;
        let Some(forfeit) = &report.forfeit else { return };
        self.forfeits += 1;
        let avoidable = forfeit.was_avoidable();
        self.avoidable += usize::from(avoidable);
        let ms = |time: Duration| time.as_secs_f64() * 1000.0;
        println!(
            "  {}: {:.1} ms left, {:.1} used, {:.1} of them in the queue, overhead {:.0}",
            if avoidable { "AVOIDABLE" } else { "unavoidable" },
            ms(forfeit.left),
            ms(forfeit.used),
            ms(forfeit.waited),
            ms(forfeit.overhead),
        );
    }
}

fn series(program: &Path, pace: Pace, games: usize) -> Result<Tally, Failure> {
    let (next, tally) = (AtomicUsize::new(0), Mutex::new(Tally::default()));
    let board = || -> Result<(), Failure> {
        let player = || Player::start(program, &[("Hash", 4)]);
        let mut players = [player()?, player()?];
        loop {
            let number = next.fetch_add(1, Relaxed);
            if number >= games {
                return Ok(());
            }
            let mut chance = Chance::new(number as u64);
            for player in &mut players {
                player.set("Move Overhead", chance.pick(&OVERHEADS))?;
            }
            let (_, opening) = random_game(&chess::Position::startpos(), 8, &mut chance);
            let report = play(&mut players, &opening, pace)?;
            tally.lock().map_err(|error| error.to_string())?.add(&report);
        }
    };
    thread::scope(|scope| {
        let boards: Vec<_> = (0..BOARDS).map(|_| scope.spawn(board)).collect();
        boards.into_iter().try_for_each(|board| board.join().map_err(|_| "a board failed")?)
    })?;
    tally.into_inner().map_err(|error| error.to_string())
}
