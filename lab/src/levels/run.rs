//! Which games are played, and the threads that play them.

use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::channel;
use std::thread;

use chess::Position;
use engine::Level;

use super::journal::{Journal, Pair, Player};
use super::play::{Anchors, Table};
use crate::Error;
use crate::book::Book;

/// Anchors that a level plays against.
const NEAREST: usize = 2;
/// An anchor further away says little.
const FURTHEST: u32 = 300;

/// A strength of the other engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct AnchorPlan {
    /// Its own name for it.
    pub(super) elo: u32,
    /// Its nodes for a move.
    pub(super) nodes: Option<u64>,
    /// The strength that it is thought to have on the scale, if that is not its name. Such a guest
    /// has no say in what the scale is.
    pub(super) guest: Option<u32>,
}

impl AnchorPlan {
    fn expected(&self) -> u32 {
        self.guest.unwrap_or(self.elo)
    }
}

/// A match and the pairs of games in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Match {
    pub(super) players: (Player, Player),
    pub(super) pairs: usize,
}

/// The matches of a ladder: every level with the next one, and with the anchors that are expected
/// nearest to its name.
pub(super) fn plan(levels: &[u32], anchors: &[AnchorPlan], games: [usize; 2]) -> Vec<Match> {
    let mut matches: Vec<Match> = levels
        .windows(2)
        .map(|pair| Match {
            players: (Player::Level(pair[1]), Player::Level(pair[0])),
            pairs: games[0].div_ceil(2),
        })
        .collect();
    for &level in levels {
        let distance = |anchor: &AnchorPlan| anchor.expected().abs_diff(level);
        let mut near: Vec<AnchorPlan> =
            anchors.iter().copied().filter(|anchor| distance(anchor) <= FURTHEST).collect();
        near.sort_by_key(distance);
        near.truncate(NEAREST);
        let pairs = games[1].div_ceil(2 * near.len().max(1));
        matches.extend(near.iter().map(|anchor| Match {
            players: (Player::Level(level), Player::Anchor(anchor.elo)),
            pairs,
        }));
    }
    matches
}

/// The pairs that are still to be played. Matches take turns, so that an early end leaves all of them
/// with about as many games.
pub(super) fn open_pairs(matches: &[Match], journal: &Journal) -> Vec<((Player, Player), usize)> {
    let longest = matches.iter().map(|plan| plan.pairs).max().unwrap_or(0);
    let turns = (0..longest).flat_map(|number| {
        let open = matches.iter().filter(move |plan| number < plan.pairs);
        open.map(move |plan| (plan.players, number))
    });
    turns.filter(|&(players, number)| !journal.has(players, number)).collect()
}

/// Plays the pairs on so many threads and gives each result to `done`.
pub(super) fn play(
    pairs: &[((Player, Player), usize)],
    book: &Book,
    (ladder, anchors): (&[Level], &Anchors),
    threads: usize,
    mut done: impl FnMut(Pair) -> Result<(), Error>,
) -> Result<(), Error> {
    let next = AtomicUsize::new(0);
    let failure = Mutex::new(None);
    let fail = |error: Error| {
        // The others end with the pair that they are at.
        next.store(pairs.len(), Relaxed);
        failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
    };
    let (sender, results) = channel();
    thread::scope(|scope| {
        for _ in 0..threads.clamp(1, pairs.len().max(1)) {
            let (sender, next, fail) = (sender.clone(), &next, &fail);
            scope.spawn(move || {
                let work = || -> Result<(), Error> {
                    let mut table = Table::new(ladder, anchors)?;
                    while let Some(&(players, number)) = pairs.get(next.fetch_add(1, Relaxed)) {
                        let opening = Position::from_fen(&book.opening(number))
                            .map_err(|error| Error::Request(error.to_string()))?;
                        let points = table.pair(&opening, players)?;
                        if sender.send(Pair { players, number, points }).is_err() {
                            break;
                        }
                    }
                    Ok(())
                };
                if let Err(error) = work() {
                    fail(error);
                }
            });
        }
        drop(sender);
        for pair in results {
            if let Err(error) = done(pair) {
                fail(error);
            }
        }
    });
    failure.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), Err)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::levels::journal::Conditions;

    #[test]
    fn neighbours_and_the_nearest_anchors_are_played() {
        let anchor = |elo, guest| AnchorPlan { elo, nodes: None, guest };
        let anchors = [anchor(1350, None), anchor(1800, Some(1500)), anchor(1600, None)];
        let matches = plan(&[1000, 1200, 1400], &anchors, [10, 8]);
        let level = Player::Level;
        let of = |first, second, pairs| Match { players: (first, second), pairs };
        assert_eq!(
            matches,
            [
                of(level(1200), level(1000), 5),
                of(level(1400), level(1200), 5),
                of(level(1200), Player::Anchor(1350), 2),
                of(level(1200), Player::Anchor(1800), 2),
                of(level(1400), Player::Anchor(1350), 2),
                of(level(1400), Player::Anchor(1800), 2),
            ]
        );
    }

    #[test]
    fn what_was_played_is_not_played_again() {
        let path = std::env::temp_dir().join(format!("halcyon-run-{}", std::process::id()));
        let _ = std::fs::remove_file(&path);
        let conditions =
            Conditions { version: String::new(), ladder: 0, book: 0, anchor: None, movetime: 1 };
        let matches = plan(&[500, 600], &[], [4, 0]);
        let (book, anchors) = (Book::random(1), Anchors::default());
        for (wanted, threads) in [(1, 1), (2, 2)] {
            let mut journal = Journal::open(&path, &conditions).unwrap();
            let open = open_pairs(&matches, &journal);
            assert_eq!(open.len(), 3 - wanted);
            play(&open[..1], &book, (&engine::LEVELS, &anchors), threads, |pair| {
                journal.add(&pair)
            })
            .unwrap();
            assert_eq!(journal.scores[&matches[0].players].games(), 2 * wanted as u64);
        }
        let journal = Journal::open(&path, &conditions).unwrap();
        assert!(open_pairs(&matches, &journal).is_empty());
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn a_failure_is_told() {
        let players = (Player::Level(500), Player::Anchor(1350));
        let (book, anchors) = (Book::random(1), Anchors::default());
        assert!(play(&[(players, 0)], &book, (&engine::LEVELS, &anchors), 2, |_| Ok(())).is_err());
    }
}
