//! Games of the program with every assertion and overflow check switched on.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;

use crate::Failure;
use crate::stress::referee::{Pace, Player, play};
use crate::stress::{Chance, program_with_assertions, random_game};

/// Games that are played at the same time.
const BOARDS: usize = 2;

/// Plays so many games, with so many nodes a move.
pub(crate) fn run(games: &str, nodes: &str) -> Result<(), Failure> {
    let number = |text: &str| text.parse::<u64>().map_err(|_| format!("{text:?} is no number"));
    play_all(&program_with_assertions()?, number(games)? as usize, number(nodes)?)
}

/// Plays games with a program that checks itself; whatever it finds ends them.
pub(crate) fn play_all(program: &Path, games: usize, nodes: u64) -> Result<(), Failure> {
    let (next, plies) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let board = || -> Result<(), Failure> {
        let player = |threads| Player::start(program, &[("Hash", 1), ("Threads", threads)]);
        let mut players = [player(1)?, player(2)?];
        loop {
            let number = next.fetch_add(1, Relaxed);
            if number >= games {
                return Ok(());
            }
            let mut chance = Chance::new(number as u64);
            players.swap(0, 1);
            players[0].set("MultiPV", if chance.one_in(4) { 3 } else { 1 })?;
            let (_, opening) = random_game(&chess::Position::startpos(), 10, &mut chance);
            let report = play(&mut players, &opening, Pace::Nodes(nodes))?;
            plies.fetch_add(report.plies, Relaxed);
        }
    };
    thread::scope(|scope| {
        let boards: Vec<_> = (0..BOARDS).map(|_| scope.spawn(board)).collect();
        boards.into_iter().try_for_each(|board| board.join().map_err(|_| "a board failed")?)
    })?;
    println!("{games} games, {} plies, every assertion held", plies.into_inner());
    Ok(())
}
