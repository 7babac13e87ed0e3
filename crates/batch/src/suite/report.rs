//! What a run came to: a table for people, JSON for programs.

use std::fmt::Write;

use chess::{Castling, Position};
use serde::{Deserialize, Serialize};

use super::epd::{Task, Wanted};
use super::judge::{Fault, Verdict};
use super::player::{Answer, Player, Told};
use crate::record::Shard;
use crate::text::counted;

/// What all players made of a suite.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct SuiteReport {
    /// The file of the suite.
    pub suite: String,
    /// What was spent on a position.
    pub budget: String,
    /// Threads of each engine.
    pub threads: usize,
    /// Table of each engine, in MiB.
    pub hash: usize,
    /// Which part of the suite it is, if it is not all of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
    /// The totals of each player, in the order of the answers.
    pub engines: Vec<EngineReport>,
    /// The tasks with all answers.
    pub tasks: Vec<TaskReport>,
}

/// What one player solved, and what it spent.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct EngineReport {
    /// What the player calls itself.
    pub name: String,
    /// How many tasks it solved.
    pub solved: usize,
    /// Tasks it was given.
    pub tasks: usize,
    /// Answers that promise a mate.
    pub mates: usize,
    /// Of these, mates in just as many moves as are known to be needed.
    pub shortest: usize,
    /// Mates whose line does not lead to the mate.
    pub broken_lines: usize,
    /// Mates that do not exist: shorter than the shortest, or for the wrong side.
    pub false_mates: usize,
    /// Points for its moves, where the suite grades them.
    #[serde(default)]
    pub points: u32,
    /// The most points that there were.
    #[serde(default)]
    pub most_points: u32,
    /// Nodes of all its searches.
    pub nodes: u64,
    /// Time of all its searches.
    pub seconds: f64,
}

/// One task with all answers.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TaskReport {
    /// The name that the suite gives the task.
    pub id: String,
    /// The position to solve.
    pub fen: String,
    /// What it asks for.
    pub wanted: String,
    /// The answers, in the order of the engines.
    pub answers: Vec<AnswerReport>,
}

/// What one player answered to one task.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct AnswerReport {
    /// The move in algebraic notation.
    pub best_move: String,
    /// Centipawns, if no mate is promised.
    pub centipawns: Option<i32>,
    /// Moves to mate, if one is.
    pub mate: Option<i32>,
    /// The line in UCI notation.
    pub line: String,
    /// The last depth that was reported.
    pub depth: i32,
    /// Nodes that were searched for it.
    pub nodes: u64,
    /// Milliseconds until the answer came.
    pub milliseconds: u64,
    /// Whether it is what the task asks for.
    pub solved: bool,
    /// Its points, and the most there were, where the suite grades moves.
    #[serde(default)]
    pub points: Option<(u32, u32)>,
    /// What is wrong with the mate that it promises.
    pub fault: Option<String>,
}

impl SuiteReport {
    pub(super) fn begin(&mut self, players: &[Box<dyn Player>]) {
        let names = players.iter().map(|player| player.name().to_owned());
        self.engines = names.map(|name| EngineReport { name, ..Default::default() }).collect();
    }

    pub(super) fn begin_task(&mut self, task: &Task) {
        self.tasks.push(TaskReport {
            id: task.id.clone(),
            fen: task.position.to_fen(),
            wanted: describe(&task.position, &task.wanted),
            answers: Vec::new(),
        });
    }

    pub(super) fn add(&mut self, index: usize, task: &Task, answer: &Answer, verdict: &Verdict) {
        let engine = &mut self.engines[index];
        engine.tasks += 1;
        engine.solved += usize::from(verdict.solved);
        engine.mates += usize::from(verdict.mate);
        engine.shortest += usize::from(verdict.shortest);
        match verdict.fault {
            Some(Fault::Line(_)) => engine.broken_lines += 1,
            Some(Fault::TooShort | Fault::WrongSide) => engine.false_mates += 1,
            None => {}
        }
        let points = (!task.points.is_empty())
            .then(|| (answer.best_move.map_or(0, |mv| task.points_for(mv)), task.most_points()));
        let (own, most) = points.unwrap_or_default();
        engine.points += own;
        engine.most_points += most;
        engine.nodes += answer.nodes;
        engine.seconds += answer.time.as_secs_f64();
        let line: Vec<String> =
            answer.line.iter().map(|mv| mv.to_uci(Castling::KingMove)).collect();
        let (centipawns, mate) = match answer.score {
            Told::Centipawns(score) => (Some(score), None),
            Told::Mate(moves) => (None, Some(moves)),
        };
        let report = AnswerReport {
            best_move: answer.best_move.map_or("none".into(), |mv| task.position.to_san(mv)),
            centipawns,
            mate,
            line: line.join(" "),
            depth: answer.depth,
            nodes: answer.nodes,
            milliseconds: answer.time.as_millis() as u64,
            solved: verdict.solved,
            points,
            fault: verdict.fault.as_ref().map(ToString::to_string),
        };
        if let Some(task) = self.tasks.last_mut() {
            task.answers.push(report);
        }
    }

