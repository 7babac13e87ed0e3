//! The table of commands: name, syntax, meaning, and the function that reads what stands after it.

use super::inspect;
use super::{BenchRequest, Command, HashRequest, Parsed, SpeedRequest};
use crate::game::PositionRequest;
use crate::go::{GoRequest, MAX_PERFT};
use crate::openings::OpeningsRequest;
use crate::text::{CommandError, quote, split_word, whole_number};

/// Where a command comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// A command of the UCI standard.
    Standard,
    /// A command of Halcyon's own.
    Own,
}

/// A command as `help` and the manual show it.
pub struct CommandSpec {
    /// The first word of the line.
    pub name: &'static str,
    /// What stands after it.
    pub syntax: &'static str,
    /// What it does, for the manual.
    pub meaning: &'static str,
    /// Where it comes from.
    pub group: Group,
    pub(super) read: fn(&str) -> Parsed,
}

const fn standard(
    name: &'static str,
    syntax: &'static str,
    meaning: &'static str,
    read: fn(&str) -> Parsed,
) -> CommandSpec {
    CommandSpec { name, syntax, meaning, group: Group::Standard, read }
}

const fn own(
    name: &'static str,
    syntax: &'static str,
    meaning: &'static str,
    read: fn(&str) -> Parsed,
) -> CommandSpec {
    CommandSpec { name, syntax, meaning, group: Group::Own, read }
}

/// All commands, in the order of the manual.
pub const COMMANDS: &[CommandSpec] = &[
    standard("uci", "", "Name, author and options, then `uciok`.", |_| Command::Uci.into()),
    standard("debug", "on|off", "More about each search as `info string`.", read_debug),
    standard(
        "isready",
        "",
        "`readyok` when everything before it is done; at once during a search.",
        |_| Command::IsReady.into(),
    ),
    standard(
        "setoption",
        "name <name> [value <value>]",
        "Changes an option. Names are matched without case; values may contain spaces.",
        read_option,
    ),
    standard("register", "...", "Nothing: Halcyon needs no registration.", |_| {
        Command::Register.into()
    }),
    standard("ucinewgame", "", "Forgets everything about earlier games.", |_| {
        Command::NewGame.into()
    }),
    standard(
        "position",
        "startpos|fen <fen> [moves <moves>]",
        "Sets the position. FEN, Shredder-FEN and X-FEN are understood; fields at the end may be \
         missing.",
        read_position,
    ),
    standard(
        "go",
        "<parameters>",
        "Searches within the limits given. With none that ends it, until `stop`.",
        read_go,
    ),
    standard(
        "stop",
        "",
        "Ends every search, `perft`, `bench`, `speedtest` and `genfens` asked for before it.",
        |_| Command::Stop.into(),
    ),
    standard("ponderhit", "", "The expected move was played: Halcyon's clock starts now.", |_| {
        Command::PonderHit.into()
    }),
    standard("quit", "", "Ends the engine. So does the end of input.", |_| Command::Quit.into()),
    own("d", "", "Draws the board, with FEN, keys, checkers and what the tablebases say.", |_| {
        Command::Display.into()
    }),
    own("eval", "", "The static score and what each piece adds to it.", |_| Command::Eval.into()),
    own("moves", "", "The legal moves, in UCI and algebraic notation.", |_| Command::Moves.into()),
    own("see", "<move>", "What the exchange that the move starts wins or loses.", read_see),
    own("flip", "", "Changes the colours of everything. Forgets the moves before.", |_| {
        Command::Flip.into()
    }),
    own("perft", "<depth>", "Counts the leaves of the move tree below each move.", read_perft),
    own(
        "bench",
        "[depth] [threads] [hash]",
        "Searches a fixed set of positions. With one thread the node count is always the same.",
        read_bench,
    ),
    own(
        "speedtest",
        "[threads] [hash] [seconds]",
        "Measures the speed with all threads over a while, as in play.",
        read_speedtest,
    ),
    own(
        "genfens",
        "<n> seed <s> [book None|<file>]",
        "Openings for training games: random moves from the start, or from the positions of a file.",
        read_openings,
    ),
    own("spsa", "", "The parameters of the search, in the form that tuning servers read.", |_| {
        Command::Spsa.into()
    }),
    own(
        "hash",
        "save|load <file>",
        "Writes the transposition table to a file, or replaces it by one of the same size from a \
         file. A file that does not fit is refused, and the table stays as it was.",
        read_hash,
    ),
    own(
        "stats",
        "[json|on|off]",
        "What the last search did, or the one that runs: nodes, cutoffs, pruning, reductions, \
         extensions, clock. `on` counts from the next search on; so does `debug on`.",
        inspect::read_stats,
    ),
    own(
        "trace",
        "<depth> [nodes <n>] [file <file>]",
        "Searches to a depth and writes the nodes of the last iteration to a file, for \
         `halcyon tree`: 100000 nodes to `trace.jsonl` if nothing else is said.",
        inspect::read_trace,
    ),
    own(
        "qsearch",
        "[plies]",
        "Quiescence of the position, to so many plies if that is given: score, line, where it \
         ends, nodes, what was pruned.",
        inspect::read_quiescence_search,
    ),
    own(
        "qperft",
        "[depth]",
        "Counts leaves like `perft` and sends each to quiescence: nodes, depths, the largest.",
        inspect::read_quiescence_perft,
    ),
    own(
        "qstats",
        "[json]",
        "What quiescence did in the last search, or in the one that runs.",
        inspect::read_quiescence_stats,
    ),
    own(
        "qdebug",
        "on|off|1|2|3",
        "How much `qsearch` shows: 1 the root node with its window and what it left out, 2 also \
         the moves it searched, 3 or on every node.",
        inspect::read_quiescence_debug,
    ),
    own(
        "qvalidate",
        "[fen]",
        "Compares the static score, quiescence and a search of four plies, here or elsewhere.",
        inspect::read_quiescence_validate,
    ),
    own("qnodes", "<n>", "Sets `QSearchNodeLimit`.", |text| {
        number_option("QSearchNodeLimit", text)
    }),
    own("qdelta", "<n>", "Sets `QSearchDeltaMargin`.", |text| {
        number_option("QSearchDeltaMargin", text)
    }),
    own("compiler", "", "How this binary was built.", |_| Command::Compiler.into()),
    own("license", "", "What you may do with Halcyon.", |_| Command::License.into()),
    own("help", "", "This list.", |_| Command::Help.into()),
];

