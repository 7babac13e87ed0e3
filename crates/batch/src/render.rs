//! Every output besides JSON lines is made from the records.

use std::fmt::Write as _;
use std::io::Write;
use std::path::Path;

use atomic_file::AtomicFile;
use review::{Eval, GameTree, Ply, write_pgn};

use crate::Error;
use crate::html;
use crate::journal::{Records, line};
use crate::record::{
    GameRecord, LineRecord, PositionRecord, PuzzleRecord, PuzzlesRecord, Record, Task,
};
use crate::summary::Summary;

/// The form of an output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// Annotated games.
    Pgn,
    /// Positions with scores and lines.
    Epd,
    /// Everything, one JSON object on a line.
    Jsonl,
    /// A line for each move or position.
    Csv,
    /// A report for people.
    Html,
}

impl Format {
    /// The form that the name of a file asks for.
    ///
    /// # Errors
    /// If the name asks for none.
    pub fn of(path: &Path) -> Result<Self, Error> {
        let extension =
            path.extension().map(|extension| extension.to_string_lossy().to_lowercase());
        match extension.as_deref() {
            Some("pgn") => Ok(Self::Pgn),
            Some("epd") => Ok(Self::Epd),
            Some("jsonl" | "ndjson") => Ok(Self::Jsonl),
            Some("csv") => Ok(Self::Csv),
            Some("html" | "htm") => Ok(Self::Html),
            _ => Err(Error::Request(format!(
                "{}: an output is named .pgn, .epd, .jsonl, .csv or .html",
                path.display()
            ))),
        }
    }
}

const CSV_HEAD: &str = "item,file,game,line,white,black,result,number,side,san,uci,fen,eval,mate,\
                        best,loss,centipawn_loss,accuracy,judgement,phase,book,depth,nodes,line\n";

/// The columns of Lichess's puzzle file.
const PUZZLE_HEAD: &str = "PuzzleId,FEN,Moves,Rating,RatingDeviation,Popularity,NbPlays,Themes,\
                           GameUrl,OpeningTags\n";

/// What comes before the first record.
#[must_use]
pub fn head(format: Format, task: Task) -> &'static str {
    match (format, task) {
        (Format::Csv, Task::Analyse) => CSV_HEAD,
        (Format::Csv, Task::Puzzles) => PUZZLE_HEAD,
        _ => "",
    }
}

/// A record in this form; empty where it has no place. A report is not made record by record.
#[must_use]
pub fn text(format: Format, record: &Record) -> String {
    match (format, record) {
        (Format::Jsonl, record) => line(record),
        (Format::Pgn, Record::Game(game)) => game.pgn.clone(),
        (Format::Epd, Record::Position(position)) => epd(position),
        (Format::Csv, Record::Game(game)) => csv_of_game(game),
        (Format::Csv, Record::Position(position)) => csv_of_position(position),
        (Format::Pgn, Record::Puzzles(game)) => {
            game.puzzles.iter().map(|p| puzzle_pgn(game, p)).collect()
        }
        (Format::Epd, Record::Puzzles(game)) => game.puzzles.iter().map(puzzle_epd).collect(),
        (Format::Csv, Record::Puzzles(game)) => {
            game.puzzles.iter().map(|p| puzzle_csv(game, p)).collect()
        }
        _ => String::new(),
    }
}

/// Makes an output of a whole file of records, all of it or nothing.
///
/// # Errors
/// If the records cannot be read or the output cannot be written.
pub fn write_all(records: &Path, summary: &Summary, target: &Path) -> Result<(), Error> {
    let format = Format::of(target)?;
    let mut output = AtomicFile::create(target).map_err(Error::file(target))?;
    if format == Format::Html {
        html::write(records, summary, &mut output).map_err(|error| match error {
            html::Trouble::Reading(error) => error,
            html::Trouble::Writing(error) => Error::file(target)(error),
        })?;
    } else {
        let mut write = |text: &str| output.write_all(text.as_bytes());
        let mut records = Records::open(records)?;
        let header = records.header()?;
        write(head(format, header.task)).map_err(Error::file(target))?;
        if format == Format::Jsonl {
            write(&line(&Record::Header(Box::new(header)))).map_err(Error::file(target))?;
        }
        while let Some(record) = records.next_record()? {
            write(&text(format, &record)).map_err(Error::file(target))?;
        }
    }
    output.finish().map_err(Error::file(target))
}

