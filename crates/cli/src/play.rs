//! A game at the terminal: a person against the engine.

use std::fs::OpenOptions;
use std::hash::{BuildHasher, RandomState};
use std::io::{BufRead, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use batch::analyse::read_book;
use chess::{Color, Move, Outcome, Position};
use clap::{Args, ValueEnum};
use engine::{Engine, Game, Limits, MAX_ELO, MIN_ELO, Silent};
use review::{Book, Eval, GameResult, GameTree, Ply, write_pgn};

use crate::answers::NAME;
use crate::output::Output;
use crate::picture::{Paint, figurines};
use crate::words::{quote, split_word};

/// Plays a game at the terminal.
#[derive(Clone, Debug, Args)]
pub struct PlayArgs {
    /// Your side
    #[arg(long, value_enum, default_value_t = Side::White)]
    color: Side,
    /// How strong the engine plays; as well as it can if it is not given
    #[arg(long, value_parser = clap::value_parser!(u32).range(i64::from(MIN_ELO)..=i64::from(MAX_ELO)))]
    elo: Option<u32>,
    /// Milliseconds the engine thinks about a move
    #[arg(long, default_value_t = 1000)]
    movetime: u64,
    /// Nodes instead of time
    #[arg(long, conflicts_with = "movetime")]
    nodes: Option<u64>,
    /// A Polyglot book that the engine plays from
    #[arg(long)]
    book: Option<PathBuf>,
    /// Where the game begins
    #[arg(long)]
    fen: Option<String>,
    /// Add the game to this file when it is over
    #[arg(long)]
    pgn: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Side {
    White,
    Black,
    Random,
}

const HELP: &str = "\
A move is written as e4, Nf3, O-O or e2e4. Besides:
  hint         what the engine would play
  undo         take your last move back
  switch       change sides: the engine plays your move
  eval         what the engine thinks of the position
  moves        the game so far
  board        draw the board
  flip         turn the board
  save FILE    add the game to a PGN file
  new          a new game
  resign       give up
  quit         leave";

/// A game that is being played.
struct Table<'a> {
    args: &'a PlayArgs,
    output: &'a Output,
    paint: Paint,
    engine: Engine,
    book: Option<Book>,
    tree: GameTree,
    person: Color,
    view: Color,
    /// The last thing said about the end of the game.
    is_over: bool,
}

/// Plays until the person leaves.
///
/// # Errors
/// If the start or the book makes no sense, or the game cannot be saved.
pub fn play(
    args: &PlayArgs,
    input: &mut dyn BufRead,
    output: &Output,
    paint: Paint,
) -> Result<(), String> {
    let start = args.fen.as_deref().map_or(Ok(Position::startpos()), Position::from_fen);
    let start = start.map_err(|error| format!("FEN refused: {error}"))?;
    let book =
        args.book.as_deref().map(read_book).transpose().map_err(|error| error.to_string())?;
    let person = match args.color {
        Side::White => Color::White,
        Side::Black => Color::Black,
        Side::Random => Color::ALL[usize::from(random().is_multiple_of(2))],
    };
    let mut engine = Engine::new();
    engine.settings_mut().limit_strength = args.elo.is_some();
    engine.settings_mut().elo = args.elo.unwrap_or(MAX_ELO);
    let tree = GameTree::new(start);
    let mut table =
        Table { args, output, paint, engine, book, tree, person, view: person, is_over: false };
    table.begin();
    let mut line = String::new();
    loop {
        line.clear();
        let count = input.read_line(&mut line).map_err(|error| error.to_string())?;
        let is_quit = matches!(line.trim(), "quit" | "exit" | "q");
        if count == 0 || is_quit {
            break;
        }
        if let Err(problem) = table.obey(line.trim()) {
            output.line(&problem);
        }
    }
    table.leave()
}

/// A number that nobody knows beforehand.
fn random() -> u64 {
    RandomState::new().hash_one(0)
}

impl Table<'_> {
    fn begin(&mut self) {
        let side = if self.person == Color::White { "White" } else { "Black" };
        self.output.line(&format!("You play {side} against {NAME}. Type help for help.\n"));
        self.engine.new_game();
        self.answer();
    }

    /// Lets the engine move if it is its turn, and shows where the game stands.
    fn answer(&mut self) {
        if !self.check_end() && self.position().side_to_move() != self.person {
            let mv = self.choose();
            if let Some(mv) = mv {
                let position = self.position();
                self.output.line(&format!("{} plays {}", NAME, numbered(&position, mv)));
                self.tree.main.plies.push(Ply::new(mv));
            }
            self.check_end();
        }
        self.draw();
        if self.is_over {
            self.output.line(&format!("{}: {}", self.tree.result, self.reason()));
        }
    }

    fn choose(&mut self) -> Option<Move> {
        let position = self.position();
        let known = self.book.as_ref().and_then(|book| book.pick(&position));
        known.or_else(|| self.think().best_move)
    }

    fn think(&mut self) -> engine::Outcome {
        self.engine.set_game(self.game());
        let limits = match self.args.nodes {
            Some(nodes) => Limits::nodes(nodes),
            None => Limits {
                move_time: Some(Duration::from_millis(self.args.movetime)),
                ..Limits::default()
            },
        };
        self.engine.search(&limits, &mut Silent)
    }

    /// What the engine thinks at full strength: an adviser does not err on purpose.
    fn advise(&mut self) -> engine::Outcome {
        let is_limited = std::mem::take(&mut self.engine.settings_mut().limit_strength);
        let outcome = self.think();
        self.engine.settings_mut().limit_strength = is_limited;
        outcome
    }

    fn obey(&mut self, line: &str) -> Result<(), String> {
        let (word, rest) = split_word(line);
        match word {
            "" => {}
            "help" | "?" => self.output.line(HELP),
            "board" | "d" => self.draw(),
            "moves" => self.output.line(movetext(&self.tree).trim_end()),
            "flip" => {
                self.view = self.view.opposite();
                self.draw();
            }
            "new" => {
                self.tree = GameTree::new(self.tree.start);
                self.is_over = false;
                self.begin();
            }
            "undo" => self.undo()?,
            "save" if rest.is_empty() => {
                return Err("save to which file? As in: save game.pgn".into());
            }
            "save" => {
                self.save(Path::new(rest))?;
                self.output.line(&format!("added to {rest}"));
            }
            _ if self.is_over => return Err("the game is over: undo, new or quit".into()),
            "hint" => {
                let position = self.position();
                let best = self.advise().best_move.ok_or("there is no move")?;
                self.output.line(&format!("try {}", numbered(&position, best)));
            }
            "eval" => {
                let position = self.position();
                let outcome = self.advise();
                self.output.line(&format!("{} (for White)", Eval::new(&position, outcome.score)));
            }
            "switch" => {
                self.person = self.person.opposite();
                self.answer();
            }
            "resign" => {
                self.tree.result = match self.person {
                    Color::White => GameResult::Black,
                    Color::Black => GameResult::White,
                };
                self.is_over = true;
                self.output.line(&format!("{}: you resigned", self.tree.result));
            }
            _ => self.make(line)?,
        }
        Ok(())
    }

    fn make(&mut self, text: &str) -> Result<(), String> {
        let position = self.position();
        let mv = position
            .parse_san(text)
            .or_else(|error| position.parse_uci(text).map_err(|_| error))
            .map_err(|error| format!("{}: {error}; help tells what you can type", quote(text)))?;
        self.tree.main.plies.push(Ply::new(mv));
        self.answer();
        Ok(())
    }

    fn undo(&mut self) -> Result<(), String> {
        let plies = &mut self.tree.main.plies;
        let first = if self.tree.start.side_to_move() == self.person { 0 } else { 1 };
        if plies.len() <= first {
            return Err("there is no move of yours to take back".into());
        }
        // Back to the last position with the person to move.
        plies.pop();
        if plies.len() % 2 != first {
            plies.pop();
        }
        (self.is_over, self.tree.result) = (false, GameResult::Unknown);
        self.draw();
        Ok(())
    }

    fn position(&self) -> Position {
        *self.game().position()
    }

    fn game(&self) -> Game {
        let mut game = Game::new(self.tree.start);
        self.tree.moves().into_iter().for_each(|mv| game.play(mv));
        game
    }

    fn draw(&self) {
        let last = self.tree.main.plies.last().map(|ply| ply.mv);
        self.output.line(&figurines(self.position().board(), self.view, last, self.paint));
    }

    /// Whether the game has ended by its rules.
    fn check_end(&mut self) -> bool {
        let game = self.game();
        let position = game.position();
        let result = match position.outcome() {
            Some(Outcome::Win(Color::White)) => GameResult::White,
            Some(Outcome::Win(Color::Black)) => GameResult::Black,
            Some(Outcome::Draw) => GameResult::Draw,
            None if position.is_fifty_move_draw() => GameResult::Draw,
            None if game.history().is_threefold(position) => GameResult::Draw,
            None => return false,
        };
        (self.is_over, self.tree.result) = (true, result);
        true
    }

    fn reason(&self) -> &'static str {
        let game = self.game();
        let position = game.position();
        match position.outcome() {
            Some(Outcome::Win(_)) => "checkmate",
            Some(Outcome::Draw) if !position.has_legal_move() => "stalemate",
            Some(Outcome::Draw) => "nobody can mate",
            None if position.is_fifty_move_draw() => "fifty moves without capture or pawn move",
            None => "the same position three times",
        }
    }

    fn save(&self, path: &Path) -> Result<(), String> {
        let mut tree = self.tree.clone();
        let (person, engine) = match self.person {
            Color::White => ("White", "Black"),
            Color::Black => ("Black", "White"),
        };
        tree.set_tag("Event", "A game at the terminal");
        tree.set_tag("Date", today());
        tree.set_tag(person, "You");
        tree.set_tag(
            engine,
            self.args.elo.map_or(NAME.to_owned(), |elo| format!("{NAME} ({elo})")),
        );
        let mut file = OpenOptions::new()
            .append(true)
            .create(true)
            .open(path)
            .map_err(|error| format!("{}: {error}", path.display()))?;
        file.write_all(write_pgn(&tree).as_bytes())
            .map_err(|error| format!("{}: {error}", path.display()))
    }

    fn leave(&self) -> Result<(), String> {
        match &self.args.pgn {
            Some(path) if !self.tree.main.plies.is_empty() => self.save(path),
            _ => Ok(()),
        }
    }
}

