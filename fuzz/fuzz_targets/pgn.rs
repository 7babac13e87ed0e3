//! Any bytes as a file of games: what is read as a game can be written and read again.

#![no_main]

use libfuzzer_sys::fuzz_target;
use review::{FaultKind, Splitter, read, read_with_passes, write_pgn};

fuzz_target!(|bytes: &[u8]| {
    let mut games = Splitter::new(bytes);
    while let Ok(Some(raw)) = games.next_game() {
        // Passes make a game longer, never shorter.
        let plies = |tree: Option<review::GameTree>| tree.map_or(0, |tree| tree.main.plies.len());
        assert!(plies(read_with_passes(&raw).0) >= plies(read(&raw).0));
        let (tree, faults) = read_with_passes(&raw);
        for fault in &faults {
            assert!(!fault.to_string().is_empty());
        }
        let Some(tree) = tree else { continue };
        let text = write_pgn(&tree);
        let raw = Splitter::new(text.as_bytes()).next_game().unwrap().expect("a game was written");
        let (again, mut faults) = read_with_passes(&raw);
        // What is wrong with a game, not with its text, is said each time it is read.
        faults
            .retain(|fault| !matches!(fault.kind, FaultKind::NoMoves | FaultKind::ResultBoard(_)));
        assert!(faults.is_empty(), "{text}\n{faults:?}");
        assert_eq!(again.map(|tree| write_pgn(&tree)), Some(text));
    }
});
