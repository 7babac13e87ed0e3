//! What is written can be read again, by us and by others; any bytes are read without a panic.

use std::ops::ControlFlow;

use chess::Position;
use pgn_reader::shakmaty::{self, Chess, Position as _};
use pgn_reader::{RawTag, Reader, SanPlus, Skip, Visitor};
use proptest::prelude::*;
use review::{Cost, FaultKind, GameResult, GameTree, Line, Ply, Splitter, read, write_pgn};

fn read_all(text: &[u8]) -> Vec<(Option<GameTree>, Vec<review::Fault>)> {
    let mut splitter = Splitter::new(text);
    std::iter::from_fn(|| splitter.next_game().unwrap()).map(|raw| read(&raw)).collect()
}

fn sound(text: &str) -> GameTree {
    let mut games = read_all(text.as_bytes());
    assert_eq!(games.len(), 1);
    let (game, faults) = games.remove(0);
    assert_eq!(faults, []);
    game.unwrap()
}

#[test]
fn tags_comments_glyphs_and_variations_are_kept() {
    let game = sound(
        "[Event \"A \\\"great\\\" day\"]\n[Opening \"King's\"]\n\n{Before} 1. e4! {one} (1. d4 $10 d5 \
         (1... Nf6!?) 2. c4 {c}) 1... e5 ; to the end of the line\n% not this\n2. Nf3 $1 $14 *\n",
    );
    assert_eq!(game.tag("Event"), Some("A \"great\" day"));
    assert_eq!(game.main.comments, ["Before"]);
    let plies = &game.main.plies;
    assert_eq!(plies.len(), 3);
    assert_eq!((&plies[0].nags, &plies[0].comments), (&vec![1], &vec!["one".to_owned()]));
    let variation = &plies[0].variations[0];
    assert_eq!((variation.plies.len(), variation.plies[0].nags[0]), (3, 10));
    assert_eq!(variation.plies[1].variations[0].plies[0].nags, [5]);
    assert_eq!(variation.plies[2].comments, ["c"]);
    assert_eq!(plies[1].comments, ["to the end of the line"]);
    assert_eq!(plies[2].nags, [1, 14]);
    let text = write_pgn(&game);
    assert!(
        text.contains(
            "{Before} 1. e4 $1 {one} (1. d4 $10 d5 (1... Nf6 $5) 2. c4 {c}) 1... e5 {to the\n\
         end of the line} 2. Nf3 $1 $14 *"
        ),
        "{text}"
    );
    assert!(text.starts_with("[Event \"A \\\"great\\\" day\"]\n[Site \"?\"]\n"), "{text}");
    assert!(text.contains("[Result \"*\"]\n[Opening \"King's\"]\n\n"), "{text}");
}

#[test]
fn all_ways_to_write_results_castling_and_numbers_are_read() {
    for (text, result) in [
        ("1.e4 e5 1-0", GameResult::White),
        ("1 e4 e5 0-1", GameResult::Black),
        ("1. e4 1... e5 1/2-1/2", GameResult::Draw),
        ("1. e4\te5\r\n\u{bd}-\u{bd}", GameResult::Draw),
        ("1. e4 e5 0\u{2013}1", GameResult::Black),
        ("e4 e5 *", GameResult::Unknown),
    ] {
        let game = sound(text);
        assert_eq!((game.main.plies.len(), game.result), (2, result), "{text}");
    }
    for castle in ["O-O", "0-0", "O-O!", "0-0!?", "o-o", "0\u{2011}0"] {
        let text = format!("1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 4. {castle} {castle} *");
        assert!(sound(&text).moves()[7].is_castle(), "{castle}");
    }
}

#[test]
fn games_may_begin_anywhere_and_with_any_array() {
    let text = "[SetUp \"1\"]\n[FEN \"bbqnrkrn/pppppppp/8/8/8/8/PPPPPPPP/BBQNRKRN w GEge - 0 1\"]\n\
                [Variant \"Chess960\"]\n\n1. e3 e6 2. O-O *\n";
    let game = sound(text);
    assert!(game.moves()[2].is_castle());
    assert_eq!(game.castling(), chess::Castling::KingTakesRook);
    assert_eq!(write_pgn(&sound(&write_pgn(&game))), write_pgn(&game));
    let black = sound("[FEN \"4k3/8/8/8/8/8/8/4K2R b K - 3 40\"]\n\n40... Kd7 41. O-O *\n");
    assert!(write_pgn(&black).contains("\n40... Kd7 41. O-O *\n"), "{}", write_pgn(&black));
}

#[test]
fn common_ways_to_write_moves_are_read() {
    for (text, plies) in [
        ("e2e4 e7e5 g1f3 b8c6", 4),
        ("1. e2-e4 e7-e5 2. Ng1-f3 Nb8-c6 3. Bf1-b5", 5),
        ("1. e4 d5 2. e5 f5 3. exf6ep", 5),
        ("1. e4 d5 2. e5 f5 3. exf6e.p. exf6", 6),
        ("1. e4 f5 2. exf5 g6 3. fxg6 Nf6 4. gxh7 Ng8 5. hxg8Q Rxg8", 10),
        ("1. f3 e5 2. g4 Qh4++", 4),
    ] {
        let (game, _) = read_all(text.as_bytes()).remove(0);
        assert_eq!(game.unwrap().main.plies.len(), plies, "{text}");
    }
}

