//! How many of Lichess's puzzles the generator accepts, how many quiet positions it does not, and
//! whether its difficulty goes with Lichess's ratings.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use batch::engines::EngineConfig;
use chess::rng::Rng;
use chess::{Move, Position};
use clap::Args;
use engine::{Engine, Game, Limits, Silent};
use review::{Analyst, Motif, Puzzle as Made, PuzzleRules, Refusal, make_puzzle};

use super::file::{Puzzle, read};
use crate::Error;
use crate::say::say;

/// Random moves at the beginning of a game.
const RANDOM_PLIES: usize = 8;
/// The longest game.
const MAX_PLIES: usize = 120;
/// What the players of random games look at.
const PLAYER_NODES: u64 = 1000;

/// Gives the generator the position before the mistake of each puzzle, and quiet positions.
#[derive(Clone, Debug, Args)]
pub struct CheckArgs {
    /// A file with the columns of Lichess's puzzle file
    file: PathBuf,
    /// Nodes for each position
    #[arg(long, default_value_t = 200_000)]
    nodes: u64,
    /// Threads, each with a puzzle of its own
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Only every n-th puzzle
    #[arg(long, default_value_t = 1)]
    every: usize,
    /// The first puzzle to try, from 1
    #[arg(long, default_value_t = 1, value_name = "N")]
    from: usize,
    /// Quiet positions of games at low strength to try as well
    #[arg(long, default_value_t = 0)]
    quiet: usize,
    /// Where to write what the difficulty is made of, as CSV
    #[arg(long)]
    features: Option<PathBuf>,
}

/// What became of a puzzle.
struct Tried {
    made: Result<Made, Refusal>,
}

fn try_all(
    args: &CheckArgs,
    items: &[(Position, Move)],
    rules: &PuzzleRules,
) -> Result<Vec<Tried>, Error> {
    let next = AtomicUsize::new(0);
    let done: Mutex<BTreeMap<usize, Tried>> = Mutex::default();
    let config = EngineConfig { threads: 1, hash: 16, network: None, syzygy: None };
    let analysts: Vec<Analyst> = (0..args.threads.max(1))
        .map(|_| Ok(Analyst::new(config.engine()?, Limits::nodes(args.nodes))))
        .collect::<Result<_, Error>>()?;
    std::thread::scope(|scope| {
        for mut analyst in analysts {
            let (next, done) = (&next, &done);
            scope.spawn(move || {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(&(before, mistake)) = items.get(index) else { return };
                    let game = Game::new(before);
                    let made = make_puzzle(&mut analyst, &game, mistake, None, rules);
                    if let Ok(mut done) = done.lock() {
                        done.insert(index, Tried { made });
                    }
                }
            });
        }
    });
    Ok(done.into_inner().unwrap_or_default().into_values().collect())
}

/// Runs the command.
///
/// # Errors
/// If the file cannot be read or the features cannot be written.
pub fn run(args: &CheckArgs) -> Result<(), Error> {
    let puzzles: Vec<Puzzle> = read(&args.file)?
        .into_iter()
        .skip(args.from.saturating_sub(1))
        .step_by(args.every.max(1))
        .collect();
    let items: Vec<(Position, Move)> =
        puzzles.iter().map(|puzzle| (puzzle.start, puzzle.moves[0])).collect();
    let rules = PuzzleRules::default();
    let begun = Instant::now();
    let tried = try_all(args, &items, &rules)?;
    let seconds = begun.elapsed().as_secs_f64();
    let (mut same, mut other, mut forced) = (0, 0, 0);
    let mut refused: BTreeMap<Refusal, usize> = BTreeMap::new();
    for (puzzle, tried) in puzzles.iter().zip(&tried) {
        forced += usize::from(tried.made.as_ref().is_ok_and(|made| !made.is_mistake));
        match &tried.made {
            Ok(made) if made.answers.contains(&puzzle.moves[1]) => same += 1,
            Ok(_) => other += 1,
            Err(refusal) => *refused.entry(*refusal).or_default() += 1,
        }
    }
    let share = |count: usize| 100.0 * count as f64 / puzzles.len().max(1) as f64;
    say!("{} puzzles at {} nodes a position", puzzles.len(), args.nodes);
    say!("accepted with the same first move: {same} ({:.1} %)", share(same));
    say!("accepted with another first move:  {other} ({:.1} %)", share(other));
    say!("of them the only mate after no mistake: {forced} ({:.1} %)", share(forced));
    for (refusal, count) in &refused {
        say!("refused, {}: {count} ({:.1} %)", refusal.words(), share(*count));
    }
    let rate = puzzles.len() as f64 / seconds.max(1e-9);
    say!("{seconds:.0} s on {} threads, {rate:.1} puzzles a second", args.threads);
    let pairs: Vec<(f64, f64)> = puzzles
        .iter()
        .zip(&tried)
        .filter_map(|(puzzle, tried)| {
            let made = tried.made.as_ref().ok()?;
            Some((f64::from(made.difficulty.rating), puzzle.rating))
        })
        .collect();
    say!("Spearman of difficulty and rating over {}: {:.3}", pairs.len(), spearman(&pairs));
    if let Some(path) = &args.features {
        let text = features(&puzzles, &tried);
        std::fs::write(path, text).map_err(Error::file(path))?;
    }
    if args.quiet > 0 {
        let items = quiet_positions(args.quiet);
        let tried = try_all(args, &items, &PuzzleRules::default())?;
        let accepted = tried.iter().filter(|tried| tried.made.is_ok()).count();
        let forced = tried
            .iter()
            .filter(|tried| tried.made.as_ref().is_ok_and(|made| !made.is_mistake))
            .count();
        let share = 100.0 * accepted as f64 / items.len().max(1) as f64;
        say!(
            "{accepted} of {} quiet positions accepted ({share:.2} %), {forced} of them after no mistake",
            items.len()
        );
    }
    Ok(())
}