    /// Adds the engines' totals up again from the answers, as far as answers tell.
    pub(super) fn count(&mut self) {
        for (index, engine) in self.engines.iter_mut().enumerate() {
            let answers = || self.tasks.iter().filter_map(|task| task.answers.get(index));
            engine.tasks = answers().count();
            engine.solved = answers().filter(|answer| answer.solved).count();
            engine.mates = answers().filter(|answer| answer.mate.is_some()).count();
            let points = || answers().filter_map(|answer| answer.points);
            engine.points = points().map(|(own, _)| own).sum();
            engine.most_points = points().map(|(_, most)| most).sum();
            engine.nodes = answers().map(|answer| answer.nodes).sum();
            engine.seconds = answers().map(|answer| answer.milliseconds as f64 / 1000.0).sum();
        }
    }

    /// Who has solved how many so far.
    pub(super) fn standing(&self) -> String {
        let engine = |engine: &EngineReport| format!("{} {}", engine.name, engine.solved);
        self.engines.iter().map(engine).collect::<Vec<_>>().join(", ")
    }

    /// Everything as a table: totals first, then what was not solved.
    #[must_use]
    pub fn table(&self) -> String {
        let mut text = String::new();
        let _ = writeln!(
            text,
            "{}: {}, {}, {}, {} MiB\n",
            self.suite,
            counted(self.tasks.len() as u64, "position"),
            self.budget,
            counted(self.threads as u64, "thread"),
            self.hash
        );
        let width = self.engines.iter().map(|engine| engine.name.len()).max().unwrap_or(0).max(6);
        let graded = self.engines.iter().any(|engine| engine.most_points > 0);
        let with_mates = self.engines.iter().any(|engine| engine.mates > 0);
        let columns = |points: &str, mates: &str| {
            let points = if graded { format!("  {points:>13}") } else { String::new() };
            let mates = if with_mates { format!("  {mates}") } else { String::new() };
            format!("{points}{mates}")
        };
        let _ = writeln!(
            text,
            "{:width$}  solved       %{}      knps   seconds",
            "engine",
            columns("points", " mates  shortest  broken  false")
        );
        for engine in &self.engines {
            let share = 100.0 * engine.solved as f64 / engine.tasks.max(1) as f64;
            let speed = engine.nodes as f64 / engine.seconds.max(1e-9) / 1000.0;
            let points = format!("{} of {}", engine.points, engine.most_points);
            let mates = format!(
                "{:6}  {:8}  {:6}  {:5}",
                engine.mates, engine.shortest, engine.broken_lines, engine.false_mates
            );
            let _ = writeln!(
                text,
                "{:width$}  {:6}  {share:6.1}{}  {speed:8.0}  {:8.1}",
                engine.name,
                engine.solved,
                columns(&points, &mates),
                engine.seconds
            );
        }
        if with_mates {
            text.push_str(
                "mates: answers that promise one; shortest: in as few moves as possible; broken: \
                 the line does not mate; false: there is none\n",
            );
        }
        let open = self.tasks.iter().filter(|task| {
            task.answers.iter().any(|answer| !answer.solved || answer.fault.is_some())
        });
        for (index, task) in open.enumerate() {
            if index == 0 {
                text.push_str("\nmissed by at least one engine:\n");
            }
            let _ = writeln!(text, "{}  wanted {}", task.id, task.wanted);
            for (engine, answer) in self.engines.iter().zip(&task.answers) {
                let mark = if answer.solved { ' ' } else { '-' };
                let score = match (answer.mate, answer.centipawns) {
                    (Some(moves), _) => Told::Mate(moves),
                    (None, score) => Told::Centipawns(score.unwrap_or(0)),
                };
                let fault =
                    answer.fault.as_ref().map(|text| format!("  {text}")).unwrap_or_default();
                let _ = writeln!(
                    text,
                    "  {mark} {:width$}  {:8} {score:>8}  depth {}{fault}",
                    engine.name, answer.best_move, answer.depth
                );
            }
        }
        text
    }
}

fn describe(position: &Position, wanted: &Wanted) -> String {
    let list = |moves: &[chess::Move]| {
        moves.iter().map(|&mv| position.to_san(mv)).collect::<Vec<_>>().join(" or ")
    };
    match wanted {
        Wanted::Best(moves) => list(moves),
        Wanted::Avoid(moves) => format!("not {}", list(moves)),
        Wanted::Mate(moves) => format!("#{moves}"),
        Wanted::Score(score) => Told::Centipawns(*score).to_string(),
    }
}