fn read_debug(text: &str) -> Parsed {
    match text {
        "on" => Command::Debug(true).into(),
        "off" => Command::Debug(false).into(),
        other => {
            CommandError::ignored(format!("debug needs on or off, not {}", quote(other))).into()
        }
    }
}

fn read_option(text: &str) -> Parsed {
    let (word, rest) = split_word(text);
    if !word.eq_ignore_ascii_case("name") || rest.is_empty() {
        return CommandError::new("setoption needs the word name and a name", "options kept")
            .into();
    }
    let mut name: Vec<&str> = Vec::new();
    let mut remaining = rest;
    let mut value = None;
    while !remaining.is_empty() {
        let (word, after) = split_word(remaining);
        if word.eq_ignore_ascii_case("value") && !name.is_empty() {
            value = Some(after.to_owned());
            break;
        }
        name.push(word);
        remaining = after;
    }
    Command::SetOption { name: name.join(" "), value }.into()
}

fn number_option(name: &str, text: &str) -> Parsed {
    Command::SetOption { name: name.to_owned(), value: Some(text.to_owned()) }.into()
}

fn read_position(text: &str) -> Parsed {
    match PositionRequest::parse(text) {
        Ok((request, error)) => Parsed { command: Some(Command::Position(request)), error },
        Err(error) => Command::BadPosition(error).into(),
    }
}

fn read_go(text: &str) -> Parsed {
    let (request, error) = GoRequest::parse(text);
    let asks_perft = text.split_ascii_whitespace().any(|word| word.eq_ignore_ascii_case("perft"));
    match request.perft {
        Some(depth) => Parsed { command: Some(Command::Perft(depth)), error },
        // A perft that cannot be counted must not become an endless search.
        None if asks_perft => uncountable(text),
        None => Parsed { command: Some(Command::Go(request)), error },
    }
}

fn read_perft(text: &str) -> Parsed {
    let depth = whole_number(text).and_then(|number| u32::try_from(number).ok());
    match depth.filter(|&depth| depth <= MAX_PERFT) {
        Some(depth) => Command::Perft(depth).into(),
        None => uncountable(text),
    }
}

fn uncountable(text: &str) -> Parsed {
    let wrong = format!("perft needs a depth from 0 to {MAX_PERFT}, not {}", quote(text));
    CommandError::ignored(wrong).into()
}

fn read_see(text: &str) -> Parsed {
    if text.is_empty() {
        return CommandError::ignored("see needs a move").into();
    }
    Command::See(text.to_owned()).into()
}

fn read_hash(text: &str) -> Parsed {
    let (word, file) = split_word(text);
    let request = match word {
        _ if file.is_empty() => None,
        "save" => Some(HashRequest::Save(file.to_owned())),
        "load" => Some(HashRequest::Load(file.to_owned())),
        _ => None,
    };
    match request {
        Some(request) => Command::Hash(request).into(),
        None => CommandError::new("hash needs save or load and a file", "table kept").into(),
    }
}

fn read_bench(text: &str) -> Parsed {
    match numbers(text) {
        Some([depth, threads, hash]) => {
            Command::Bench(BenchRequest { depth, threads, hash }).into()
        }
        None => CommandError::ignored("bench takes up to three numbers above 0").into(),
    }
}

fn read_speedtest(text: &str) -> Parsed {
    match numbers(text) {
        Some([threads, hash, seconds]) => {
            Command::SpeedTest(SpeedRequest { threads, hash, seconds }).into()
        }
        None => CommandError::ignored("speedtest takes up to three numbers above 0").into(),
    }
}

fn read_openings(text: &str) -> Parsed {
    match OpeningsRequest::read(text) {
        Some(request) => Command::Openings(request).into(),
        None => CommandError::ignored("usage: genfens <n> seed <s> [book None|<file>]").into(),
    }
}

/// Up to three positive numbers.
fn numbers(text: &str) -> Option<[Option<u32>; 3]> {
    let mut found = [None; 3];
    for (index, word) in text.split_ascii_whitespace().enumerate() {
        let number = whole_number(word).filter(|&number| number > 0)?;
        *found.get_mut(index)? = Some(u32::try_from(number).ok()?);
    }
    Some(found)
}
