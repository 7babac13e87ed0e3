//! Two engines play each other and ponder, as a GUI would let them.

use std::time::{Duration, Instant};

use chess::{KeyHistory, Position};

use crate::client::{Client, best_move};

/// How a game is played.
struct Control {
    clock: Duration,
    increment: Duration,
    plies: usize,
    threads: usize,
}

struct Player {
    client: Client,
    clock: Duration,
    /// The game as this player's engine was told to ponder on it.
    pondering: Option<Vec<String>>,
}

impl Player {
    fn new(control: &Control) -> Self {
        let mut client = Client::start();
        client.send(&format!("setoption name Threads value {}", control.threads));
        client.send("setoption name Ponder value true");
        client.send("ucinewgame");
        client.ready();
        Self { client, clock: control.clock, pondering: None }
    }

    /// The move for the side to move, and the time taken is off the clock.
    fn choose(&mut self, moves: &[String], clocks: &str) -> (Option<String>, Option<String>) {
        let asked = Instant::now();
        let mut hit = false;
        if let Some(expected) = self.pondering.take() {
            while let Some(line) = self.client.line_within(Duration::ZERO) {
                assert!(!line.starts_with("bestmove"), "premature {line}");
            }
            hit = expected == moves;
            self.client.send(if hit { "ponderhit" } else { "stop" });
            if !hit {
                self.client.until("bestmove");
            }
        }
        if !hit {
            self.client.send(&position(moves));
            self.client.send(&format!("go {clocks}"));
        }
        let answer = self.client.until("bestmove").pop().unwrap();
        let taken = asked.elapsed();
        assert!(taken <= self.clock, "{taken:?} of {:?}: {answer}", self.clock);
        self.clock -= taken;
        let ponder = answer.split(" ponder ").nth(1).map(str::to_owned);
        (best_move(&answer).map(str::to_owned), ponder)
    }

    fn ponder(&mut self, moves: Vec<String>, clocks: &str) {
        self.client.send(&position(&moves));
        self.client.send(&format!("go ponder {clocks}"));
        self.pondering = Some(moves);
    }
}

fn position(moves: &[String]) -> String {
    format!("position startpos moves {}", moves.join(" "))
}

/// The clocks as they stand: after a move the time it took is off, and the increment is on.
fn clocks_now(players: &[Player; 2], control: &Control) -> String {
    format!(
        "wtime {} btime {} winc {inc} binc {inc}",
        players[0].clock.as_millis(),
        players[1].clock.as_millis(),
        inc = control.increment.as_millis()
    )
}

fn play(control: &Control, opening: &[&str]) {
    let mut players = [Player::new(control), Player::new(control)];
    let mut moves: Vec<String> = opening.iter().map(|&mv| mv.to_owned()).collect();
    let mut board = Position::startpos();
    let mut history = KeyHistory::default();
    for mv in &moves {
        history.push(&board);
        board.make(board.parse_uci(mv).unwrap());
    }
    while moves.len() < control.plies {
        let over =
            !board.has_legal_move() || board.is_fifty_move_draw() || history.is_threefold(&board);
        if over || board.board().is_insufficient_material() {
            break;
        }
        let side = moves.len() % 2;
        let clocks = clocks_now(&players, control);
        let (mv, ponder) = players[side].choose(&moves, &clocks);
        let mv = mv.expect("there are legal moves");
        history.push(&board);
        board.make(board.parse_uci(&mv).expect("the move is legal"));
        moves.push(mv);
        players[side].clock += control.increment;
        if let Some(ponder) = ponder {
            let answer = board.parse_uci(&ponder).expect("the ponder move is legal");
            let mut after = board;
            after.make(answer);
            let mut expected = moves.clone();
            expected.push(ponder);
            // A GUI may let an engine ponder on a position where the game is over.
            let clocks = clocks_now(&players, control);
            players[side].ponder(expected, &clocks);
        }
    }
    for mut player in players {
        if player.pondering.is_some() {
            player.client.send("stop");
            player.client.until("bestmove");
        }
        player.client.quit();
    }
}

#[test]
fn pondering_games_are_played_without_a_fault() {
    let control = Control {
        clock: Duration::from_secs(20),
        increment: Duration::from_millis(20),
        plies: 24,
        threads: 2,
    };
    play(&control, &["e2e4", "c7c5"]);
}

/// The long version: `cargo test -p halcyon --test uci -- --ignored ponder`.
/// `HALCYON_PONDER_GAMES` says how many games, if not fifty.
#[test]
#[ignore = "takes many minutes"]
fn many_pondering_games_are_played_without_a_fault() {
    let control = Control {
        clock: Duration::from_secs(3),
        increment: Duration::from_millis(50),
        plies: 300,
        threads: 2,
    };
    let openings =
        [["e2e4", "e7e5"], ["d2d4", "d7d5"], ["c2c4", "g8f6"], ["e2e4", "c7c5"], ["g1f3", "d7d5"]];
    let games = std::env::var("HALCYON_PONDER_GAMES").ok().and_then(|games| games.parse().ok());
    for opening in openings.iter().cycle().take(games.unwrap_or(50)) {
        play(&control, opening);
    }
}
