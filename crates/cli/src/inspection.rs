//! The commands that look inside the search: `qsearch`, `qperft`, `qvalidate` and `trace`.

use std::fmt::Write as _;
use std::path::Path;

use atomic_file::AtomicFile;
use chess::{Move, Position};
use engine::stats::Event;
use engine::{Game, Inspector, QuiescencePerft, Score};

use crate::command::{Detail, TraceRequest};
use crate::files;
use crate::game::PositionRequest;
use crate::info::Display;
use crate::session::Session;
use crate::text::{CommandError, quote};
use crate::trace::{self, Node};
use crate::tree::{self, Filter};

/// The most nodes that `qsearch` shows.
const SHOWN_NODES: usize = 10_000;
/// Scores within so many centipawns of zero have no sign.
const EVEN: i32 = 2;
/// The search that quiescence is compared with.
const VALIDATION_DEPTH: i32 = 4;

/// Looks inside the search of the position on the board.
///
/// # Errors
/// If there is no memory for it.
pub fn inspector(session: &Session) -> Result<Inspector, CommandError> {
    Inspector::new(&session.engine).map_err(|error| CommandError::ignored(error.to_string()))
}

fn shown(score: Score) -> String {
    tree::score(score.raw())
}

/// A line in algebraic notation, and in UCI notation behind it.
fn moves(display: Display, root: &Position, line: &[Move]) -> String {
    let mut position = *root;
    let mut words = Vec::new();
    for &mv in line {
        words.push(position.to_san(mv));
        position.make(mv);
    }
    let uci: Vec<String> = line.iter().map(|&mv| display.mv(mv)).collect();
    match words.is_empty() {
        true => String::from("(nothing to play)"),
        false => format!("{} ({})", words.join(" "), uci.join(" ")),
    }
}

/// The answer to `qsearch`, to so many plies if it is told.
///
/// # Errors
/// If there is no memory for it.
pub fn quiescence(session: &Session, plies: Option<usize>) -> Result<String, CommandError> {
    let detail = session.quiescence_debug;
    let is_shown = detail > Detail::Result;
    let found = inspector(session)?.quiesce(if is_shown { SHOWN_NODES } else { 0 }, plies);
    let mut text = String::new();
    if is_shown {
        let max_ply = match detail {
            Detail::Result | Detail::Root => Some(0),
            Detail::FirstPly => Some(1),
            Detail::Tree => None,
        };
        let nodes: Vec<Node> =
            found.tree.nodes.iter().map(|node| Node::new(node, session.display.castling)).collect();
        for line in
            tree::print(session.position(), &nodes, &Filter { max_ply, ..Filter::default() })
        {
            text.push_str(&line);
            text.push('\n');
        }
        if found.tree.omitted > 0 {
            let _ = writeln!(text, "{} more nodes are not shown", found.tree.omitted);
        }
    }
    let _ = writeln!(text, "score        {}", shown(found.score));
    let _ = writeln!(text, "static score {}", shown(found.static_score));
    let _ =
        writeln!(text, "line         {}", moves(session.display, session.position(), &found.line));
    let _ = writeln!(text, "ends in      {}", found.leaf.to_fen());
    let _ = writeln!(text, "nodes        {}", found.nodes);
    let _ = writeln!(text, "deepest ply  {}", found.counters.deepest_quiescence());
    let rules =
        [Event::DeltaPrune, Event::QuiescenceSeePrune, Event::EvasionSkip, Event::CaptureLimit];
    let pruned: Vec<String> =
        rules.iter().map(|&rule| format!("{} {}", rule.name(), found.counters.get(rule))).collect();
    let _ = write!(text, "pruned       {}", pruned.join(", "));
    Ok(text)
}

/// The answer to `qperft`.
#[must_use]
pub fn quiescence_perft(
    display: Display,
    root: &Position,
    depth: u32,
    found: &QuiescencePerft,
) -> String {
    let QuiescencePerft { leaves, nodes, depths, largest } = found;
    let ratio = *nodes as f64 / (*leaves).max(1) as f64;
    let mut text = format!(
        "depth {depth}: {leaves} leaves, {nodes} quiescence nodes, {ratio:.2} for each leaf\n"
    );
    text.push_str("deepest ply of quiescence, and how many leaves went there\n");
    for (ply, count) in depths.iter().enumerate() {
        let share = 100.0 * *count as f64 / (*leaves).max(1) as f64;
        let _ = writeln!(text, "  {ply:>3}{count:>12}  {share:.1} %");
    }
    text.push_str("the leaves with the most nodes");
    for leaf in largest {
        let line = moves(display, root, &leaf.line);
        let _ = write!(text, "\n  {:>6}  {line}  {}", leaf.nodes, leaf.position.to_fen());
    }
    text
}

/// The answer to `qvalidate`.
///
/// # Errors
/// If the position is refused or there is no memory for it.
pub fn validate(
    session: &mut Session,
    request: Option<&PositionRequest>,
) -> Result<String, CommandError> {
    let game = match request {
        Some(request) => Game::new(*request.resolve().map_err(CommandError::ignoring)?.position()),
        None => session.played().game(),
    };
    session.engine.set_game(game);
    let inspector = inspector(session);
    session.engine.set_game(session.played().game());
    let mut inspector = inspector?;
    let quiescence = inspector.quiesce(0, None);
    let Some((line, _)) = inspector.search(VALIDATION_DEPTH) else {
        return Ok(format!("score        {}: there is no legal move", shown(quiescence.score)));
    };
    let (before, after, searched) = (quiescence.static_score, quiescence.score, line.score);
    let turned = if sign(before) == sign(after) { "did not change" } else { "changed" };
    let agrees = if sign(searched) == sign(after) { "agrees" } else { "does not agree" };
    Ok(format!(
        "static score {}\nquiescence   {}\nfour plies   {}\nquiescence {turned} the sign of the \
         static score; the search of four plies {agrees} with quiescence",
        shown(before),
        shown(after),
        shown(searched),
    ))
}

/// Who stands better; scores this close to zero are even, as draws are.
fn sign(score: Score) -> i32 {
    if score.raw().abs() <= EVEN { 0 } else { score.raw().signum() }
}

/// Carries out `trace`: searches, and writes the tree to the file.
///
/// # Errors
/// If the file cannot be written.
pub fn write_trace(
    session: &Session,
    inspector: &mut Inspector,
    request: &TraceRequest,
) -> Result<String, CommandError> {
    let refuse = |error: std::io::Error| {
        let (file, reason) = (quote(&request.file), files::reason(&error));
        CommandError::ignored(format!("trace not written to {file}: {reason}"))
    };
    // A file that cannot be written shall not cost a search.
    let mut file = AtomicFile::create(Path::new(&request.file)).map_err(refuse)?;
    let traced = inspector.trace(request.depth as i32, request.nodes);
    if traced.tree.nodes.is_empty() && session.position().has_legal_move() {
        // The file that was there before is worth more.
        return Ok(String::from("info string trace stopped"));
    }
    let castling = session.display.castling;
    trace::write(&mut file, session.position(), request.depth, &traced, castling)
        .and_then(|()| file.finish())
        .map_err(refuse)?;
    let (written, omitted) = (traced.tree.nodes.len(), traced.tree.omitted);
    let rest = if omitted > 0 { format!(", {omitted} left out") } else { String::new() };
    let file = quote(&request.file);
    Ok(format!("info string trace of {written} nodes written to {file}{rest}"))
}
