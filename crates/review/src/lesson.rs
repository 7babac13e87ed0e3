//! What a move teaches: why it was bad, which moves were good, and how hard they were to see.

use chess::{Color, Move};
use engine::Game;

use crate::analysis::{PositionAnalysis, Study};
use crate::analyst::Analyst;
use crate::coach::{Claim, Clause, Explanation, reasons};
use crate::judge::{Judgement, Phase};
use crate::levels::{LevelChoices, level_choices};
use crate::motif::{ForcedLine, Motif, motifs};
use crate::puzzle::Difficulty;

/// Moves that lose no more of the chance to win than this are good: less than an inaccuracy.
const GOOD_LOSS: f64 = 0.05;
/// Lines that are searched: enough to tell an only move from one of two.
const LINES: usize = 3;

/// What a move teaches.
#[derive(Clone, Debug, PartialEq)]
pub struct Lesson {
    /// Why the move was bad, or that it was not.
    pub explanation: Explanation,
    /// The chance to win that it gave away, from 0 to 1.
    pub loss: f64,
    /// The moves that were good instead, the best one first. No more than three are looked for.
    pub good: Vec<Move>,
    /// The best line, from the position before the move.
    pub best: Vec<Move>,
    /// The motifs that the explanation names.
    pub motifs: Vec<Motif>,
    /// The phase of the game.
    pub phase: Phase,
    /// How hard the good moves are to see.
    pub difficulty: Difficulty,
    /// Which strength levels find a good move. Asked only where the move gave something away.
    pub levels: LevelChoices,
    /// The last depth at which the search preferred the move itself, if it ever did.
    pub tempting: Option<i32>,
}

/// Learns from a legal move. `game` ends before the move; what earlier searches have found before and
/// after it is used where it is given.
#[must_use]
pub fn lesson(
    analyst: &mut Analyst,
    game: &Game,
    mv: Move,
    known: Option<(&PositionAnalysis, &PositionAnalysis)>,
) -> Lesson {
    let position = *game.position();
    let us = position.side_to_move();
    // What was learned elsewhere would make everything look easy.
    analyst.forget();
    let study = analyst.study(game, LINES, &[]);
    let (before, after) = match known {
        Some((before, after)) => (before.clone(), after.clone()),
        None => {
            let mut next = game.clone();
            next.play(mv);
            (study.look.clone(), analyst.study(&next, 1, &[]).look)
        }
    };
    let loss = before.eval.chance(us) - after.eval.chance(us);
    let good = good_moves(&study, &before, mv, us);
    let best = before.lines.first().map(|line| line.moves.clone()).unwrap_or_default();
    let line = ForcedLine::new(position, best.get(..1).unwrap_or_default());
    // Nobody asks who would have found a move that was found.
    let levels = match Judgement::of(loss) {
        Some(_) => choices(analyst, game, mv, &study, &good),
        None => LevelChoices::default(),
    };
    // After the levels: what they chose is looked at with what the searches so far have taught.
    let explanation = reasons(analyst, game, mv, Some((&before, &after))).0;
    let tempting = study.history.iter().rfind(|known| known.best == mv).map(|known| known.depth);
    Lesson {
        loss: loss.max(0.0),
        levels,
        motifs: named_motifs(&explanation),
        phase: Phase::of(&position),
        difficulty: Difficulty::of(&line, &[(study, good.clone())]),
        explanation,
        good,
        best,
        tempting,
    }
}

/// What the levels choose. Where more moves are good than were looked for, those that they choose are
/// looked at, too.
fn choices(
    analyst: &mut Analyst,
    game: &Game,
    played: Move,
    study: &Study,
    good: &[Move],
) -> LevelChoices {
    let us = game.position().side_to_move();
    let top = study.look.eval.chance(us);
    let lines = &study.look.lines;
    let more_are_good = lines.len() >= LINES
        && lines.last().is_some_and(|line| top - line.eval.chance(us) <= GOOD_LOSS);
    let mut known: Vec<(Move, bool)> = good.iter().map(|&mv| (mv, true)).collect();
    known.push((played, false));
    level_choices(game, analyst.nodes(), |mv| {
        if let Some(&(_, is_good)) = known.iter().find(|(one, _)| *one == mv) {
            return is_good;
        }
        let mut next = game.clone();
        next.play(mv);
        let is_good = more_are_good && top - analyst.glance(&next).eval.chance(us) <= GOOD_LOSS;
        known.push((mv, is_good));
        is_good
    })
}

