//! The page `docs/uci.md`, made from the tables that the program itself works with.

use std::fmt::Write as _;

use crate::command::{COMMANDS, Group};
use crate::go::PARAMETERS;
use crate::options::{Kind, OPTIONS, OptionSpec};

const INTRODUCTION: &str = "\
# What Halcyon understands

<!-- Written by `halcyon manual`; change the tables in crates/cli and run it again. -->

Halcyon speaks UCI on standard input and output: one command a line, one answer a line, LF at the
end of what it writes, LF or CR LF at the end of what it reads. One thread listens all the time:
`stop`, `ponderhit`, `isready`, `quit`, `stats` and `qstats` are answered at once, also during a
search. Every other command waits for the search to end and is then carried out in its turn.
";

const CONVERSATION: &str = "\
## Rules of the conversation

- Every `go` (except `go perft`) is answered by exactly one `bestmove`. A second `go` during a search
  waits for its turn. A `stop` is meant for every search asked for before it, and for none after it.
- `bestmove` equals the first move of the last principal variation, which is written in full with an
  exact score before it. `bestmove (none)` means that there is no legal move.
- With `infinite`, or `ponder` before `ponderhit`, there is no `bestmove` before `stop`.
- The clock runs from the moment the line with `go` was read. If only one side's clock is given, it
  stands for both.
- A position or a move that is not legal is refused as a whole. Until a position is accepted, `go`
  repeats the error and answers `bestmove (none)`: an answer for another position would mislead.
- If no limit of a `go` can be read, the search ends at depth 1: it was not to be without end.
- `quit` and the end of input end a search at once. Other work that was asked for before, such as
  `perft` or `bench`, is ended by `quit` and finished at the end of input; behind commands that are given
  as arguments it is finished in any case.
- Up to 1024 commands wait for a search. If more come, the input waits; a search without end is stopped
  then, because its `stop` could not be read.
- A line may have four million bytes and is UTF-8 text; others are refused, and a `position` in them
  counts as refused. Blanks, NUL bytes and a byte-order mark around a line are dropped.
- Unknown words before a command of the standard are skipped, as the standard wants it.
";

const OUTPUT: &str = "\
## What it writes during a search

`info depth seldepth multipv score [lowerbound|upperbound] [wdl] nodes nps hashfull tbhits time pv`,
in this order, whole numbers only.

- `score cp` is in hundredths of a pawn, normalised so that 100 is won in half of the engine's games
  against itself; `score mate` is in moves, negative when Halcyon is mated. Scores around 20000 are
  wins by the endgame tables.
- `wdl`, with `UCI_ShowWDL`, has the chances to win, draw and lose in thousandths, for the side to
  move.
- `info depth currmove currmovenumber` comes only after three seconds.
- `info string error: ...` says what was wrong with a command and what was kept. There is one for
  each command that was not carried out as it stands, and nothing else happens.
";

/// The page `docs/uci.md`, made from the tables of commands and options.
#[must_use]
pub fn page() -> String {
    let mut text = String::from(INTRODUCTION);
    for (group, title) in
        [(Group::Standard, "Commands of the standard"), (Group::Own, "Other commands")]
    {
        table(&mut text, title, ["command", "meaning"], |rows| {
            for spec in COMMANDS.iter().filter(|spec| spec.group == group) {
                rows.push([code(&[spec.name, spec.syntax]), spec.meaning.to_owned()]);
            }
        });
    }
    text.push_str(
        "\nA move (`e2e4` or `Nf3`; several, too) or a FEN on a line of its own is understood: it is \
         played or\nset up, and the board is drawn.\n",
    );
    table(&mut text, "Parameters of `go`", ["parameter", "meaning"], |rows| {
        for parameter in PARAMETERS {
            let value =
                if parameter.value.is_empty() { "" } else { &format!("<{}>", parameter.value) };
            rows.push([code(&[parameter.name, value]), parameter.meaning.to_owned()]);
        }
    });
    text.push_str("\nThey come in any order, and all that are given hold together.\n");
    text.push_str("\n## Options\n\n");
    text.push_str(&options());
    text.push('\n');
    text.push_str(CONVERSATION);
    text.push('\n');
    text.push_str(OUTPUT);
    text
}

/// The table of options, which the README has as well.
#[must_use]
pub fn options() -> String {
    let mut text = String::new();
    rows(&mut text, ["option", "type", "default", "range", "meaning"], |rows| {
        rows.extend(OPTIONS.iter().map(option_row));
    });
    text
}

fn table<const N: usize>(
    text: &mut String,
    title: &str,
    head: [&str; N],
    fill: impl FnOnce(&mut Vec<[String; N]>),
) {
    // Writing to a string cannot fail.
    let _ = writeln!(text, "\n## {title}\n");
    rows(text, head, fill);
}

fn rows<const N: usize>(
    text: &mut String,
    head: [&str; N],
    fill: impl FnOnce(&mut Vec<[String; N]>),
) {
    let mut rows = vec![head.map(str::to_owned), [(); N].map(|()| String::from("---"))];
    fill(&mut rows);
    for row in rows {
        let _ = writeln!(text, "| {} |", row.map(|cell| cell.replace('|', "\\|")).join(" | "));
    }
}

fn code(words: &[&str]) -> String {
    let words: Vec<&str> = words.iter().copied().filter(|word| !word.is_empty()).collect();
    format!("`{}`", words.join(" "))
}

fn option_row(spec: &OptionSpec) -> [String; 5] {
    let (kind, range) = match spec.kind {
        Kind::Check { .. } => ("check", String::new()),
        Kind::Spin { min, max, .. } => ("spin", format!("{min} to {max}")),
        Kind::Text { .. } => ("string", String::new()),
        Kind::Button { .. } => ("button", String::new()),
    };
    let mut meaning = spec.meaning.to_owned();
    if let Some(alias) = spec.alias {
        let _ = write!(meaning, " Also understood as `{alias}`.");
    }
    let default = Some(spec.default_text()).filter(|default| !default.is_empty());
    let default = default.map_or(String::new(), |default| code(&[&default]));
    [code(&[spec.name]), kind.to_owned(), default, range, meaning]
}
