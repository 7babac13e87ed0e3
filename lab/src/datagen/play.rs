//! One game of the engine against itself.

use chess::{Color, Outcome, Position, chess960};
use engine::{Score, SingleThreadEngine};

use crate::book::Book;
use crate::data::{Game, GameResult, ScoredMove};
use crate::rng::Rng;

/// How games are begun, searched and ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GameRules {
    /// No new iteration after this many nodes.
    pub soft_nodes: u64,
    /// Share of games that begin with a Chess960 array, in percent.
    pub chess960_percent: usize,
    /// Share of games that begin with a position of the book, if there is one, in percent.
    pub book_percent: usize,
    /// Random plies after a position of the book: from none to this many.
    pub book_random_plies: usize,
    /// Openings worth more than this to either side, in centipawns, are not played.
    pub opening_limit: i32,
    /// A side this far ahead ...
    pub win_score: i32,
    /// ... for this many plies has won.
    pub win_plies: usize,
    /// Scores no larger than this ...
    pub draw_score: i32,
    /// ... for this many plies ...
    pub draw_plies: usize,
    /// ... from this ply on make a draw.
    pub draw_from: usize,
    /// Longer games are drawn.
    pub max_plies: usize,
}

impl Default for GameRules {
    fn default() -> Self {
        Self {
            soft_nodes: 400,
            chess960_percent: 8,
            book_percent: 33,
            book_random_plies: 4,
            opening_limit: 500,
            win_score: 2000,
            win_plies: 4,
            draw_score: 8,
            draw_plies: 10,
            draw_from: 70,
            max_plies: 400,
        }
    }
}

/// Random plies before the engine plays: this many or one more.
const RANDOM_PLIES: usize = 8;
/// The look at an opening costs this many times a move's nodes.
const OPENING_EFFORT: u64 = 8;

/// Plays the game with this random source.
pub fn play_game(
    engine: &mut SingleThreadEngine,
    rules: &GameRules,
    book: Option<&Book>,
    rng: &mut Rng,
) -> Game {
    engine.new_game();
    let effort = rules.soft_nodes * OPENING_EFFORT;
    let start = loop {
        if let Some(start) = random_opening(rules, book, rng)
            && engine.is_balanced(&start, effort, rules.opening_limit)
        {
            break start;
        }
    };
    play_on(engine, rules, engine::Game::new(start))
}

/// Plays a game that has begun to its end; the record begins with its last position.
pub fn play_on(engine: &mut SingleThreadEngine, rules: &GameRules, mut game: engine::Game) -> Game {
    let mut record = Game::new(*game.position());
    let (mut winning, mut drawish) = (0, 0);
    for ply in 0..rules.max_plies {
        if let Some(result) = finished(&game) {
            record.result = result;
            return record;
        }
        let Some((line, _)) = engine.search(&game, &engine::Limits::soft_nodes(rules.soft_nodes))
        else {
            break;
        };
        let side = game.position().side_to_move();
        let mv = line.pv[0];
        record.moves.push(ScoredMove { mv, white_score: white_score(line.score, side) });
        let ahead = line.score.raw().abs();
        winning = if ahead >= rules.win_score { winning + 1 } else { 0 };
        drawish = if ahead <= rules.draw_score && ply >= rules.draw_from { drawish + 1 } else { 0 };
        if line.score.is_decisive() || winning >= rules.win_plies {
            let winner = if line.score > Score::DRAW { side } else { !side };
            record.result = GameResult::win_for(winner);
            return record;
        }
        if drawish >= rules.draw_plies {
            return record;
        }
        game.play(mv);
    }
    record
}

/// A start position or one of the book, and some random moves; `None` if the game ended on the way.
fn random_opening(rules: &GameRules, book: Option<&Book>, rng: &mut Rng) -> Option<Position> {
    if let Some(book) = book
        && rng.below(100) < rules.book_percent
    {
        let (start, plies) = (book.pick(rng)?, rng.below(rules.book_random_plies + 1));
        return start.after_random_moves(plies, rng);
    }
    let start = if rng.below(100) < rules.chess960_percent {
        chess960(rng.below(960) as u16)
    } else {
        Position::startpos()
    };
    let plies = RANDOM_PLIES + rng.below(2);
    start.after_random_moves(plies, rng)
}

/// The result, if the rules of chess end the game here.
fn finished(game: &engine::Game) -> Option<GameResult> {
    let position = game.position();
    match position.outcome() {
        Some(Outcome::Win(winner)) => Some(GameResult::win_for(winner)),
        Some(Outcome::Draw) => Some(GameResult::Draw),
        None => (position.is_fifty_move_draw() || game.history().is_threefold(position))
            .then_some(GameResult::Draw),
    }
}

pub(crate) fn white_score(score: Score, side: Color) -> i16 {
    let score = if side == Color::White { score } else { -score };
    score.raw() as i16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_is_fixed_by_its_random_source_and_legal_to_the_end() {
        let rules = GameRules { soft_nodes: 60, ..GameRules::default() };
        let mut engine = SingleThreadEngine::new(1).unwrap();
        for part in 0..3 {
            let game = play_game(&mut engine, &rules, None, &mut Rng::derived(7, part));
            let again = play_game(&mut engine, &rules, None, &mut Rng::derived(7, part));
            let (mut bytes, mut same) = (Vec::new(), Vec::new());
            game.encode(&mut bytes);
            again.encode(&mut same);
            assert_eq!(bytes, same);
            let mut legal = true;
            game.replay(|position, scored| legal &= position.is_legal(scored.mv));
            assert!(legal && !game.moves.is_empty());
        }
    }
}
