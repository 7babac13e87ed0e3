//! Games between two programs under a referee who checks everything.

use std::path::Path;
use std::time::{Duration, Instant};

use chess::{Castling, Color, KeyHistory, Move, Position};

use super::watch::{waited_by, waited_here};
use super::{Client, legal_move};
use crate::Failure;

/// Longer than this no answer is waited for, whatever the clock says.
const PATIENCE: Duration = Duration::from_secs(30);

/// No answer is quicker than this on a busy machine.
const LEAST: Duration = Duration::from_millis(2);

/// A game that has not ended by then is broken off.
const MAX_PLIES: usize = 500;

/// How long the players may think.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Pace {
    /// Nodes for each move.
    Nodes(u64),
    /// A clock.
    Clock {
        start: Duration,
        increment: Duration,
        /// After so many moves the first time is added again.
        moves: Option<usize>,
    },
}

/// One of the two, with the clock of the present game.
pub(crate) struct Player {
    pub(crate) client: Client,
    pub(crate) overhead: Duration,
    left: Duration,
}

/// A clock that ran out.
pub(crate) struct Forfeit {
    /// What the clock showed when the move was asked for.
    pub(crate) left: Duration,
    pub(crate) used: Duration,
    /// Of that, in the queue for a processor.
    pub(crate) waited: Duration,
    pub(crate) overhead: Duration,
}

impl Forfeit {
    /// Whether the player has itself to blame: it thought until the reserve that it was told to
    /// keep was gone. A reserve larger than half the clock cannot be asked for, and no move is
    /// made in no time.
    pub(crate) fn was_avoidable(&self) -> bool {
        let allowed = self.left.saturating_sub(self.overhead).max(self.left / 2).max(LEAST);
        self.used.saturating_sub(self.waited) > allowed
    }
}

/// What a game came to.
pub(crate) struct Report {
    pub(crate) plies: usize,
    pub(crate) forfeit: Option<Forfeit>,
}

impl Player {
    pub(crate) fn start(program: &Path, options: &[(&str, usize)]) -> Result<Self, Failure> {
        let mut player = Self {
            client: Client::start(program)?,
            overhead: Duration::from_millis(10),
            left: Duration::ZERO,
        };
        for (name, value) in options {
            player.set(name, *value)?;
        }
        player.client.ready(PATIENCE)?;
        Ok(player)
    }

    /// Sets an option.
    pub(crate) fn set(&mut self, name: &str, value: usize) -> Result<(), Failure> {
        if name == "Move Overhead" {
            self.overhead = Duration::from_millis(value as u64);
        }
        self.client.send(&format!("setoption name {name} value {value}"))
    }
}

/// Plays a game of chess from a position.
pub(crate) fn play(
    players: &mut [Player; 2],
    start: &Position,
    pace: Pace,
) -> Result<Report, Failure> {
    for player in players.iter_mut() {
        if let Pace::Clock { start, .. } = pace {
            player.left = start;
        }
        player.client.send("ucinewgame")?;
        player.client.ready(PATIENCE)?;
    }
    let mut game = Game::new(start);
    while !game.is_over() && game.moves.len() < MAX_PLIES {
        let clocks = game.clocks(players, pace);
        let player = &mut players[game.position.side_to_move().index()];
        player.client.send(&game.command())?;
        let (waited, queued) = (waited_by(player.client.id()), waited_here());
        let asked = Instant::now();
        player.client.send(&format!("go {clocks}"))?;
        let (mv, heard) = game.answer(player)?;
        game.play(mv);
        let Pace::Clock { start, increment, moves } = pace else { continue };
        let used = heard.at.saturating_duration_since(asked);
        if used > player.left {
            let waited = waited_by(player.client.id()).saturating_sub(waited)
                + waited_here().saturating_sub(queued)
                + heard.waited;
            let Player { left, overhead, .. } = *player;
            let forfeit = Some(Forfeit { left, used, waited, overhead });
            return Ok(Report { plies: game.moves.len(), forfeit });
        }
        player.left = player.left - used + increment;
        if moves.is_some_and(|moves| game.moves.len().div_ceil(2).is_multiple_of(moves)) {
            player.left += start;
        }
    }
    Ok(Report { plies: game.moves.len(), forfeit: None })
}

/// A bestmove as it came.
struct Answer {
    at: Instant,
    /// How long the listener stood in the queue for a processor meanwhile.
    waited: Duration,
}

struct Game {
    start: Position,
    position: Position,
    history: KeyHistory,
    moves: Vec<Move>,
}

impl Game {
    fn new(start: &Position) -> Self {
        let history = KeyHistory::default();
        Self { start: *start, position: *start, history, moves: Vec::new() }
    }