/// The best move and those that are nearly as good. The move itself is good only if it is the best.
fn good_moves(study: &Study, before: &PositionAnalysis, mv: Move, us: Color) -> Vec<Move> {
    let mut good: Vec<Move> = before.best_move().into_iter().collect();
    let top = study.look.eval.chance(us);
    for line in &study.look.lines {
        let Some(&first) = line.moves.first() else { continue };
        let is_close = top - line.eval.chance(us) <= GOOD_LOSS;
        if is_close && first != mv && !good.contains(&first) {
            good.push(first);
        }
    }
    good
}

/// The motifs of confirmed clauses, mates by their names.
fn named_motifs(explanation: &Explanation) -> Vec<Motif> {
    let mut found: Vec<Motif> = Vec::new();
    for clause in &explanation.clauses {
        let mut add = |motif: Motif| {
            if !found.contains(&motif) {
                found.push(motif);
            }
        };
        if let Some(motif) = clause.motif {
            add(motif);
        }
        if let Some(line) = mating_line(clause) {
            add(Motif::Mate);
            let named = motifs(&line).into_iter().map(|finding| finding.motif);
            named.filter(|motif| motif.name().ends_with("Mate")).for_each(add);
        }
    }
    found
}

/// The line of a clause about a mate, from the mating side's first move on.
fn mating_line(clause: &Clause) -> Option<ForcedLine> {
    match clause.claim {
        Claim::Mate { .. } => ForcedLine::after(clause.start, &clause.line),
        Claim::Misses { mate: Some(_), .. } => Some(ForcedLine::new(clause.start, &clause.line)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use chess::Position;
    use engine::{Engine, Limits};

    use super::*;

    fn learn(fen: &str, san: &str) -> (Position, Lesson) {
        let position = Position::from_fen(fen).expect("a legal position");
        let mv = position.parse_san(san).expect("a legal move");
        let mut analyst = Analyst::new(Engine::new(), Limits::nodes(5000));
        (position, lesson(&mut analyst, &Game::new(position), mv, None))
    }

    #[test]
    fn a_lesson_names_the_motif_and_what_was_good() {
        let (position, lesson) = learn("6k1/5ppp/8/8/8/8/r4PPP/1R4K1 w - - 0 1", "Rb3");
        assert!(lesson.loss > 0.3, "{}", lesson.loss);
        assert!(lesson.motifs.contains(&Motif::BackRankMate), "{:?}", lesson.motifs);
        let good: Vec<String> = lesson.good.iter().map(|&mv| position.to_san(mv)).collect();
        assert!(good[0] == "Rb8#" && !good.contains(&"Rb3".to_owned()), "{good:?}");
        assert_eq!(lesson.phase, Phase::Endgame);
        assert!(lesson.difficulty.depth <= 3, "{:?}", lesson.difficulty);
        assert!(lesson.levels.finds.is_some_and(|elo| elo <= 1200), "{:?}", lesson.levels);
        assert_eq!(lesson.tempting, None);
    }

    #[test]
    fn a_lesson_about_the_best_move_finds_nothing_lost() {
        let (position, lesson) = learn("6k1/5ppp/8/8/8/8/5PPP/1R4K1 w - - 0 1", "Rb8#");
        assert_eq!((lesson.loss, lesson.levels.asked.len()), (0.0, 0));
        assert_eq!(lesson.good.first(), position.parse_san("Rb8#").ok().as_ref());
        assert!(lesson.explanation.text().starts_with("Rb8# is what the engine would play"));
    }

    #[test]
    fn where_many_moves_are_good_any_of_them_counts_as_found() {
        let fool = "rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - 0 2";
        let (_, lesson) = learn(fool, "g4");
        assert!(lesson.good.len() >= LINES, "{:?}", lesson.good);
        assert!(lesson.levels.finds.is_some_and(|elo| elo <= 1000), "{:?}", lesson.levels);
        let others = lesson.levels.asked.iter().flat_map(|choice| &choice.moves);
        assert!(others.clone().any(|mv| !lesson.good.contains(mv)), "{:?}", lesson.levels);
    }

    #[test]
    fn a_lesson_knows_that_a_move_was_tempting() {
        // Legal's mate: taking the queen is what a short search wants, and it is mate.
        let fen = "rn1qkbnr/ppp2p1p/3p2p1/4N3/2B1P1b1/2N5/PPPP1PPP/R1BQK2R b KQkq - 0 5";
        let (_, lesson) = learn(fen, "Bxd1");
        assert!(lesson.tempting.is_some(), "{lesson:?}");
        assert!(lesson.tempting < Some(lesson.difficulty.depth), "{lesson:?}");
        assert!(lesson.motifs.contains(&Motif::Mate), "{:?}", lesson.motifs);
    }
}
