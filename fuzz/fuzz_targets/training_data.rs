//! Any bytes as a file of training games: what is read replays, and is written alike.

#![no_main]

use lab::data::GameReader;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let mut games = GameReader::new(bytes);
    while let Ok(Some(stored)) = games.next_game() {
        let mut plies = 0;
        stored.game.replay(|position, scored| {
            assert!(position.is_legal(scored.mv));
            plies += 1;
        });
        let mut again = Vec::new();
        stored.game.encode(&mut again);
        assert_eq!(again, stored.bytes, "{plies} plies");
    }
    for damage in games.damage() {
        assert!(damage.offset <= bytes.len() as u64);
    }
});
