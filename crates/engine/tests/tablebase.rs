//! Tablebases: what they say is what the search plays. Needs the tables under
//! `$HALCYON_DATA/syzygy`.

#![allow(clippy::print_stderr, reason = "a test that is skipped says so")]

use std::path::PathBuf;
use std::sync::Arc;

use chess::{Outcome, Position};
use engine::{Engine, Game, Limits, Score, Silent, Tablebases, Verdict};

fn folder() -> Option<PathBuf> {
    let folder = std::env::var_os("HALCYON_DATA").map(|data| PathBuf::from(data).join("syzygy"));
    if folder.is_none() {
        eprintln!("skipped: no data");
    }
    folder
}

fn open() -> Option<Arc<Tablebases>> {
    let folder = folder()?;
    Some(Arc::new(Tablebases::open(folder.to_str()?).expect("the test tables open")))
}

/// Positions with their value for the side to move, from -2 to 2, and distance to zeroing.
fn positions() -> Vec<(Position, i32, i32)> {
    let Some(folder) = folder() else { return Vec::new() };
    let text = std::fs::read_to_string(folder.join("probe_tests.csv")).expect("the list is there");
    text.lines()
        .skip(1)
        .map(|line| {
            let fields: Vec<&str> = line.split(',').collect();
            let position = Position::from_fen(fields[0]).expect("the list has legal positions");
            (position, fields[1].parse().unwrap(), fields[2].parse().unwrap())
        })
        .collect()
}

#[test]
fn every_listed_position_has_its_value() {
    let Some(tables) = open() else { return };
    let positions = positions();
    assert!(positions.len() > 500);
    for (position, value, _) in positions {
        let expected = match value {
            2 => Verdict::Win,
            1 => Verdict::CursedWin,
            0 => Verdict::Draw,
            -1 => Verdict::BlessedLoss,
            _ => Verdict::Loss,
        };
        assert_eq!(tables.probe(&position), Some(expected), "{position:?}");
    }
}

#[test]
fn the_move_played_keeps_the_value_of_the_position() {
    let Some(tables) = open() else { return };
    let mut engine = Engine::new();
    engine.set_tablebases(Some(Arc::clone(&tables)));
    for (position, value, _) in positions().into_iter().step_by(3) {
        if position.outcome().is_some() {
            continue;
        }
        engine.new_game();
        engine.set_game(Game::new(position));
        let outcome = engine.search(&Limits::nodes(300), &mut Silent);
        let mut next = position;
        next.make(outcome.best_move.expect("the game is not over"));
        let after = match next.outcome() {
            Some(Outcome::Win(_)) => 2,
            Some(Outcome::Draw) => 0,
            None => -match tables.probe(&next).expect("the tables know it") {
                Verdict::Win => 2,
                Verdict::CursedWin => 1,
                Verdict::Draw => 0,
                Verdict::BlessedLoss => -1,
                Verdict::Loss => -2,
            },
        };
        assert_eq!(after, value, "{position:?} {:?}", outcome.best_move);
        match value {
            2 => assert!(outcome.score.is_win(), "{position:?}"),
            -2 => assert!(outcome.score.is_loss(), "{position:?}"),
            _ => assert_eq!(outcome.score, Score::DRAW, "{position:?}"),
        }
    }
}

#[test]
fn a_win_is_brought_home_within_the_promised_distance() {
    let Some(tables) = open() else { return };
    let mut engine = Engine::new();
    engine.set_tablebases(Some(Arc::clone(&tables)));
    let won = positions().into_iter().filter(|(_, value, _)| *value == 2);
    for (start, _, distance) in won.step_by(12) {
        let winner = start.side_to_move();
        let mut game = Game::new(start);
        // Distances may be rounded by one ply.
        let mut promise = distance + 1;
        engine.new_game();
        while game.position().outcome().is_none() {
            assert!(promise >= 0, "{start:?} at {:?}", game.position());
            engine.set_game(game.clone());
            let best = engine.search(&Limits::nodes(200), &mut Silent).best_move;
            game.play(best.expect("the game is not over"));
            promise -= 1;
            if game.position().halfmove_clock() == 0 {
                // A new distance counts from the capture or pawn move on.
                promise = 101;
            }
        }
        assert_eq!(game.position().outcome(), Some(Outcome::Win(winner)), "{start:?}");
    }
}

#[test]
fn a_win_that_comes_too_late_for_the_clock_is_a_draw() {
    let Some(tables) = open() else { return };
    let mut engine = Engine::new();
    engine.set_tablebases(Some(tables));
    let score = |engine: &mut Engine, fen: &str| {
        engine.new_game();
        engine.set_game(Game::new(Position::from_fen(fen).unwrap()));
        engine.search(&Limits::nodes(500), &mut Silent).score
    };
    let fresh = score(&mut engine, "8/8/8/3k4/8/8/1R6/K7 w - - 0 1");
    assert!(fresh.is_win());
    let late = score(&mut engine, "8/8/8/3k4/8/8/1R6/K7 w - - 90 80");
    assert_eq!(late, Score::DRAW);
    engine.settings_mut().syzygy_fifty_move_rule = false;
    assert!(score(&mut engine, "8/8/8/3k4/8/8/1R6/K7 w - - 90 80").is_win());
}

