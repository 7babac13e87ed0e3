//! The search for a mate in so many moves, when one is asked for: everything is tried and nothing
//! is judged, so that what it finds is the shortest mate and what it does not find is not there.

use chess::{Move, Position};

use super::kind::Stopped;
use super::worker::Worker;
use crate::score::MAX_PLY;
use crate::stats::Recorder;

/// What is known about a position.
#[derive(Clone, Copy, Default)]
struct Slot {
    key: u64,
    /// The move that mates, or that escapes.
    mv: Option<Move>,
    /// The attacker mates in so many moves; 0 if that is not known.
    proven: u8,
    /// The attacker does not mate in so many moves.
    refuted: u8,
}

/// Slots of the table: sixteen bytes each, only while a mate is looked for.
const SLOTS: usize = 1 << 19;
/// Longer mates are not looked for.
const LONGEST: u32 = MAX_PLY as u32 / 2 - 4;

/// Why a proof ended without a result.
enum Halt {
    /// The search is over.
    Stopped,
    /// It is the turn of the ordinary search.
    Paused,
}

impl From<Stopped> for Halt {
    fn from(Stopped: Stopped) -> Self {
        Self::Stopped
    }
}

/// The search for a mate. It takes turns with the ordinary search.
pub(super) struct MateSolver {
    table: Box<[Slot]>,
    /// The length that is being tried.
    moves: u32,
    wanted: u32,
    /// Nodes at which the ordinary search goes on.
    pause_at: u64,
}

impl MateSolver {
    /// A solver for a mate in at most `wanted` moves.
    pub(super) fn new(wanted: u32) -> Self {
        let table = vec![Slot::default(); SLOTS].into_boxed_slice();
        Self { table, moves: 1, wanted: wanted.min(LONGEST), pause_at: 0 }
    }

    /// Goes on until it has spent as many nodes as everything before, and returns the line of the
    /// shortest mate if it has found one: given by the side to move, or suffered by it.
    pub(super) fn resume<R: Recorder>(&mut self, worker: &mut Worker<'_, R>) -> Option<Vec<Move>> {
        let root = *worker.job.game.position();
        self.pause_at = 2 * worker.nodes;
        while self.moves <= self.wanted {
            let mates = match self.attack(worker, &root, self.moves, 0) {
                Err(_) => return None,
                Ok(mate) => mate.is_some(),
            };
            let is_mated = !mates
                && worker.has_all_root_moves()
                && match self.defend(worker, &root, self.moves, 0) {
                    Err(_) => return None,
                    Ok(is_mated) => is_mated,
                };
            if mates || is_mated {
                self.pause_at = u64::MAX;
                return self.line(worker, root, is_mated).ok();
            }
            self.moves += 1;
        }
        None
    }

    /// The move that mates in at most `moves` moves.
    fn attack<R: Recorder>(
        &mut self,
        worker: &mut Worker<'_, R>,
        position: &Position,
        moves: u32,
        ply: usize,
    ) -> Result<Option<Move>, Halt> {
        self.enter(worker)?;
        if ply > 0 && is_drawn(worker, position) {
            return Ok(None);
        }
        let known = self.known(position, moves);
        if (1..=moves).contains(&u32::from(known.proven)) {
            return Ok(known.mv);
        }
        if u32::from(known.refuted) >= moves {
            return Ok(None);
        }
        let checks = position.check_info();
        // The fewer answers, the better: checks and threats come first by themselves.
        let mut candidates: Vec<(u32, Move)> = Vec::with_capacity(64);
        for &mv in &position.legal_moves() {
            let left_out = ply == 0 && !worker.is_root_candidate(mv);
            if left_out || (moves == 1 && !position.gives_check(mv, &checks)) {
                continue;
            }
            let mut child = *position;
            child.make(mv);
            let answers = child.count_legal_moves();
            match (answers, child.is_check()) {
                (0, true) => return Ok(self.learn(position, moves, Some(mv))),
                (0, false) => {}
                _ if moves > 1 => candidates.push((answers, mv)),
                _ => {}
            }
        }
        candidates.sort_by_key(|&(answers, mv)| (Some(mv) != known.mv, answers));
        for (_, mv) in candidates {
            let child = worker.make(position, mv, ply);
            let mates = self.defend(worker, &child, moves - 1, ply + 1);
            worker.unmake();
            if mates? {
                return Ok(self.learn(position, moves, Some(mv)));
            }
        }
        Ok(self.learn(position, moves, None))
    }

