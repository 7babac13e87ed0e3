//! Games as text: from PGN, or a list of UCI moves, to the moves that the page shows.

use std::collections::BTreeMap;

use chess::{Position, chess960};
use review::{FaultKind, GameTree, Line, Ply, RawGame, Splitter, read_with_passes};

use crate::protocol::{GameSummary, MAX_GAMES, MAX_MOVES, MAX_PLIES, PgnGame, PgnMove};
use crate::rules::step;

/// The games of a text, one after the other.
fn games(pgn: &str) -> impl Iterator<Item = RawGame> {
    let mut splitter = Splitter::new(pgn.as_bytes());
    // Reading from memory cannot fail.
    std::iter::from_fn(move || splitter.next_game().ok().flatten())
}

/// Lists the games of a text that can be read, and counts those that there is no room for.
pub(crate) fn summaries(pgn: &str) -> (Vec<GameSummary>, u64) {
    if let Some(game) = uci_game(pgn) {
        return (game.iter().map(|game| summary(1, game)).collect(), 0);
    }
    let mut list = Vec::new();
    let mut left_out = 0;
    for raw in games(pgn) {
        if list.len() == MAX_GAMES {
            left_out += 1;
        } else if let (Some(game), _) = read_with_passes(&raw) {
            list.push(summary(raw.number, &game));
        }
    }
    (list, left_out)
}

fn summary(number: u64, game: &GameTree) -> GameSummary {
    // PGN writes question marks for what is unknown.
    let tag = |name| game.tag(name).filter(|value| value.contains(|c| c != '?' && c != '.'));
    let text = |name| tag(name).unwrap_or_default().to_owned();
    GameSummary {
        number,
        white: text("White"),
        black: text("Black"),
        event: text("Event"),
        date: text("Date"),
        result: game.result.text(),
        plies: game.main.plies.len(),
    }
}

/// Reads a list of UCI moves, with or without `position startpos moves` or `position fen … moves`
/// before it. None if the text is something else; an error if a move is not legal.
fn uci_game(text: &str) -> Option<Result<GameTree, String>> {
    let mut words = text.split_whitespace().peekable();
    let mut start = Position::startpos();
    let is_command = words.next_if_eq(&"position").is_some();
    match words.peek().copied() {
        Some("startpos") => {
            words.next();
        }
        Some("fen") => {
            words.next();
            let fen: Vec<&str> =
                std::iter::from_fn(|| words.next_if(|word| *word != "moves")).collect();
            match Position::from_fen(&fen.join(" ")) {
                Ok(position) => start = position,
                Err(error) => return Some(Err(format!("not a possible position: {error}"))),
            }
        }
        _ if is_command => return None,
        _ => {}
    }
    let has_moves = words.next_if_eq(&"moves").is_some();
    let words: Vec<&str> = words.collect();
    let is_uci = |word: &&str| {
        let bytes = word.as_bytes();
        let square = |at: usize| {
            matches!(bytes.get(at), Some(b'a'..=b'h'))
                && matches!(bytes.get(at + 1), Some(b'1'..=b'8'))
        };
        let end = matches!(bytes.get(4..), Some([] | [b'q' | b'r' | b'b' | b'n']));
        square(0) && square(2) && end
    };
    if !words.iter().all(is_uci) || words.is_empty() && !is_command && !has_moves {
        return None;
    }
    let mut tree = GameTree::new(start);
    let mut position = start;
    for word in words {
        match position.parse_uci(word) {
            Ok(mv) => {
                tree.main.plies.push(Ply::new(mv));
                position.make(mv);
            }
            Err(_) => return Some(Err(format!("{word} is not a legal move here"))),
        }
    }
    Some(Ok(tree))
}

/// Reads a game of a text, with what is wrong with it.
///
/// # Errors
/// If there is no such game in it, for people.
pub(crate) fn read_game(pgn: &str, number: u64) -> Result<(GameTree, Vec<String>), String> {
    if let Some(game) = uci_game(pgn) {
        return game.map(|game| (game, Vec::new()));
    }
    let none = || String::from("no game or position was found in this text");
    let raw = games(pgn).find(|raw| raw.number == number).ok_or_else(|| match number {
        1 => none(),
        _ => format!("there is no game {number} in this text"),
    })?;
    let (game, mut faults) = read_with_passes(&raw);
    // A position without moves is an exercise, not a damaged game. Moves that are pasted by themselves
    // are no whole game, and need no result.
    if let Some(game) = &game {
        let (is_set_up, is_bare) = (game.tag("FEN").is_some(), game.tags.is_empty());
        faults.retain(|fault| match fault.kind {
            FaultKind::NoMoves => !is_set_up,
            FaultKind::NoResult => !is_bare,
            _ => true,
        });
    }
    let mut problems: Vec<String> =
        faults.iter().map(|fault| format!("line {}: {}", fault.line, fault.kind)).collect();
    match game {
        Some(game) if game.main.plies.len() > MAX_PLIES => {
            Err(format!("a game may have {MAX_PLIES} half-moves at most"))
        }
        Some(game) if count(&game.main) > MAX_MOVES => {
            Err(format!("a game may have {MAX_MOVES} moves at most, variations included"))
        }
        Some(game) if game.main.plies.is_empty() && !problems.is_empty() => Err(none()),
        Some(game) => Ok((game, problems)),
        None if problems.is_empty() => Err(none()),
        None => Err(problems.swap_remove(0)),
    }
}

