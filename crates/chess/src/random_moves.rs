//! Random play.

use crate::Position;
use crate::rng::Rng;

impl Position {
    /// The position after so many random moves; `None` if the game ends on the way.
    #[must_use]
    pub fn after_random_moves(mut self, plies: usize, rng: &mut Rng) -> Option<Self> {
        for _ in 0..plies {
            let moves = self.legal_moves();
            if moves.is_empty() {
                return None;
            }
            self.make(rng.pick(&moves));
        }
        self.outcome().is_none().then_some(self)
    }
}

#[test]
fn random_play_is_fixed_by_its_seed_and_ends_in_a_game_that_goes_on() {
    let after = |seed| Position::startpos().after_random_moves(9, &mut Rng::new(seed));
    assert_eq!(after(3), after(3));
    assert!((0..20).filter_map(after).all(|position| position.outcome().is_none()));
    let mated = Position::from_fen("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1").unwrap();
    assert_eq!(mated.after_random_moves(1, &mut Rng::new(1)), None);
}
