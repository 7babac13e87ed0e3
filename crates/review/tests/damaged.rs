//! Every kind of damage is reported with the game's number and the line, and costs no other game.
//! `HALCYON_BLESS=1 cargo test -p halcyon-chess-review --test damaged` writes the reports again.

use std::fs;
use std::path::{Path, PathBuf};

use review::{GameTree, Splitter, read, write_pgn};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/damage")
}

struct Read {
    number: u64,
    game: Option<GameTree>,
    faults: Vec<review::Fault>,
}

fn read_all(bytes: &[u8]) -> Vec<Read> {
    let mut splitter = Splitter::new(bytes);
    let games = std::iter::from_fn(|| splitter.next_game().unwrap());
    games
        .map(|raw| {
            let (game, faults) = read(&raw);
            Read { number: raw.number, game, faults }
        })
        .collect()
}

fn summary(read: &Read) -> String {
    let mut text = String::new();
    for fault in &read.faults {
        text.push_str(&format!("  game {}, {fault}\n", read.number));
    }
    match &read.game {
        Some(game) => {
            let moves = write_pgn(game);
            let moves = moves.split("\n\n").nth(1).unwrap_or_default().replace('\n', " ");
            text.push_str(&format!("  kept: {moves}\n"));
        }
        None => text.push_str("  kept: nothing\n"),
    }
    text
}

#[test]
fn every_kind_of_damage_is_reported_and_the_rest_is_read() {
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "pgn"));
    files.sort();
    assert!(files.len() >= 30, "{} kinds of damage", files.len());
    let mut report = String::new();
    for path in files {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let games = read_all(&fs::read(&path).unwrap());
        let (first, last) = (&games[0], &games[games.len() - 1]);
        assert_eq!(games.len(), 3, "{name}");
        for (sound, plies) in [(first, 7), (last, 4)] {
            assert_eq!(sound.faults, [], "{name}");
            assert_eq!(sound.game.as_ref().unwrap().main.plies.len(), plies, "{name}");
        }
        assert!(!games[1].faults.is_empty(), "{name}: nothing is reported");
        report.push_str(&format!("{name}\n{}", summary(&games[1])));
    }
    let golden = folder().join("reports.txt");
    if std::env::var_os("HALCYON_BLESS").is_some() {
        fs::write(&golden, &report).unwrap();
    }
    let expected = fs::read_to_string(&golden).unwrap_or_default();
    assert_eq!(report, expected.replace("\r\n", "\n"));
}