#[test]
fn folders_without_tables_are_refused_with_the_reason() {
    let nowhere = Tablebases::open("/nonexistent/folder");
    assert!(nowhere.expect_err("it is not there").to_string().contains("nonexistent"));
    let empty = std::env::temp_dir().join(format!("halcyon-no-tables-{}", std::process::id()));
    std::fs::create_dir_all(&empty).unwrap();
    let error = Tablebases::open(empty.to_str().unwrap()).expect_err("it has no tables");
    assert!(error.to_string().contains("no tables"));
    std::fs::remove_dir(&empty).unwrap();
}

/// Copies of two tables, one of which is cut off after some bytes.
fn torn(folder: &std::path::Path, keep: usize) -> PathBuf {
    let broken = std::env::temp_dir().join(format!("halcyon-torn-{keep}-{}", std::process::id()));
    std::fs::create_dir_all(&broken).unwrap();
    for name in ["KRvK.rtbw", "KRvK.rtbz", "KQvK.rtbw", "KQvK.rtbz"] {
        let bytes = std::fs::read(folder.join(name)).unwrap();
        let keep = if name == "KRvK.rtbw" { keep } else { bytes.len() };
        std::fs::write(broken.join(name), &bytes[..keep]).unwrap();
    }
    broken
}

#[test]
fn a_table_that_cannot_be_opened_costs_only_itself() {
    let Some(folder) = folder() else { return };
    let broken = torn(&folder, 100);
    // A folder that is not there costs only itself, too.
    let folders = std::env::join_paths([&broken, &broken.join("missing")]).unwrap();
    let tables = Tablebases::open(folders.to_str().unwrap()).unwrap();
    assert_eq!(tables.files(), 3);
    let [table, missing] = tables.skipped() else { panic!("{:?}", tables.skipped()) };
    assert!(table.to_string().contains("KRvK.rtbw"), "{table}");
    assert!(missing.to_string().contains("missing"), "{missing}");
    let probe = |fen: &str| tables.probe(&Position::from_fen(fen).unwrap());
    assert_eq!(probe("8/8/8/3k4/8/8/1Q6/K7 w - - 0 1"), Some(Verdict::Win));
    assert_eq!(probe("8/8/8/3k4/8/8/1R6/K7 w - - 0 1"), None);
    std::fs::remove_dir_all(&broken).unwrap();
}

#[test]
fn positions_looked_up_at_the_root_are_counted() {
    let Some(tables) = open() else { return };
    let mut engine = Engine::new();
    engine.set_tablebases(Some(tables));
    engine.set_game(Game::new(Position::from_fen("8/8/8/3k4/8/8/1Q6/K7 w - - 0 1").unwrap()));
    let moves = engine.game().position().legal_moves().len() as u64;
    let hits = engine.search(&Limits::depth(1), &mut Silent).progress.tb_hits;
    assert!(hits >= moves, "{hits} hits for {moves} moves");
}

#[test]
fn a_truncated_table_is_a_problem_told_once_and_the_search_goes_on() {
    let Some(folder) = folder() else { return };
    // Whole blocks are cut off: what is left still looks like a table from outside.
    let broken = torn(&folder, 80);
    let tables = Arc::new(Tablebases::open(broken.to_str().unwrap()).unwrap());
    let mut engine = Engine::new();
    engine.set_tablebases(Some(Arc::clone(&tables)));
    engine.set_game(Game::new(Position::from_fen("8/8/8/3k4/8/8/1R6/K7 w - - 0 1").unwrap()));
    assert!(engine.search(&Limits::nodes(2000), &mut Silent).best_move.is_some());
    assert!(tables.take_problem().is_some());
    assert!(tables.take_problem().is_none());
    std::fs::remove_dir_all(&broken).unwrap();
}

#[test]
fn several_lines_are_searched_where_the_tables_know_the_best() {
    let Some(tables) = open() else { return };
    let mut engine = Engine::new();
    engine.set_tablebases(Some(tables));
    engine.settings_mut().multipv = 10;
    engine.set_game(Game::new(Position::from_fen("8/8/8/3k4/8/8/1R6/K7 w - - 0 1").unwrap()));
    let outcome = engine.search(&Limits::nodes(5000), &mut Silent);
    assert_eq!(outcome.lines.len(), 10);
    let win = |line: &engine::Line| line.score.is_win();
    assert!(win(&outcome.lines[0]));
    assert!(outcome.lines.is_sorted_by_key(|line| !win(line)), "{:?}", outcome.lines);
    // Of a rook that can be taken no line says that it wins.
    engine.set_game(Game::new(Position::from_fen("8/8/8/8/2k5/8/1R6/K7 w - - 0 1").unwrap()));
    let outcome = engine.search(&Limits::nodes(20_000), &mut Silent);
    let gift =
        outcome.lines.iter().find(|line| line.pv[0].to_uci(chess::Castling::KingMove) == "b2b3");
    assert!(gift.is_none_or(|line| line.score == Score::DRAW), "{gift:?}");
}