fn quoted(text: &str) -> String {
    // Spreadsheets take a cell that begins so for a formula.
    let guard = if text.starts_with(['=', '+', '-', '@', '\t', '\r']) { "'" } else { "" };
    if text.contains(['"', ',', '\n', '\r']) {
        format!("\"{guard}{}\"", text.replace('"', "\"\""))
    } else {
        format!("{guard}{text}")
    }
}

/// The columns `eval` in pawns and `mate` in moves, of which one is empty.
fn score_columns(eval: Option<Eval>) -> String {
    match eval {
        Some(Eval::Cp(cp)) => format!("{:.2},", f64::from(cp) / 100.0),
        Some(Eval::Mate(moves)) => format!(",{moves}"),
        Some(Eval::Over(_)) | None => String::from(","),
    }
}

fn first_move(lines: &[LineRecord]) -> &str {
    lines.first().and_then(|line| line.san.split(' ').next()).unwrap_or_default()
}

fn csv_of_game(game: &GameRecord) -> String {
    let [file, white, black] = [&game.file, game.tag("White"), game.tag("Black")].map(quoted);
    let mut text = String::new();
    for ply in &game.plies {
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{},{file},{},{},{white},{black},{},{},{},{},{},{},{},{},{:.2},{},{:.1},{},{},{},{},{},{}",
            game.item,
            game.game,
            game.line,
            game.result,
            ply.number,
            if ply.white { "white" } else { "black" },
            ply.san,
            ply.uci,
            ply.fen,
            score_columns(Some(ply.eval)),
            first_move(&ply.lines),
            ply.loss,
            ply.centipawn_loss,
            ply.accuracy,
            ply.judgement.map_or(String::new(), |judgement| judgement.name().to_lowercase()),
            ply.phase.name(),
            if ply.book { "book" } else { "" },
            ply.depth,
            ply.nodes,
            ply.lines.first().map_or("", |line| line.uci.as_str())
        );
    }
    text
}

fn csv_of_position(position: &PositionRecord) -> String {
    let PositionRecord { item, line, depth, nodes, .. } = position;
    let [file, fen] = [&position.file, &position.fen].map(|text| quoted(text));
    let (score, best) = (score_columns(position.eval), first_move(&position.lines));
    let uci = position.lines.first().map_or("", |line| line.uci.as_str());
    format!("{item},{file},,{line},,,,,,,,{fen},{score},{best},,,,,,,{depth},{nodes},{uci}\n")
}

fn theme_names(puzzle: &PuzzleRecord) -> String {
    puzzle.themes.iter().map(|motif| motif.name()).collect::<Vec<_>>().join(" ")
}

/// How far the estimate of a puzzle's rating may be off; nobody has played it yet.
const RATING_DEVIATION: u32 = 500;

fn puzzle_csv(game: &PuzzlesRecord, puzzle: &PuzzleRecord) -> String {
    let site = quoted(game.tags.get("Site").map_or("", String::as_str));
    let PuzzleRecord { id, fen, moves, rating, .. } = puzzle;
    let themes = theme_names(puzzle);
    format!("{id},{fen},{moves},{rating},{RATING_DEVIATION},0,0,{themes},{site},\n")
}

