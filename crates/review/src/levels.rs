//! What Halcyon's strength levels choose in a position.
//!
//! A level is asked as in a game: a search of its few nodes from an empty table, and a choice by
//! chance among the moves that look playable to it. Chance is drawn from the position and the number
//! of the try, so the same question always gets the same answer.

use chess::Move;
use engine::{Engine, Game, LEVELS, Level, Limits, Silent};

/// Table in MiB, as when a level plays.
const HASH_MIB: usize = 1;
/// How often a level is asked; it finds a move if most tries do.
const TRIES: u64 = 3;
const MOST: usize = (TRIES as usize).div_ceil(2);
/// The levels that are asked, and none above: by then a depth says more than a level.
const WEAKEST: u32 = 600;
const STRONGEST: u32 = 2600;
/// All tries of one level may take this many times the nodes of one search of the coach.
const SHARE: u64 = 2;

/// A player below full strength.
pub struct LevelPlayer {
    engine: Engine,
}

impl Default for LevelPlayer {
    fn default() -> Self {
        Self::new()
    }
}

impl LevelPlayer {
    /// A player that has not played yet.
    #[must_use]
    pub fn new() -> Self {
        let mut engine = Engine::new();
        // Where there is no memory for another table, the one it has must do.
        let _ = engine.set_hash(HASH_MIB);
        engine.settings_mut().limit_strength = true;
        Self { engine }
    }

    /// The move of a level at the end of a game; none if the game is over. Each call is another try
    /// and may choose another move, but the same calls always choose the same moves.
    pub fn play(&mut self, game: &Game, elo: u32) -> Option<Move> {
        self.engine.new_game();
        self.engine.settings_mut().elo = elo;
        self.engine.set_game(game.clone());
        self.engine.search(&Limits::default(), &mut Silent).best_move
    }
}

/// What one level chose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LevelChoice {
    /// The Elo of the level.
    pub elo: u32,
    /// Its moves, one for each try. As soon as most tries agree on whether it finds a good one, no
    /// more are made.
    pub moves: Vec<Move>,
    /// Whether most tries chose a good move.
    pub finds: bool,
}

/// What the levels chose.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LevelChoices {
    /// The levels that were asked, the weakest first.
    pub asked: Vec<LevelChoice>,
    /// The weakest level that finds a good move; none if the strongest that was asked does not.
    pub finds: Option<u32>,
}

/// Asks the levels for a good move at the end of a game. Which levels are asked follows from the
/// answers: half of those in question are left out each time. `nodes` is what the coach spends on a
/// search; levels that look at more than that can bear are not asked.
pub fn level_choices(
    game: &Game,
    nodes: u64,
    mut is_good: impl FnMut(Move) -> bool,
) -> LevelChoices {
    let affordable = |level: &&Level| level.nodes * TRIES <= SHARE * nodes;
    let elos: Vec<u32> = LEVELS
        .iter()
        .filter(affordable)
        .map(|level| level.elo)
        .filter(|elo| (WEAKEST..=STRONGEST).contains(elo))
        .collect();
    let mut asked: Vec<LevelChoice> = Vec::new();
    let (mut low, mut high) = (0, elos.len());
    while low < high {
        let middle = usize::midpoint(low, high);
        let choice = LevelChoice::of(game, elos[middle], &mut is_good);
        if choice.finds {
            high = middle;
        } else {
            low = middle + 1;
        }
        asked.push(choice);
    }
    asked.sort_by_key(|choice| choice.elo);
    LevelChoices { asked, finds: elos.get(low).copied() }
}

impl LevelChoice {
    /// Asks one level, a new player each time: its tries do not depend on who was asked before.
    pub(crate) fn of(game: &Game, elo: u32, mut is_good: impl FnMut(Move) -> bool) -> Self {
        let (mut player, mut moves, mut good) = (LevelPlayer::new(), Vec::new(), 0);
        while good < MOST && moves.len() < good + MOST {
            let Some(mv) = player.play(game, elo) else { break };
            good += usize::from(is_good(mv));
            moves.push(mv);
        }
        Self { elo, finds: good >= MOST, moves }
    }
}

#[cfg(test)]
mod tests {
    use chess::Position;

    use super::*;

    const NODES: u64 = 50_000;

    fn asked(fen: &str, good: &[&str], nodes: u64) -> LevelChoices {
        let position = Position::from_fen(fen).expect("a legal position");
        let good: Vec<Move> =
            good.iter().map(|san| position.parse_san(san).expect("a legal move")).collect();
        level_choices(&Game::new(position), nodes, |mv| good.contains(&mv))
    }

    /// The queen hangs.
    const EASY: (&str, &str) = ("4k3/ppp2ppp/8/3q4/8/4N3/PPP2PPP/4K3 w - - 0 20", "Nxd5");
    /// A quiet move takes the last square from the king; there is a tempting check beside it.
    const HARD: (&str, &str) = ("r2qrb2/p1pn1Qp1/1p4Nk/4PR2/3n4/7N/P5PP/R6K w - - 0 30", "Ne7");

    #[test]
    fn beginners_see_a_hanging_queen_and_only_good_players_a_quiet_move() {
        let easy = asked(EASY.0, &[EASY.1], NODES);
        assert!(easy.finds.is_some_and(|elo| elo <= 1000), "{easy:?}");
        let hard = asked(HARD.0, &[HARD.1], NODES);
        assert!(hard.finds.is_none_or(|elo| elo >= 1400), "{hard:?}");
        assert!(!hard.asked[0].finds, "{hard:?}");
    }

    #[test]
    fn the_answer_is_the_border_between_levels_that_do_and_do_not_find_it() {
        for (fen, san) in [EASY, HARD] {
            let choices = asked(fen, &[san], NODES);
            assert!(choices.asked.is_sorted_by(|one, other| one.elo < other.elo), "{choices:?}");
            for choice in &choices.asked {
                assert!((2..=3).contains(&choice.moves.len()), "{choice:?}");
                let is_above = choices.finds.is_some_and(|elo| choice.elo >= elo);
                assert_eq!(choice.finds, is_above, "{choices:?}");
            }
        }
    }

    #[test]
    fn the_same_question_has_the_same_answer() {
        assert_eq!(asked(HARD.0, &[HARD.1], NODES), asked(HARD.0, &[HARD.1], NODES));
        let mut player = LevelPlayer::new();
        let game = Game::new(Position::startpos());
        let tries: Vec<_> = (0..8).map(|_| player.play(&game, 1200)).collect();
        assert!(tries.iter().any(|mv| *mv != tries[0]), "{tries:?}");
    }

    #[test]
    fn levels_that_cost_too_much_are_not_asked() {
        let strongest = |nodes| asked(HARD.0, &[], nodes).asked.last().map(|choice| choice.elo);
        assert_eq!(strongest(NODES), Some(2600));
        assert_eq!(strongest(10_000), Some(2000));
        assert_eq!(strongest(100), None);
    }

    #[test]
    fn nobody_finds_a_move_where_none_is_good_or_the_game_is_over() {
        assert_eq!(asked(EASY.0, &[], NODES).finds, None);
        let mated = asked("7k/5KQ1/8/8/8/8/8/8 b - - 0 1", &[], NODES);
        assert!(mated.finds.is_none(), "{mated:?}");
    }
}
