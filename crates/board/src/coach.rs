//! The coach: from a lesson to what the page shows of it.

use chess::{Move, Position};
use review::{Claim, Clause, Lesson, LevelChoices, Motif};

use crate::protocol;
use crate::rules::{step, steps};

/// Nodes of each of the searches behind an explanation.
pub(crate) const NODES: std::ops::RangeInclusive<u64> = 1_000..=200_000;
/// Moves of the best line that are shown.
const LINE_PLIES: usize = 12;

/// A lesson about a move in this position.
pub(crate) fn lesson(position: &Position, lesson: &Lesson) -> protocol::Lesson {
    let single = |&mv: &Move| {
        let mut after = *position;
        step(&mut after, mv)
    };
    let motif = |motif: &Motif| protocol::MotifName { name: motif.name(), words: motif.words() };
    let best = &lesson.best[..lesson.best.len().min(LINE_PLIES)];
    protocol::Lesson {
        clauses: lesson.explanation.clauses.iter().map(clause).collect(),
        loss: lesson.loss,
        good: lesson.good.iter().map(single).collect(),
        best: steps(*position, best),
        motifs: lesson.motifs.iter().map(motif).collect(),
        phase: lesson.phase.name(),
        difficulty: protocol::Difficulty {
            depth: lesson.difficulty.depth,
            nodes: lesson.difficulty.nodes,
            rating: lesson.difficulty.rating,
        },
        levels: levels(position, &lesson.levels),
        tempting: lesson.tempting,
    }
}

fn levels(position: &Position, choices: &LevelChoices) -> protocol::Levels {
    let asked = choices.asked.iter().map(|choice| protocol::LevelChoice {
        elo: choice.elo,
        moves: choice.moves.iter().map(|&mv| position.to_san(mv)).collect(),
        finds: choice.finds,
    });
    protocol::Levels { asked: asked.collect(), finds: choices.finds }
}

fn clause(clause: &Clause) -> protocol::Clause {
    // A refutation begins with the move that it refutes.
    let point = match clause.claim {
        Claim::Mate { .. } => 1,
        Claim::Wins { from, .. } => from,
        _ => 0,
    };
    protocol::Clause {
        text: clause.text.clone(),
        fen: clause.start.to_fen(),
        line: steps(clause.start, &clause.line),
        point: point.min(clause.line.len().saturating_sub(1)),
        passed: matches!(clause.claim, Claim::Threatens { .. }),
    }
}