#[test]
fn the_value_knows_the_clock_and_the_distance() {
    let Some(tables) = open() else { return };
    let value = |fen: &str| tables.value(&Position::from_fen(fen).unwrap()).unwrap();
    let fresh = value("8/8/8/3k4/8/8/1R6/K7 w - - 0 1");
    assert_eq!(fresh.verdict, Verdict::Win);
    let distance = fresh.distance.unwrap();
    let late = 101 - distance;
    let at = |clock: u32| value(&format!("8/8/8/3k4/8/8/1R6/K7 w - - {clock} 60")).verdict;
    assert_eq!((at(late - 1), at(late)), (Verdict::Win, Verdict::CursedWin));
    for (position, expected, distance) in positions() {
        let found = tables.value(&position).unwrap();
        let side = match found.verdict {
            Verdict::Win | Verdict::CursedWin => 1,
            Verdict::Draw => 0,
            Verdict::BlessedLoss | Verdict::Loss => -1,
        };
        assert_eq!(side, expected.signum(), "{position:?}");
        if let Some(plies) = found.distance {
            // Distances may be rounded by one ply.
            assert!(plies.abs_diff(distance.unsigned_abs()) <= 1, "{position:?}: {plies}");
        }
    }
}

/// Whether a line that promises a win keeps it wherever the tables know the position.
fn keeps_its_promise(tables: &Tablebases, root: Position, line: &engine::Line) -> bool {
    let winner = if line.score.is_win() { root.side_to_move() } else { !root.side_to_move() };
    let mut position = root;
    line.pv.iter().all(|&mv| {
        position.make(mv);
        let wins = |verdict| match verdict {
            Verdict::Win => position.side_to_move() == winner,
            Verdict::Loss => position.side_to_move() != winner,
            _ => false,
        };
        tables.value(&position).is_none_or(|value| wins(value.verdict))
    })
}

#[test]
fn no_line_of_a_tablebase_win_leaves_the_win() {
    let Some(tables) = open() else { return };
    let mut engine = Engine::new();
    engine.set_tablebases(Some(Arc::clone(&tables)));
    engine.settings_mut().multipv = 3;
    let starts = [
        "8/8/4k3/8/2p5/8/1R3P2/K7 w - - 0 1",
        "8/5k2/8/8/1p1R4/8/3K1r2/8 w - - 0 1",
        "4k3/8/8/8/8/8/1n2P3/4K2R w - - 0 1",
        "8/1k6/8/1P6/8/2K2b2/8/3B4 w - - 0 1",
        "8/8/1p6/k1P5/8/1K6/8/3r4 b - - 0 1",
        "8/4k3/3p4/8/3KP3/8/8/2N5 w - - 0 1",
        "7k/8/5pK1/8/6P1/8/8/2b5 w - - 0 1",
        "8/2q5/8/3k4/8/1P6/1K1R4/8 b - - 0 1",
    ];
    let listed = positions().into_iter().step_by(9).map(|(position, ..)| position);
    let made = starts.iter().map(|fen| Position::from_fen(fen).unwrap());
    let mut promised = 0;
    for position in made.chain(listed).filter(|position| position.outcome().is_none()) {
        engine.new_game();
        engine.set_game(Game::new(position));
        for line in engine.search(&Limits::nodes(4000), &mut Silent).lines {
            if line.score.is_decisive() && line.score.mate_plies().is_none() {
                promised += 1;
                assert!(keeps_its_promise(&tables, position, &line), "{position:?}: {line:?}");
            }
        }
    }
    assert!(promised > 40, "{promised}");
}

#[test]
fn a_root_that_the_tables_know_is_scored_as_won_now_or_as_mate() {
    let Some(tables) = open() else { return };
    let mut engine = Engine::new();
    engine.set_tablebases(Some(tables));
    let fen = "1k6/1r6/2K5/8/8/8/8/Q7 w - - 0 1";
    engine.set_game(Game::new(Position::from_fen(fen).unwrap()));
    let mut scores = Vec::new();
    engine.search(&Limits::nodes(20_000), &mut |report: &engine::Report| {
        if let engine::Report::Line(line, _) = report {
            scores.push(line.score);
        }
    });
    let is_sound =
        |score: &Score| *score == Score::tablebase_win(0) || score.mate_plies().is_some();
    assert!(scores.len() > 10 && scores.iter().all(is_sound), "{scores:?}");
}
