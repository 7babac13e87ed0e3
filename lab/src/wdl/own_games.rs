//! The chances of positions beside how the engine's own games from there end.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use batch::engines::EngineConfig;
use batch::uci_engine::{UciConfig, UciSearcher};
use chess::{Color, Position};
use clap::Args;
use engine::{Game, Limits, SingleThreadEngine};
use review::Analyst;

use crate::Error;
use crate::datagen::{GameRules, play_on};
use crate::rng::Rng;
use crate::say::say;

/// Positions that are asked about unless others are named.
const USUAL: [(&str, &str); 4] = [
    ("start position", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
    ("Black without f7", "rnbqkbnr/ppppp1pp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
    ("Black without Nb8", "r1bqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
    ("White without Nb1", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/R1BQKBNR w KQkq - 0 1"),
];
/// Moves that are looked at where games are made to differ.
const LINES: usize = 5;
/// Of these, moves are played that give away no more than this of the chance to win.
const SLIGHT: f64 = 0.02;
/// Transposition table of each search in MiB.
const HASH: usize = 16;
/// That of the searches whose chances are printed.
const HASH_OF_CHANCES: usize = 64;

/// Prints the chances of positions beside how own games from there end.
///
/// The first moves of each game are drawn from those that are hardly worse than the best.
#[derive(Clone, Debug, Args)]
pub struct ChancesArgs {
    /// Positions (FEN) instead of the start position and three at odds
    fens: Vec<String>,
    /// Games from each position
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,
    /// No new iteration after this many nodes in games
    #[arg(long, default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(1..))]
    soft_nodes: u64,
    /// First moves, of either side, that are drawn among good ones
    #[arg(long, default_value_t = 6)]
    varied_plies: usize,
    /// Nodes of the search that tells the chances
    #[arg(long, default_value_t = 300_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Another UCI engine that tells its chances, too: its command, with arguments
    #[arg(long, value_name = "COMMAND")]
    engine: Option<String>,
    /// Threads, each with a game of its own
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..))]
    threads: u8,
    /// Seed of the first moves
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Games that the side to move won, drew and lost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shares([u32; 3]);

impl Shares {
    /// Counts a game: by `result` the side to move first has lost (0), drawn (1) or won (2).
    fn add(&mut self, result: usize) {
        self.0[2 - result] += 1;
    }

    /// Won, drawn and lost, in thousandths.
    #[must_use]
    pub fn thousandths(self) -> [f64; 3] {
        let games = f64::from(self.0.iter().sum::<u32>().max(1));
        self.0.map(|count| 1000.0 * f64::from(count) / games)
    }

    /// Two standard errors of the least certain of the three, in thousandths.
    #[must_use]
    pub fn error(self) -> f64 {
        let games = f64::from(self.0.iter().sum::<u32>().max(1));
        let of = |share: f64| 2.0 * (share * (1000.0 - share) / games).sqrt();
        self.thousandths().into_iter().map(of).fold(0.0, f64::max)
    }
}

/// Runs the command.
///
/// # Errors
/// If a text is no position, or an engine cannot be set up.
pub fn chances(args: &ChancesArgs) -> Result<(), Error> {
    let named = |fen: &String| (fen.clone(), fen.clone());
    let mut asked: Vec<(String, String)> = args.fens.iter().map(named).collect();
    if asked.is_empty() {
        asked = USUAL.map(|(name, fen)| (name.to_owned(), fen.to_owned())).to_vec();
    }
    let positions: Vec<(String, Position)> = asked
        .into_iter()
        .map(|(name, fen)| Ok((name, read_position(&fen)?)))
        .collect::<Result<_, Error>>()?;
    let own = EngineConfig { threads: 1, hash: HASH_OF_CHANCES, network: None, syzygy: None };
    let mut tellers = vec![Analyst::new(own.engine()?, Limits::nodes(args.nodes))];
    if let Some(command) = &args.engine {
        let config = UciConfig {
            command: command.clone(),
            options: Vec::new(),
            threads: 1,
            hash: HASH_OF_CHANCES,
            syzygy: None,
        };
        let searcher = Box::new(UciSearcher::new(config, 1)?);
        tellers.push(Analyst::with_searcher(searcher, 1, Limits::nodes(args.nodes)));
    }
    say!("won, drawn and lost by the side to move, in thousandths");
    let others = args.engine.as_deref().unwrap_or_default();
    say!("{:<20}{:>16}{:>24}{:>20}", "", "chances", "own games", others);
    for (number, (name, position)) in positions.iter().enumerate() {
        let mut told = Vec::new();
        for teller in &mut tellers {
            let wdl = told_chances(teller, position);
            if let Some(reason) = teller.take_failure() {
                return Err(Error::Request(reason));
            }
            told.push(wdl.map(|chance| format!("{chance:>5}")).concat());
        }
        let shares = own_games(args, number as u64, position)?;
        let won = shares.thousandths().map(|share| format!("{share:>5.0}")).concat();
        let games = format!("{won} ± {:.0}", shares.error());
        let other = told.get(1).map_or("", String::as_str);
        say!("{name:<20}{:>16}{games:>24}{other:>20}", told[0]);
    }
    Ok(())
}

/// A position in which the game is not over.
fn read_position(fen: &str) -> Result<Position, Error> {
    let position =
        Position::from_fen(fen).map_err(|error| Error::Request(format!("{fen}: {error}")))?;
    match position.outcome() {
        None => Ok(position),
        Some(_) => Err(Error::Request(format!("{fen}: the game is over"))),
    }
}

/// The chances to win, draw and lose of the side to move, in thousandths.
fn told_chances(teller: &mut Analyst, position: &Position) -> [u32; 3] {
    let mut wdl = teller.look_afresh(position).wdl;
    if position.side_to_move() == Color::Black {
        wdl.reverse();
    }
    wdl
}

/// Plays the games from a position.
fn own_games(args: &ChancesArgs, number: u64, position: &Position) -> Result<Shares, Error> {
    let config = EngineConfig { threads: 1, hash: HASH, network: None, syzygy: None };
    let seats: Vec<(Analyst, SingleThreadEngine)> = (0..args.threads)
        .map(|_| {
            let chooser = Analyst::new(config.engine()?, Limits::nodes(args.soft_nodes));
            let player =
                SingleThreadEngine::new(HASH).map_err(|error| Error::Request(error.to_string()))?;
            Ok((chooser, player))
        })
        .collect::<Result<_, Error>>()?;
    let next = AtomicUsize::new(0);
    let results: Mutex<BTreeMap<usize, usize>> = Mutex::default();
    std::thread::scope(|scope| {
        for (mut chooser, mut player) in seats {
            let (next, results) = (&next, &results);
            scope.spawn(move || {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= args.games as usize {
                        return;
                    }
                    let mut rng = Rng::derived(args.seed, (number << 32) + index as u64);
                    let result = play(args, position, &mut chooser, &mut player, &mut rng);
                    if let Ok(mut results) = results.lock() {
                        results.insert(index, result);
                    }
                }
            });
        }
    });
    let mut shares = Shares::default();
    for result in results.into_inner().unwrap_or_default().into_values() {
        shares.add(result);
    }
    Ok(shares)
}

/// How a game ends for the side to move: lost (0), drawn (1) or won (2).
fn play(
    args: &ChancesArgs,
    position: &Position,
    chooser: &mut Analyst,
    player: &mut SingleThreadEngine,
    rng: &mut Rng,
) -> usize {
    let us = position.side_to_move();
    let mut game = Game::new(*position);
    chooser.forget();
    for _ in 0..args.varied_plies {
        let side = game.position().side_to_move();
        let look = chooser.study(&game, LINES, &[]).look;
        let best = look.eval.chance(side);
        let good: Vec<chess::Move> = look
            .lines
            .iter()
            .filter(|line| line.eval.chance(side) >= best - SLIGHT)
            .filter_map(|line| line.moves.first().copied())
            .collect();
        if good.is_empty() {
            break;
        }
        game.play(rng.pick(&good));
    }
    player.new_game();
    let rules = GameRules { soft_nodes: args.soft_nodes, ..GameRules::default() };
    let white = play_on(player, &rules, game).result as usize;
    if us == Color::White { white } else { 2 - white }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(games: u32) -> ChancesArgs {
        ChancesArgs {
            fens: Vec::new(),
            games,
            soft_nodes: 60,
            varied_plies: 4,
            nodes: 500,
            engine: None,
            threads: 2,
            seed: 3,
        }
    }

    #[test]
    fn shares_add_up_and_know_their_error() {
        let mut shares = Shares::default();
        [2, 2, 1, 0].into_iter().for_each(|result| shares.add(result));
        assert_eq!(shares.thousandths(), [500.0, 250.0, 250.0]);
        assert!((shares.error() - 500.0).abs() < 1e-9);
        assert_eq!(Shares([9, 0, 0]).error(), 0.0);
    }

    #[test]
    fn games_repeat_themselves_and_are_told_for_the_side_to_move() {
        let up = Position::from_fen("6k1/5ppp/8/8/8/8/5PPP/Q5K1 w - - 0 1").unwrap();
        let shares = own_games(&args(6), 0, &up).unwrap();
        assert_eq!(shares, Shares([6, 0, 0]));
        let down = Position::from_fen("6k1/5ppp/8/8/8/8/5PPP/Q5K1 b - - 0 1").unwrap();
        assert_eq!(own_games(&args(6), 0, &down).unwrap(), Shares([0, 0, 6]));
        let start = Position::startpos();
        let once = own_games(&args(4), 1, &start).unwrap();
        assert_eq!(once, own_games(&args(4), 1, &start).unwrap());
        assert_eq!(once.0.iter().sum::<u32>(), 4);
    }

    #[test]
    fn games_that_are_over_and_texts_that_are_no_positions_are_refused() {
        for (fen, reason) in [("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "over"), ("x", "x: ")] {
            let error = read_position(fen).unwrap_err().to_string();
            assert!(error.contains(reason), "{error}");
        }
    }
}