fn features(puzzles: &[Puzzle], tried: &[Tried]) -> String {
    let mut text = String::from(
        "id,rating,estimate,depth,nodes,moves,effort,legal,noisy,check,mate,sacrifice,quiet,pieces\n",
    );
    for (puzzle, tried) in puzzles.iter().zip(tried) {
        let Ok(made) = &tried.made else { continue };
        let known = &made.difficulty;
        let has = |motif| u8::from(made.findings.iter().any(|finding| finding.motif == motif));
        let start = made.start();
        let mut next = start;
        next.make(made.moves[1]);
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{},{},{},{},{},{},{:.2},{},{},{},{},{},{},{}",
            puzzle.id,
            puzzle.rating,
            known.rating,
            known.depth,
            known.nodes,
            known.moves,
            known.effort,
            start.count_legal_moves(),
            u8::from(made.moves[1].is_noisy()),
            u8::from(next.is_check()),
            has(Motif::Mate),
            has(Motif::Sacrifice),
            has(Motif::QuietMove),
            start.board().occupied().count(),
        );
    }
    text
}

/// Positions of games at low strength after a move that took nothing and gave no check, with that
/// move.
fn quiet_positions(count: usize) -> Vec<(Position, Move)> {
    let mut rng = Rng::new(2026);
    let mut engine = Engine::new();
    let mut found = Vec::new();
    while found.len() < count {
        let mut game = Game::new(Position::startpos());
        engine.new_game();
        for ply in 0..MAX_PLIES {
            let position = *game.position();
            if position.outcome().is_some() || position.is_fifty_move_draw() {
                break;
            }
            let moves = position.legal_moves();
            let mv = if ply < RANDOM_PLIES {
                rng.pick(&moves)
            } else {
                engine.set_game(game.clone());
                let outcome = engine.search(&Limits::nodes(PLAYER_NODES), &mut Silent);
                let Some(mv) = outcome.best_move else { break };
                mv
            };
            game.play(mv);
            let is_quiet = mv.is_quiet() && !position.is_check() && !game.position().is_check();
            // One in ten, so that many games are seen.
            if ply >= RANDOM_PLIES && is_quiet && rng.below(10) == 0 && found.len() < count {
                found.push((position, mv));
            }
        }
    }
    found
}

/// Spearman's rank correlation; equal values share their mean rank.
#[must_use]
pub fn spearman(pairs: &[(f64, f64)]) -> f64 {
    let one = ranks(&pairs.iter().map(|pair| pair.0).collect::<Vec<f64>>());
    let other = ranks(&pairs.iter().map(|pair| pair.1).collect::<Vec<f64>>());
    let mean = (pairs.len() as f64 + 1.0) / 2.0;
    let (mut both, mut first, mut second) = (0.0, 0.0, 0.0);
    for (a, b) in one.iter().zip(&other) {
        both += (a - mean) * (b - mean);
        first += (a - mean).powi(2);
        second += (b - mean).powi(2);
    }
    if first * second > 0.0 { both / (first * second).sqrt() } else { 0.0 }
}

fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut ranks = vec![0.0; values.len()];
    let mut start = 0;
    while start < order.len() {
        let same = order[start..].iter().take_while(|&&i| values[i] == values[order[start]]);
        let end = start + same.count();
        let rank = (start + end + 1) as f64 / 2.0;
        order[start..end].iter().for_each(|&index| ranks[index] = rank);
        start = end;
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rank_correlation_of_known_pairs() {
        let rising: Vec<(f64, f64)> = (0..9).map(|i| (f64::from(i), f64::from(i * i))).collect();
        assert!((spearman(&rising) - 1.0).abs() < 1e-12);
        let falling: Vec<(f64, f64)> = rising.iter().map(|&(a, b)| (a, -b)).collect();
        assert!((spearman(&falling) + 1.0).abs() < 1e-12);
        assert_eq!(ranks(&[3.0, 1.0, 3.0]), [2.5, 1.0, 2.5]);
        assert_eq!(spearman(&[(1.0, 1.0), (1.0, 2.0)]), 0.0);
    }
}
