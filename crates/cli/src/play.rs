//! A game at the terminal: a person against the engine.

mod clock;
mod date;
#[cfg(test)]
mod tests;

use std::hash::{BuildHasher, RandomState};
use std::io::BufRead;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use batch::engines::open_tablebases;
use batch::read_book;
use chess::{Color, Move, Outcome, Position};
use clap::{Args, ValueEnum};
use engine::{Engine, Game, Limits, MAX_ELO, MIN_ELO, Silent};
use review::{Book, Eval, GameResult, GameTree, Ply, write_pgn};

use crate::answers::{NAME, read_move};
use crate::board_text::{Paint, figurines};
use crate::files;
use crate::lines::{Line, Lines};
use crate::output::Output;
use crate::text::{quote, split_word};
use clock::{Clocks, TimeControl};
use date::today;

/// Plays a game at the terminal.
#[derive(Clone, Debug, Args)]
pub struct PlayArgs {
    /// The side that you play
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
    /// A clock for both sides: minutes, and seconds added for every move, as in 5+3
    #[arg(long, conflicts_with_all = ["movetime", "nodes"], value_name = "MIN+SEC")]
    clock: Option<TimeControl>,
    /// A Polyglot book that the engine plays from
    #[arg(long)]
    book: Option<PathBuf>,
    /// Folders with Syzygy tablebases for the engine
    #[arg(long, value_name = "FOLDERS")]
    syzygy: Option<String>,
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
    clocks: Option<Clocks>,
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
    if let Some(path) = &args.pgn {
        // To learn at the end of a game that it cannot be kept would be too late.
        files::append_lines(path, "").map_err(|reason| format!("{}: {reason}", path.display()))?;
    }
    let person = match args.color {
        Side::White => Color::White,
        Side::Black => Color::Black,
        Side::Random => Color::ALL[usize::from(random().is_multiple_of(2))],
    };
    let mut engine = Engine::new();
    if let Some(folders) = &args.syzygy {
        let tables = open_tablebases(folders).map_err(|error| error.to_string())?;
        engine.set_tablebases(Some(tables));
    }
    engine.settings_mut().limit_strength = args.elo.is_some();
    engine.settings_mut().elo = args.elo.unwrap_or(MAX_ELO);
    let tree = GameTree::new(start);
    let (view, clocks) = (person, args.clock.map(Clocks::new));
    let mut table =
        Table { args, output, paint, engine, book, tree, person, view, clocks, is_over: false };
    table.begin();
    for line in Lines::new(input) {
        let done = match line {
            Line::Text(text) if matches!(text.as_str(), "quit" | "exit" | "q") => break,
            Line::Text(text) => table.obey(&text),
            Line::Unreadable { .. } => {
                Err(String::from("that is no text; help tells what you can type"))
            }
        };
        if let Err(problem) = done {
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
        let engine = self.person.opposite();
        if !self.check_end() && self.position().side_to_move() == engine {
            self.start_clock(engine);
            let mv = self.choose();
            if !self.press_clock(engine) {
                return;
            }
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
        } else {
            self.start_clock(self.person);
        }
    }

    fn start_clock(&mut self, color: Color) {
        if let Some(clocks) = &mut self.clocks {
            clocks.start(color, Instant::now());
        }
    }

    /// Stops the clock of a side that has moved; if its time was up, the game is over.
    fn press_clock(&mut self, color: Color) -> bool {
        let Some(clocks) = &mut self.clocks else { return true };
        if clocks.press(color, Instant::now()) {
            return true;
        }
        let winner = color.opposite();
        // A bare king cannot win on time either.
        let can_mate = self.position().board().color(winner).count() > 1;
        self.tree.result = match winner {
            _ if !can_mate => GameResult::Draw,
            Color::White => GameResult::White,
            Color::Black => GameResult::Black,
        };
        self.is_over = true;
        let who = if color == self.person { "your time is" } else { "the engine's time is" };
        self.output.line(&format!("{}: {who} up", self.tree.result));
        false
    }

    fn choose(&mut self) -> Option<Move> {
        let position = self.position();
        let known = self.book.as_ref().and_then(|book| book.pick(&position));
        known.or_else(|| self.think().best_move)
    }

    fn think(&mut self) -> engine::Outcome {
        self.engine.set_game(self.game());
        let clock = self.clocks.as_ref().map(|clocks| clocks.of(self.position().side_to_move()));
        let limits = match self.args.nodes {
            Some(nodes) => Limits::nodes(nodes),
            None if clock.is_some() => Limits { clock, ..Limits::default() },
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
                self.leave()?;
                self.tree = GameTree::new(self.tree.start);
                self.clocks = self.args.clock.map(Clocks::new);
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
        let mv = read_move(&position, text)
            .map_err(|error| format!("{}: {error}; help tells what you can type", quote(text)))?;
        if self.press_clock(self.person) {
            self.tree.main.plies.push(Ply::new(mv));
            self.answer();
        }
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
        self.start_clock(self.person);
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
        let last = self.tree.main.plies.last().and_then(|ply| ply.mv);
        self.output.line(&figurines(self.position().board(), self.view, last, self.paint));
        if let Some(clocks) = &self.clocks {
            self.output.line(&format!("{clocks}\n"));
        }
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
        files::append_lines(path, &write_pgn(&tree))
            .map_err(|reason| format!("{}: {reason}", path.display()))
    }

    /// Adds the game to the file that was named for it.
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