    /// Whether every answer is mated in at most `moves` moves. There is an answer.
    fn defend<R: Recorder>(
        &mut self,
        worker: &mut Worker<'_, R>,
        position: &Position,
        moves: u32,
        ply: usize,
    ) -> Result<bool, Halt> {
        self.enter(worker)?;
        if ply > 0 && is_drawn(worker, position) {
            return Ok(false);
        }
        let known = self.known(position, moves);
        if (1..=moves).contains(&u32::from(known.proven)) {
            return Ok(true);
        }
        if u32::from(known.refuted) >= moves {
            return Ok(false);
        }
        let mut answers = position.legal_moves().to_vec();
        answers.sort_by_key(|&mv| (Some(mv) != known.mv, mv.is_quiet()));
        for mv in answers {
            let child = worker.make(position, mv, ply);
            let mate = self.attack(worker, &child, moves, ply + 1);
            worker.unmake();
            if mate?.is_none() {
                let slot = self.slot(position, moves);
                slot.mv = Some(mv);
                slot.refuted = slot.refuted.max(moves as u8);
                return Ok(false);
            }
        }
        self.slot(position, moves).proven = moves as u8;
        Ok(true)
    }

    /// The mate against the longest defence; with the turn of the side that `is_mated`, its answer
    /// comes first.
    fn line<R: Recorder>(
        &mut self,
        worker: &mut Worker<'_, R>,
        root: Position,
        is_mated: bool,
    ) -> Result<Vec<Move>, Halt> {
        let (mut line, mut position, mut left) = (Vec::new(), root, self.moves);
        let mut defends = is_mated;
        loop {
            let next = if defends {
                let longest = self.longest_defence(worker, &position, line.len())?;
                longest.map(|(length, answer)| {
                    left = length;
                    answer
                })
            } else {
                self.attack(worker, &position, left, line.len())?
            };
            let Some(mv) = next else { break };
            position = worker.make(&position, mv, line.len());
            line.push(mv);
            defends = !defends;
        }
        for _ in &line {
            worker.unmake();
        }
        Ok(line)
    }

    /// The answer that puts the mate off longest, and how many moves the mate then takes.
    fn longest_defence<R: Recorder>(
        &mut self,
        worker: &mut Worker<'_, R>,
        position: &Position,
        ply: usize,
    ) -> Result<Option<(u32, Move)>, Halt> {
        let mut longest: Option<(u32, Move)> = None;
        for &answer in &position.legal_moves() {
            let child = worker.make(position, answer, ply);
            let mut length = 1;
            while self.attack(worker, &child, length, ply + 1)?.is_none() {
                length += 1;
            }
            worker.unmake();
            if longest.is_none_or(|(longest, _)| length > longest) {
                longest = Some((length, answer));
            }
        }
        Ok(longest)
    }

    fn enter<R: Recorder>(&self, worker: &mut Worker<'_, R>) -> Result<(), Halt> {
        worker.check_limits()?;
        worker.nodes += 1;
        if worker.nodes >= self.pause_at { Err(Halt::Paused) } else { Ok(()) }
    }

    /// Remembers what an attack came to, and returns it.
    fn learn(&mut self, position: &Position, moves: u32, mate: Option<Move>) -> Option<Move> {
        let slot = self.slot(position, moves);
        match mate {
            Some(_) => {
                slot.mv = mate;
                slot.proven = moves as u8;
            }
            None => slot.refuted = slot.refuted.max(moves as u8),
        }
        mate
    }

    /// What is known about a position when a mate in at most `moves` moves is asked for.
    fn known(&self, position: &Position, moves: u32) -> Slot {
        let key = key_of(position, moves);
        let slot = self.table[key as usize % SLOTS];
        if slot.key == key { slot } else { Slot::default() }
    }

    /// The place of a position, emptied if another position has it.
    fn slot(&mut self, position: &Position, moves: u32) -> &mut Slot {
        let key = key_of(position, moves);
        let slot = &mut self.table[key as usize % SLOTS];
        if slot.key != key {
            *slot = Slot { key, ..Slot::default() };
        }
        slot
    }
}

/// Where the fifty-move rule may interfere, the clock is part of the position.
fn key_of(position: &Position, moves: u32) -> u64 {
    let clock = u64::from(position.halfmove_clock());
    let matters = clock + 2 * u64::from(moves) >= 100;
    position.key() ^ if matters { clock.wrapping_mul(0x9E37_79B9_7F4A_7C15) } else { 0 }
}

/// Whether the game is over without a winner.
fn is_drawn<R: Recorder>(worker: &Worker<'_, R>, position: &Position) -> bool {
    position.is_fifty_move_draw()
        || position.board().is_insufficient_material()
        || worker.data.keys.is_threefold(position)
}
