//! Counts of the move tree.

use chess::{HashedPerft, Position, divide, perft};

use crate::{data, play};

/// One line of a perft file: a position and its counts by depth.
struct Line {
    position: Position,
    counts: Vec<(u32, u64)>,
}

/// Reads `FEN ;D1 20 ;D2 400`; other operations are passed over.
fn parse(text: &str) -> Line {
    let (fen, counts) = text.split_once(';').expect("a perft line has counts");
    let position = Position::from_fen(fen).unwrap_or_else(|error| panic!("{text}: {error}"));
    let count = |operation: &str| {
        let (depth, count) = operation.trim().strip_prefix('D')?.split_once(' ')?;
        Some((depth.parse().ok()?, count.trim().parse().ok()?))
    };
    let counts: Vec<_> = counts.split(';').filter_map(count).collect();
    assert!(!counts.is_empty(), "no counts in {text}");
    Line { position, counts }
}

fn lines(text: &str) -> impl Iterator<Item = Line> {
    text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).map(parse)
}

/// Checks the deepest count up to `cap` of a line; tells whether there was one.
fn check_capped(line: &Line, cap: u64) -> bool {
    let affordable = line.counts.iter().filter(|(_, count)| *count <= cap);
    let Some(&(depth, count)) = affordable.max_by_key(|(depth, _)| *depth) else { return false };
    assert_eq!(perft(&line.position, depth), count, "{:?} depth {depth}", line.position);
    true
}

#[test]
#[cfg_attr(miri, ignore)]
fn counts_equal_the_repository_file() {
    let file = data::own("perft.epd");
    let checked = lines(&file).filter(|line| check_capped(line, 5_000_000)).count();
    assert!(checked >= 400, "only {checked} positions");
}

#[test]
#[cfg_attr(miri, ignore)]
fn capped_counts_equal_the_public_collections() {
    let Some(files) = data::shared_epd_files("perft") else { return };
    for (name, text) in files {
        let total = lines(&text).count();
        let checked = lines(&text).filter(|line| check_capped(line, 150_000)).count();
        eprintln!("{name}: {checked} of {total} positions to at most 150,000 leaves");
        // The one collection without shallow counts is left to `cargo xtask perft-full`.
        assert!(checked > 0 || name == "stockfish_ci.epd", "{name}");
    }
}

#[test]
#[cfg_attr(miri, ignore)]
fn counts_do_not_change_when_the_colours_are_exchanged() {
    let file = data::own("perft.epd");
    for line in lines(&file) {
        let flipped = Line { position: line.position.color_flipped(), counts: line.counts };
        check_capped(&flipped, 20_000);
    }
}

#[test]
fn exchanging_the_colours_twice_changes_nothing() {
    let count = if cfg!(miri) { 4 } else { 2_000 };
    play::positions(count, 11, |position| {
        let flipped = position.color_flipped();
        assert_ne!(flipped.side_to_move(), position.side_to_move());
        assert_eq!(flipped.color_flipped(), *position);
        assert_eq!(flipped.legal_moves().len(), position.legal_moves().len());
    });
}

#[test]
fn shallow_counts_of_the_start_position_are_right() {
    let start = Position::startpos();
    assert_eq!([0, 1, 2].map(|depth| perft(&start, depth)), [1, 20, 400]);
}

#[test]
#[cfg_attr(miri, ignore)]
fn the_shared_table_does_not_change_the_counts() {
    let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -";
    for position in [Position::startpos(), Position::from_fen(fen).unwrap()] {
        for depth in 1..=4 {
            let plain = divide(&position, depth);
            assert_eq!(plain.iter().map(|(_, count)| count).sum::<u64>(), perft(&position, depth));
            for threads in [1, 2] {
                // A table so small that entries are replaced all the time.
                let told = std::sync::Mutex::new(Vec::new());
                let counter = HashedPerft::new(1, threads);
                let hashed = counter
                    .divide(&position, depth, |mv, count| told.lock().unwrap().push((mv, count)));
                assert_eq!(hashed, plain);
                let mut told = told.into_inner().unwrap();
                told.sort_by_key(|(mv, _)| plain.iter().position(|(other, _)| other == mv));
                assert_eq!(told, plain);
            }
        }
    }
}