/// The moves of a line, variations included.
fn count(line: &Line) -> usize {
    let moves = |ply: &Ply| 1 + ply.variations.iter().map(count).sum::<usize>();
    line.plies.iter().map(moves).sum()
}

/// Reads a game for the page.
///
/// # Errors
/// If there is no game in the text, for people.
pub(crate) fn game(pgn: &str, number: u64) -> Result<PgnGame, String> {
    let (game, problems) = read_game(pgn, number)?;
    let mut moves = Vec::new();
    flatten(&game.main, game.start, None, &mut moves);
    let start = game.start;
    let number = (0..960).find(|&number| number != 518 && chess960(number) == start);
    let headers: BTreeMap<String, String> = game
        .tags
        .iter()
        .filter(|(name, _)| !matches!(name.as_str(), "FEN" | "SetUp" | "Variant"))
        .cloned()
        .collect();
    // The comment of the main line belongs to the game, not to its first move.
    let comment = moves.first_mut().map(|first| std::mem::take(&mut first.comment_before));
    let comment = comment.unwrap_or_else(|| game.main.comments.join(" "));
    Ok(PgnGame { start_fen: start.to_fen(), chess960: number, headers, comment, moves, problems })
}

/// Writes the moves of a line one after the other, each with the index of the move before it.
fn flatten(
    line: &Line,
    mut position: Position,
    mut parent: Option<usize>,
    moves: &mut Vec<PgnMove>,
) {
    let mut comment_before = line.comments.join(" ");
    for ply in &line.plies {
        let before = position;
        let made = step(&mut position, ply.mv);
        let index = moves.len();
        let (nags, comment) = (ply.nags.clone(), ply.comments.join(" "));
        let comment_before = std::mem::take(&mut comment_before);
        moves.push(PgnMove { parent, step: made, nags, comment_before, comment });
        for variation in &ply.variations {
            flatten(variation, before, parent, moves);
        }
        parent = Some(index);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uci_text_is_a_game() {
        for text in [
            "e2e4 e7e5 g1f3",
            "position startpos moves e2e4 e7e5 g1f3",
            "startpos moves e2e4 e7e5\ng1f3\n",
            "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 moves e2e4 e7e5 g1f3",
        ] {
            let read = game(text, 1).unwrap();
            let moves: Vec<&str> = read.moves.iter().map(|mv| mv.step.san.as_str()).collect();
            assert_eq!(moves, ["e4", "e5", "Nf3"], "{text}");
            assert_eq!(summaries(text).0.len(), 1, "{text}");
        }
        assert!(game("e2e4 e2e4", 1).unwrap_err().contains("e2e4"));
        assert_eq!(game("hello", 1).unwrap_err(), "no game or position was found in this text");
    }

    #[test]
    fn a_position_without_moves_is_a_game() {
        let text = "[Event \"Exercise\"]\n[SetUp \"1\"]\n[FEN \"8/8/8/4k3/8/8/4P3/4K3 w - - 0 1\"]\n\n\
                    {White to move and win.} *\n";
        let read = game(text, 1).unwrap();
        assert_eq!((read.moves.len(), read.comment.as_str()), (0, "White to move and win."));
        assert!(read.problems.is_empty(), "{:?}", read.problems);
        assert_eq!(summaries(text).0[0].plies, 0);
    }

    #[test]
    fn moves_by_themselves_need_no_result() {
        assert!(game("1. e4 e5 2. Nf3", 1).unwrap().problems.is_empty());
        let whole = game("[White \"Anna\"]\n\n1. e4 e5 2. Nf3", 1).unwrap();
        assert_eq!(whole.problems, ["line 3: no result at the end"]);
        assert_eq!(game("1. e4 e5 2. Nf6", 1).unwrap().problems.len(), 1);
    }

    #[test]
    fn null_moves_are_moves_of_a_game() {
        let read = game("1. e4 Z0 2. d4 {Two moves in a row.} (2. -- e5) -- 3. Nf3 *", 1).unwrap();
        assert!(read.problems.is_empty(), "{:?}", read.problems);
        let moves: Vec<(&str, &str)> =
            read.moves.iter().map(|mv| (mv.step.uci.as_str(), mv.step.san.as_str())).collect();
        let null = ("0000", "--");
        let [e4, d4, e5, knight] =
            [("e2e4", "e4"), ("d2d4", "d4"), ("e7e5", "e5"), ("g1f3", "Nf3")];
        assert_eq!(moves, [e4, null, d4, null, e5, null, knight]);
        // Whoever is in check cannot pass: the game ends there.
        let read = game("1. e4 f5 2. Qh5+ -- 3. Qxe8 *", 1).unwrap();
        assert_eq!((read.moves.len(), read.problems.len()), (3, 1));
    }

    #[test]
    fn comments_before_a_move_are_kept() {
        let text = "{The game.} 1. e4 {Best by test.} ({Or:} 1. d4 {Solid.}) e5 *";
        let read = game(text, 1).unwrap();
        assert_eq!(read.comment, "The game.");
        let comments: Vec<(&str, &str)> =
            read.moves.iter().map(|mv| (mv.comment_before.as_str(), mv.comment.as_str())).collect();
        assert_eq!(comments, [("", "Best by test."), ("Or:", "Solid."), ("", "")]);
    }
}