#[test]
fn a_pawn_push_is_never_taken_for_a_capture_and_files_alone_are_no_move() {
    for (text, plies) in [("1. e4 d5 2. d5 Qxd5 *", 2), ("1. e4 d5 2. e5 Nc6 3. ed Nd4 *", 4)] {
        let (game, faults) = read_all(text.as_bytes()).remove(0);
        assert_eq!(game.unwrap().main.plies.len(), plies, "{text}");
        assert!(faults.iter().any(|fault| fault.kind.cost() == Cost::Rest), "{text}: {faults:?}");
    }
}

#[test]
fn castling_rights_that_cannot_be_are_dropped_and_reported() {
    let text = "[FEN \"r3k2r/8/8/8/8/8/8/R3K3 w KQkq - 0 1\"]\n\n1. O-O-O O-O *\n";
    let (game, faults) = read_all(text.as_bytes()).remove(0);
    let game = game.unwrap();
    assert_eq!(game.main.plies.len(), 2);
    assert_eq!(faults.len(), 1);
    assert_eq!(faults[0].kind, FaultKind::StaleCastling);
    assert!(game.start.to_fen().contains(" w Qkq "));
}

#[test]
fn deep_nesting_costs_no_memory_and_closes_right() {
    let depth = 100_000;
    let text = format!("1. e4 {}{} e5 *", "(1. d4 ".repeat(depth), ")".repeat(depth));
    let (game, faults) = read_all(text.as_bytes()).remove(0);
    assert_eq!(game.unwrap().main.plies.len(), 2);
    assert!(faults.iter().any(|fault| fault.kind == FaultKind::DeepVariation), "{faults:?}");
    assert!(faults.len() <= 21);
}

#[test]
fn a_game_without_moves_says_so_each_time_it_is_read() {
    let mut text = String::from("empty\nmoves");
    for _ in 0..2 {
        let (game, faults) = read_all(text.as_bytes()).remove(0);
        assert!(faults.iter().any(|fault| fault.kind == FaultKind::NoMoves), "{text}: {faults:?}");
        text = write_pgn(&game.unwrap());
    }
}

#[test]
fn a_tag_with_a_strange_name_does_not_end_the_tags() {
    let game =
        sound("[Event \"a\"]\n[1White \"b\"]\n[White \"c\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n");
    assert_eq!((game.tag("1White"), game.tag("White")), (Some("b"), Some("c")));
    assert_eq!(game.result, GameResult::White);
    assert_eq!(write_pgn(&sound(&write_pgn(&game))), write_pgn(&game));
}

#[test]
fn a_comment_with_something_like_a_tag_stays_one_comment() {
    for padding in 60..80 {
        let words = "x".repeat(padding);
        let text = format!("1. e4 {{{words} [Event \"Before\"] and more}} e5 *\n");
        let game = sound(&text);
        assert_eq!(sound(&write_pgn(&game)).main, game.main, "{padding}");
    }
}

#[test]
fn text_in_latin_1_is_read_as_such() {
    let games = read_all(b"[White \"M\xfcller\"]\n\n1. e4 {sch\xf6n} *\n");
    let game = games[0].0.as_ref().unwrap();
    assert_eq!(game.tag("White"), Some("M\u{fc}ller"));
    assert_eq!(game.main.plies[0].comments, ["sch\u{f6}n"]);
}

#[test]
fn only_what_costs_something_says_so() {
    assert_eq!(FaultKind::NoResult.cost(), Cost::Piece);
    assert!(FaultKind::NullMove.to_string().ends_with("what follows is left out"));
    assert!(FaultKind::OtherVariant("Atomic".into()).to_string().ends_with("the game is left out"));
}

/// Plays a main line through by the rules of `shakmaty`.
struct Player;

impl Visitor for Player {
    type Tags = Option<shakmaty::fen::Fen>;
    type Movetext = (Chess, usize);
    type Output = usize;

    fn begin_tags(&mut self) -> ControlFlow<usize, Self::Tags> {
        ControlFlow::Continue(None)
    }