    fn is_over(&self) -> bool {
        self.position.outcome().is_some()
            || self.position.is_fifty_move_draw()
            || self.history.is_threefold(&self.position)
    }

    fn play(&mut self, mv: Move) {
        self.history.push(&self.position);
        self.position.make(mv);
        self.moves.push(mv);
    }

    fn command(&self) -> String {
        let moves: Vec<String> =
            self.moves.iter().map(|mv| mv.to_uci(Castling::KingMove)).collect();
        format!("position fen {} moves {}", self.start.to_fen(), moves.join(" "))
    }

    fn clocks(&self, players: &[Player; 2], pace: Pace) -> String {
        let (increment, moves) = match pace {
            Pace::Nodes(nodes) => return format!("nodes {nodes}"),
            Pace::Clock { increment, moves, .. } => (increment.as_millis(), moves),
        };
        let [white, black] =
            [Color::White, Color::Black].map(|side| players[side.index()].left.as_millis());
        let mut text = format!("wtime {white} btime {black}");
        if increment > 0 {
            text.push_str(&format!(" winc {increment} binc {increment}"));
        }
        if let Some(moves) = moves {
            text.push_str(&format!(" movestogo {}", moves - self.moves.len() / 2 % moves));
        }
        text
    }

    /// Hears a player out; every line must be legal, every score a score.
    fn answer(&self, player: &Player) -> Result<(Move, Answer), Failure> {
        let client = &player.client;
        let begun = Instant::now();
        let mut waited = Duration::ZERO;
        let wrong = |text: &str, what: &str| {
            client.failure(&format!("says {text:?} in {}: {what}", self.position.to_fen()))
        };
        while let Some(heard) = client.hear(PATIENCE.saturating_sub(begun.elapsed()))? {
            waited += heard.waited;
            let text = heard.text.as_str();
            if text.contains("error") {
                return Err(wrong(text, "an error"));
            }
            if let Some((_, line)) = text.split_once(" pv ") {
                self.check_line(line).map_err(|what| wrong(text, &what))?;
            }
            if let Some(score) = text.split(" score ").nth(1) {
                check_score(score).map_err(|what| wrong(text, &what))?;
            }
            if let Some(rest) = text.strip_prefix("bestmove ") {
                let mv = rest.split(' ').next().unwrap_or_default();
                let mv = legal_move(&self.position, mv, Castling::KingMove)
                    .ok_or_else(|| wrong(text, "it is not legal"))?;
                return Ok((mv, Answer { at: heard.at, waited }));
            }
        }
        Err(client.failure(&format!("does not move in {}", self.position.to_fen())))
    }

    fn check_line(&self, line: &str) -> Result<(), String> {
        let mut position = self.position;
        for word in line.split(' ') {
            let mv = legal_move(&position, word, Castling::KingMove);
            position.make(mv.ok_or_else(|| format!("{word} is not legal"))?);
        }
        Ok(())
    }
}

/// Centipawns and mates that can be.
fn check_score(text: &str) -> Result<(), String> {
    let mut words = text.split(' ');
    let kind = words.next().unwrap_or_default();
    let number = words.next().and_then(|word| word.parse::<i32>().ok());
    let limit = match kind {
        "cp" => 40_000,
        "mate" => 120,
        _ => 0,
    };
    let fits = number.is_some_and(|number| number.abs() <= limit);
    if fits { Ok(()) } else { Err(format!("no score: {kind} {number:?}")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn forfeit(left: u64, used: u64, waited: u64, overhead: u64) -> bool {
        let ms = Duration::from_millis;
        let (left, used, waited, overhead) = (ms(left), ms(used), ms(waited), ms(overhead));
        Forfeit { left, used, waited, overhead }.was_avoidable()
    }

    #[test]
    fn only_thinking_counts_against_a_player() {
        assert!(forfeit(100, 101, 0, 10), "thought too long");
        assert!(forfeit(100, 101, 5, 10), "thought into its reserve");
        assert!(!forfeit(100, 101, 12, 10), "stood in the queue");
        assert!(!forfeit(4, 5, 4, 10), "nothing left to think with");
        assert!(forfeit(4, 5, 0, 10));
        assert!(!forfeit(0, 1, 0, 10), "the clock was empty");
    }

    #[test]
    fn scores_have_a_range() {
        assert!(check_score("cp 35 nodes 1").is_ok());
        assert!(check_score("mate -3").is_ok());
        assert!(check_score("mate 300").is_err());
        assert!(check_score("cp 99999").is_err());
        assert!(check_score("cp x").is_err());
    }
}