fn numbered(position: &Position, mv: Move) -> String {
    let dots = if position.side_to_move() == Color::White { "." } else { "..." };
    format!("{}{dots} {}", position.fullmove(), position.to_san(mv))
}

fn movetext(tree: &GameTree) -> String {
    let text = write_pgn(tree);
    text.split_once("\n\n").map_or(String::new(), |(_, moves)| moves.to_owned())
}

/// The date as PGN writes it, in universal time.
fn today() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    let (year, month, day) = civil(seconds / 86_400);
    format!("{year:04}.{month:02}.{day:02}")
}

/// Year, month and day of a number of days since 1970, in the Gregorian calendar.
fn civil(mut days: u64) -> (u64, u64, u64) {
    let is_leap = |year: u64| {
        year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
    };
    let mut year = 1970;
    while days >= 365 + u64::from(is_leap(year)) {
        days -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let february = 28 + u64::from(is_leap(year));
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    (year, month, days + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::tests::Kept;
    use clap::Parser;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        args: PlayArgs,
    }

    fn session(arguments: &[&str], typed: &str) -> String {
        let words = [&["play", "--nodes", "500"], arguments].concat();
        let args = Line::parse_from(words).args;
        let kept = Kept::default();
        let output = Output::new(kept.clone());
        play(&args, &mut typed.as_bytes(), &output, Paint::Plain).unwrap();
        kept.text()
    }

    #[test]
    fn a_move_is_answered_and_junk_is_explained() {
        let text = session(&[], "e4\nxyz\nmoves\nquit\n");
        assert!(text.contains("plays 1... "), "{text}");
        assert!(text.contains("\"xyz\": not a move in algebraic notation"), "{text}");
        assert!(text.contains("\n1. e4 "), "{text}");
    }

    #[test]
    fn the_engine_begins_when_the_person_has_black_and_sides_can_change() {
        let text = session(&["--color", "black"], "switch\nmoves\n");
        assert!(text.contains("plays 1. "), "{text}");
        assert!(text.contains("plays 1... "), "{text}");
    }

    #[test]
    fn undo_goes_back_to_the_persons_move() {
        let text = session(&[], "undo\ne4\nundo\nmoves\nd4\nresign\ne4\nundo\nhint\neval\n");
        assert!(text.contains("there is no move of yours to take back"), "{text}");
        assert!(text.contains("\n*\n"), "{text}");
        assert!(text.contains("0-1: you resigned\nthe game is over: undo, new or quit"), "{text}");
        assert!(text.contains("try 1. "), "{text}");
        assert!(text.contains("(for White)"), "{text}");
        let black = session(&["--color", "black"], "undo\n");
        assert!(black.contains("there is no move of yours"), "{black}");
    }

    #[test]
    fn ends_are_announced_and_the_game_is_saved() {
        let path = std::env::temp_dir().join(format!("halcyon-play-{}.pgn", std::process::id()));
        let name = path.to_string_lossy().into_owned();
        let mate = "6k1/5ppp/8/8/8/8/8/4R1K1 w - - 0 1";
        let text = session(&["--fen", mate, "--pgn", &name], "Re8#\nRe7\nquit\n");
        assert!(text.contains("1-0: checkmate"), "{text}");
        let saved = std::fs::read_to_string(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        assert!(saved.contains("[White \"You\"]") && saved.contains("1. Re8# 1-0"), "{saved}");
        let stalemate = session(&["--fen", "7k/8/5K2/6Q1/8/8/8/8 w - - 0 1"], "Qg6\n");
        assert!(stalemate.contains("1/2-1/2: stalemate"), "{stalemate}");
    }

    #[test]
    fn days_become_dates() {
        assert_eq!(civil(0), (1970, 1, 1));
        assert_eq!(civil(19_782), (2024, 2, 29));
        assert_eq!(civil(20_453), (2025, 12, 31));
    }
}