/// The position to solve with its best move, the solution and the motifs.
fn puzzle_epd(puzzle: &PuzzleRecord) -> String {
    let Some((mut position, moves)) = solution(puzzle) else { return String::new() };
    position.make(moves[0]);
    let fen = position.to_fen();
    let fields: Vec<&str> = fen.split(' ').take(4).collect();
    let mut solution = puzzle.san.split(' ').skip(1);
    let best = solution.next().unwrap_or_default();
    let pv = std::iter::once(best).chain(solution).collect::<Vec<_>>().join(" ");
    let themes = theme_names(puzzle);
    let (fields, id, rating) = (fields.join(" "), &puzzle.id, puzzle.rating);
    format!("{fields} bm {best}; pv {pv}; id \"{id}\"; c0 \"{themes}\"; c1 \"rating {rating}\";\n")
}

fn solution(puzzle: &PuzzleRecord) -> Option<(chess::Position, Vec<chess::Move>)> {
    let start = chess::Position::from_fen(&puzzle.fen).ok()?;
    let mut position = start;
    let mut moves = Vec::new();
    for word in puzzle.moves.split(' ') {
        let mv = position.parse_uci(word).ok()?;
        position.make(mv);
        moves.push(mv);
    }
    (!moves.is_empty()).then_some((start, moves))
}

/// A game that begins before the mistake: the mistake with its glyph, then the solution.
fn puzzle_pgn(game: &PuzzlesRecord, puzzle: &PuzzleRecord) -> String {
    let Some((start, moves)) = solution(puzzle) else { return String::new() };
    let mut tree = GameTree::new(start);
    for (name, value) in &game.tags {
        tree.set_tag(name, value.clone());
    }
    tree.set_tag("PuzzleId", puzzle.id.clone());
    tree.set_tag("Themes", theme_names(puzzle));
    tree.set_tag("Rating", puzzle.rating.to_string());
    tree.main.plies = moves.into_iter().map(Ply::new).collect();
    tree.main.plies[0].nags.push(4);
    write_pgn(&tree)
}

/// The operations of an EPD line. A semicolon inside a string does not end one.
fn split_operations(text: &str) -> Vec<&str> {
    let mut operations = Vec::new();
    let (mut start, mut quoted) = (0, false);
    for (index, letter) in text.char_indices() {
        match letter {
            '"' => quoted = !quoted,
            ';' if !quoted => {
                operations.push(text[start..index].trim());
                start = index + 1;
            }
            _ => {}
        }
    }
    operations.push(text[start..].trim());
    operations
}

/// The line with what was found: score (for the side to move), depth, nodes, best move and line.
fn epd(position: &PositionRecord) -> String {
    let (Some(eval), None) = (position.eval, &position.fault) else { return String::new() };
    let fields: Vec<&str> = position.fen.split(' ').take(4).collect();
    let is_black = fields.get(1) == Some(&"b");
    let sign = |value: i32| if is_black { -value } else { value };
    let mut text = fields.join(" ");
    let own = ["ce", "dm", "acd", "acn", "pm", "pv"];
    let theirs = split_operations(&position.operations).into_iter().filter(|operation| {
        let opcode = operation.split(' ').next().unwrap_or_default();
        !operation.is_empty() && !own.contains(&opcode)
    });
    for operation in theirs {
        let _ = write!(text, " {operation};");
    }
    match eval {
        Eval::Cp(cp) => {
            let _ = write!(text, " ce {};", sign(cp));
        }
        Eval::Mate(moves) if sign(moves) > 0 => {
            let _ = write!(text, " ce {}; dm {};", 32767 - (2 * sign(moves) - 1), sign(moves));
        }
        Eval::Mate(moves) => {
            let _ = write!(text, " ce {};", -32767 - 2 * sign(moves));
        }
        Eval::Over(_) => {}
    }
    let _ = write!(text, " acd {}; acn {};", position.depth, position.nodes);
    if let Some(line) = position.lines.first() {
        let _ = write!(text, " pm {}; pv {};", first_move(&position.lines), line.san);
    }
    text.push('\n');
    text
}