    fn tag(&mut self, tags: &mut Self::Tags, name: &[u8], value: RawTag<'_>) -> ControlFlow<usize> {
        if name == b"FEN" {
            *tags = Some(value.decode_utf8_lossy().parse().unwrap());
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, fen: Self::Tags) -> ControlFlow<usize, Self::Movetext> {
        let mode = shakmaty::CastlingMode::Chess960;
        let position = fen.map_or_else(Chess::new, |fen| fen.into_position(mode).unwrap());
        ControlFlow::Continue((position, 0))
    }

    fn san(&mut self, (position, plies): &mut Self::Movetext, san: SanPlus) -> ControlFlow<usize> {
        let mv = san.san.to_move(position).expect("a legal move");
        position.play_unchecked(mv);
        *plies += 1;
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, _: &mut Self::Movetext) -> ControlFlow<usize, Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn end_game(&mut self, (_, plies): Self::Movetext) -> usize {
        plies
    }
}

/// A game whose moves, glyphs, comments and variations come from a list of numbers.
fn arbitrary_game(choices: &[u16], start: Position, depth: usize) -> Line {
    let mut line = Line::default();
    let mut position = start;
    let mut choices = choices.iter();
    while let Some(&choice) = choices.next() {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        let mut ply = Ply::new(moves[choice as usize % moves.len()]);
        if choice.is_multiple_of(7) {
            ply.nags.push((choice / 7) as u8);
        }
        if choice.is_multiple_of(5) {
            ply.comments.push(format!("[%clk 0:{choice}] a {{ comment ; ( with words \" {choice}"));
        }
        if choice.is_multiple_of(11) && depth < 3 {
            let rest: Vec<u16> = choices.by_ref().take(6).copied().collect();
            let variation = arbitrary_game(&rest, position, depth + 1);
            ply.variations.extend((!variation.plies.is_empty()).then_some(variation));
        }
        ply.play(&mut position);
        line.plies.push(ply);
    }
    line
}

proptest! {
    #[test]
    fn what_is_written_is_read_back_and_plays_through(
        choices in prop::collection::vec(any::<u16>(), 0..150), name in "\\PC{0,20}", array in 0..960u16,
    ) {
        let start = if choices.len() % 2 == 0 { Position::startpos() } else { chess::chess960(array) };
        let mut game = GameTree::new(start);
        game.set_tag("White", name.trim());
        game.result = GameResult::Draw;
        game.main = arbitrary_game(&choices, start, 0);
        let text = write_pgn(&game);
        let (again, faults) = read_all(text.as_bytes()).remove(0);
        let again = again.unwrap();
        prop_assert!(faults.iter().all(|fault| matches!(fault.kind, FaultKind::ResultBoard(_))), "{:?}", faults);
        prop_assert_eq!(&again.main, &game.main);
        prop_assert_eq!(again.tag("White"), game.tag("White"));
        prop_assert_eq!(write_pgn(&again), text.clone());
        let mut reader = Reader::new(text.as_bytes());
        let plies = reader.read_game(&mut Player).unwrap().unwrap();
        prop_assert_eq!(plies, game.main.plies.len());
        for line in text.lines() {
            prop_assert!(line.starts_with('[') || line.chars().count() <= 255, "{}", line);
        }
    }

    #[test]
    fn any_bytes_are_read_without_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        read_all(&bytes);
    }

    /// Damage in sound text: every game is either whole or something is said about it.
    #[test]
    fn a_game_is_whole_or_a_fault_is_told(
        at in any::<prop::sample::Index>(), junk in "[ -~\n]{0,6}", cut in 0..5usize,
    ) {
        let text = "[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1. e4 {c} e5 (1... c5 2. Nf3) \
                    2. Nf3 $1 Nc6\n3. Bb5 a6 4. Ba4 Nf6 5. O-O 1-0\n";
        let at = at.index(text.len());
        let damaged = format!("{}{junk}{}", &text[..at], &text[(at + cut).min(text.len())..]);
        let games = read_all(damaged.as_bytes());
        let whole = games.len() == 1 && games[0].0.as_ref().is_some_and(|game| game.main.plies.len() == 9);
        let told = games.iter().any(|(_, faults)| !faults.is_empty());
        // A move may have become another legal one: then nobody can know.
        let played = games.iter().any(|(game, _)| game.as_ref().is_some_and(|game| !game.main.plies.is_empty()));
        prop_assert!(whole || told || played, "{}", damaged);
    }
}

#[test]
fn null_moves_are_passes_where_they_are_wanted() {
    let text = "[Event \"a\"]\n\n1. e4 -- 2. d4 (2. Z0 d5 3. -- dxe4) 2... e5 *\n";
    let raw = Splitter::new(text.as_bytes()).next_game().unwrap().unwrap();
    let (tree, faults) = review::read_with_passes(&raw);
    assert!(faults.is_empty(), "{faults:?}");
    let tree = tree.unwrap();
    assert_eq!((tree.main.plies.len(), tree.moves().len()), (4, 1));
    let written = write_pgn(&tree);
    assert!(written.contains("1. e4 -- 2. d4 (2. -- d5 3. -- dxe4) 2... e5 *"), "{written}");
    let raw = Splitter::new(written.as_bytes()).next_game().unwrap().unwrap();
    assert_eq!(write_pgn(&review::read_with_passes(&raw).0.unwrap()), written);
    // Others are told where the moves of chess end, and nobody passes in check.
    assert_eq!(read(&raw).0.unwrap().main.plies.len(), 1);
    let check = "1. e4 f5 2. Qh5+ -- 3. Qxe8 *\n";
    let raw = Splitter::new(check.as_bytes()).next_game().unwrap().unwrap();
    let (tree, faults) = review::read_with_passes(&raw);
    assert_eq!((tree.unwrap().main.plies.len(), faults.len()), (3, 1), "{faults:?}");
}
