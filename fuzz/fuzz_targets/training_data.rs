//! Any bytes as a file of training games: what is read replays, and what is written of it is read as
//! the same game.

#![no_main]

use lab::data::{Game, GameReader};
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
        // The start has fields that mean nothing, or the same in several ways; moves have not.
        assert_eq!(again.len(), stored.bytes.len(), "{plies} plies");
        let (game, size) = Game::decode(&again).unwrap();
        assert_eq!(size, again.len());
        assert_eq!(game, *stored.game);
    }
    for damage in games.damage() {
        assert!(damage.offset <= bytes.len() as u64);
    }
});
