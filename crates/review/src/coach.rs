//! Why a move was bad, in one or two sentences that the search has confirmed.
//!
//! Every [`Clause`] carries a [`Claim`] that code can check and the line that proves it. A clause is
//! only said if [`confirm`] agrees with it, in a search of its own; what cannot be confirmed is left
//! out, and if nothing is left the engine only says what it prefers.

mod claim;
mod found_at;
mod lines;
mod words;
#[cfg(test)]
mod tests;

pub use claim::{Claim, Clause, confirm};

use chess::{Move, Position};
use engine::Game;

use crate::analysis::PositionAnalysis;
use crate::analyst::Analyst;
use crate::eval::Eval;
use crate::motif::{ForcedLine, Motif, motifs};
use crate::zugzwang::zugzwang;
use lines::Exchange;

/// What is said about a move.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// The clauses, the most important one first; at least one.
    pub clauses: Vec<Clause>,
}

impl Explanation {
    /// All clauses as text.
    #[must_use]
    pub fn text(&self) -> String {
        self.clauses.iter().map(|clause| clause.text.as_str()).collect::<Vec<_>>().join(" ")
    }

    /// The motifs that the clauses name.
    pub fn motifs(&self) -> impl Iterator<Item = Motif> {
        self.clauses.iter().filter_map(|clause| clause.motif)
    }
}

/// A loss of the chance to win that is not worth words.
const SMALL_LOSS: f64 = 0.03;
/// A side with a smaller chance to win than this is lost: no move of it is called fine.
const LOST: f64 = 0.2;
/// A loss from which on it is said who would have found the better move.
const MISTAKE: f64 = 0.10;
/// What a threat must gain, in the chance to win, to be called one.
const THREAT: f64 = 0.10;
/// Quiet own moves that a motif may explain in a line that wins something, besides its first move.
const MOST_QUIET: usize = 1;

/// Says why a legal move is bad, or that it is not. `game` ends before the move; what earlier searches
/// have found before and after the move is used where it is given.
#[must_use]
pub fn explain(
    analyst: &mut Analyst,
    game: &Game,
    mv: Move,
    known: Option<(&PositionAnalysis, &PositionAnalysis)>,
) -> Explanation {
    let (mut explanation, loss) = reasons(analyst, game, mv, known);
    if loss >= MISTAKE
        && let Some(clause) = explanation.clauses.last_mut()
    {
        found_at::add(clause, analyst.nodes());
    }
    explanation
}

/// The clauses about a move, and the chance to win that it gave away; nothing about strength levels.
pub(crate) fn reasons(
    analyst: &mut Analyst,
    game: &Game,
    mv: Move,
    known: Option<(&PositionAnalysis, &PositionAnalysis)>,
) -> (Explanation, f64) {
    let position = *game.position();
    let mut next = game.clone();
    next.play(mv);
    let (before, after) = match known {
        Some((before, after)) => (before.clone(), after.clone()),
        None => {
            let before = analyst.study(game, 1, &[]).look;
            (before, analyst.study(&next, 1, &[]).look)
        }
    };
    let mut case = Case { analyst, game, next: &next, position, mv, before, after };
    (Explanation { clauses: case.clauses() }, case.loss())
}

/// A move with what is known about it.
struct Case<'a> {
    analyst: &'a mut Analyst,
    game: &'a Game,
    next: &'a Game,
    position: Position,
    mv: Move,
    before: PositionAnalysis,
    after: PositionAnalysis,
}

impl Case<'_> {
    /// The chance to win that the move gave away.
    fn loss(&self) -> f64 {
        let us = self.position.side_to_move();
        self.before.eval.chance(us) - self.after.eval.chance(us)
    }

    fn clauses(&mut self) -> Vec<Clause> {
        let is_best = self.before.best_move() == Some(self.mv);
        if is_best || self.loss() < SMALL_LOSS {
            return vec![self.praise(is_best)];
        }
        let mut clauses: Vec<Clause> = Vec::new();
        let refutation = self.refutation().filter(|clause| self.is_confirmed(clause));
        if let Some(refutation) = refutation {
            let threat = self.threat().filter(|clause| self.is_confirmed(clause));
            clauses.push(refutation);
            clauses.extend(threat);
        }
        let missed = self.missed().filter(|clause| self.is_confirmed(clause));
        clauses.extend(missed);
        // One or two sentences; the last word is what to play instead.
        clauses.truncate(2);
        let names_better =
            clauses.iter().any(|clause| matches!(clause.claim, Claim::Misses { .. }));
        if !names_better {
            clauses.truncate(1);
            let preference = self.preference(!clauses.is_empty());
            let is_new = clauses.iter().all(|clause| clause.text != preference.text);
            if is_new && self.is_confirmed(&preference) {
                clauses.push(preference);
            } else if clauses.is_empty() {
                clauses.push(self.scores());
            }
        }
        clauses
    }

    fn is_confirmed(&mut self, clause: &Clause) -> bool {
        claim::is_sure(self.analyst, clause)
    }

    /// The move is not bad, if a search of its own agrees; otherwise only its score is told.
    fn praise(&mut self, is_best: bool) -> Clause {
        let (san, eval) = (self.position.to_san(self.mv), self.after.eval);
        let score = words::score(eval);
        let is_lost = eval.chance(self.position.side_to_move()) < LOST;
        let text = match (is_best, is_lost) {
            (true, _) => format!("{san} is what the engine would play, too ({score})."),
            (false, true) => format!("{san} is no worse than anything else ({score})."),
            (false, false) => {
                format!("{san} is fine: the engine sees hardly anything better ({score}).")
            }
        };
        let clause = Clause::new(self.game, vec![self.mv], text, Claim::Good { loss: SMALL_LOSS });
        if self.is_confirmed(&clause) {
            return clause;
        }
        let text = format!("The engine gives {san} a score of {score}.");
        Clause { text, claim: Claim::Good { loss: 1.0 }, ..clause }
    }

    /// What the answer to the move wins: mate, or material by a motif.
    fn refutation(&mut self) -> Option<Clause> {
        let them = !self.position.side_to_move();
        let san = self.position.to_san(self.mv);
        let answer = self.after.lines.first()?.moves.clone();
        if let Some(moves) = mate_in(self.after.eval, them) {
            let plies = (2 * moves as usize - 1).min(answer.len());
            let line = &answer[..plies];
            let named = words::mate_name(self.next.position(), line);
            let what = named.unwrap_or_else(|| words::mate_in(moves));
            let shown = words::line(self.next.position(), line);
            let text = format!("{san} allows {what}: {shown}.");
            let all = std::iter::once(self.mv).chain(line.iter().copied()).collect();
            let claim = Claim::Mate { by: them, moves };
            return Some(Clause::new(self.game, all, text, claim));
        }
        let before = self.position;
        let with_move = |line: &[Move]| -> Vec<Move> {
            std::iter::once(self.mv).chain(line.iter().copied()).collect()
        };
        let forced = |line: &[Move]| ForcedLine::after(before, &with_move(line));
        let said = Said::of(self.analyst, Exchange::of_answer(&before, self.mv, &answer), forced)?;
        let Said { exchange, won: lost, motif, how } = said;
        let first = exchange.line[0];
        let how = match (motif, self.next.position().captured(first)) {
            // That the piece which has just moved is not protected is no news where it went there to take.
            (Some(Motif::HangingPiece), Some(kind)) if first.to() == self.mv.to() => {
                Some(format!("the {} can be taken", words::kind(kind)))
            }
            _ => how,
        };
        let line = with_move(&exchange.line);
        let shown = words::line(self.next.position(), &exchange.line);
        let text = match how {
            Some(_) if motif == Some(Motif::Promotion) => {
                format!("{san} lets a pawn promote: {shown}.")
            }
            Some(how) => format!("{san} loses {lost}: {how} ({shown})."),
            None => format!("{san} loses {lost}: {shown}."),
        };
        let claim = Claim::Wins {
            by: them,
            pawns: exchange.gain.pawns(),
            from: 1,
            chance: self.after.eval.chance(them),
        };
        Some(Clause { motif, ..Clause::new(self.game, line, text, claim) })
    }

    /// The answer was a threat before: passing would have met it, too.
    fn threat(&mut self) -> Option<Clause> {
        if self.position.is_check() {
            return None;
        }
        let them = !self.position.side_to_move();
        let answer = self.after.best_move()?;
        let mut passed = self.position;
        passed.make_null();
        if passed.outcome().is_some() {
            return None;
        }
        let look = self.analyst.study(&Game::new(passed), 1, &[]).look;
        let threat = look.best_move().filter(|mv| *mv == answer)?;
        let gain = look.eval.chance(them) - self.before.eval.chance(them);
        if gain < THREAT {
            return None;
        }
        let (name, san) = (words::side(them), passed.to_san(threat));
        let text = format!("{name} was already threatening {san}.");
        let chance = self.before.eval.chance(them) + THREAT;
        let claim = Claim::Threatens { by: them, chance };
        Some(Clause::new(&Game::new(passed), vec![threat], text, claim))
    }

    /// What the better move would have reached, if it can be said in words.
    fn missed(&mut self) -> Option<Clause> {
        let us = self.position.side_to_move();
        let best = self.before.lines.first()?.moves.clone();
        let san = self.position.to_san(*best.first()?);
        if let Some(moves) = mate_in(self.before.eval, us) {
            let line = best[..(2 * moves as usize - 1).min(best.len())].to_vec();
            let what = match words::mate_name(&self.position, &line) {
                Some(name) => format!("would have been {name}"),
                None => format!("would have forced {}", words::mate_in(moves)),
            };
            let text = match line.len() {
                1 => format!("{san} {what}."),
                _ => format!("{san} {what}: {}.", words::line(&self.position, &line)),
            };
            let claim = Claim::Misses { by: us, mate: Some(moves), pawns: 0, chance: 1.0 };
            return Some(Clause::new(self.game, line, text, claim));
        }
        let before = self.position;
        let forced = |line: &[Move]| Some(ForcedLine::new(before, line));
        let said = Said::of(self.analyst, Exchange::all(&before, &best), forced)?;
        let Said { exchange, won, motif, how } = said;
        let line = exchange.line;
        let shown = words::line(&self.position, &line);
        let text = match how {
            Some(_) if motif == Some(Motif::Promotion) => {
                format!("{san} would have brought a pawn through: {shown}.")
            }
            Some(how) => {
                // As in "Nf6+ would have won a queen: it forks the queen on e4 and the king".
                let how = words::with_pronoun(&how, &san);
                format!("{san} would have won {won}: {how} ({shown}).")
            }
            None if line.len() == 1 => format!("{san} would have won {won}."),
            None => format!("{san} would have won {won}: {shown}."),
        };
        let chance = self.before.eval.chance(us);
        let claim = Claim::Misses { by: us, mate: None, pawns: exchange.gain.pawns(), chance };
        Some(Clause { motif, ..Clause::new(self.game, line, text, claim) })
    }

    /// What can be said if searches do not even agree about which move is better: the scores.
    fn scores(&self) -> Clause {
        let best = self.before.best_move().unwrap_or(self.mv);
        let (better, san) = (self.position.to_san(best), self.position.to_san(self.mv));
        let (before, after) = (words::score(self.before.eval), words::score(self.after.eval));
        let text = format!(
            "The engine is not sure: it gives {san} a score of {after} and {better} one of {before}."
        );
        Clause::new(self.game, vec![best], text, Claim::Good { loss: 1.0 })
    }

    /// What the engine would play instead; where a reason was given already, in fewer words.
    fn preference(&self, has_reason: bool) -> Clause {
        let best = self.before.best_move().unwrap_or(self.mv);
        let (better, san) = (self.position.to_san(best), self.position.to_san(self.mv));
        let (before, after) = (words::score(self.before.eval), words::score(self.after.eval));
        let text = match (has_reason, self.after.eval) {
            // That it mates has been said.
            (true, Eval::Mate(_)) => format!("Better was {better} ({before})."),
            (true, _) => format!("Better was {better} ({before} instead of {after})."),
            (false, _) => format!("The engine prefers {better} ({before}) to {san} ({after})."),
        };
        Clause::new(self.game, vec![best], text, Claim::Prefers { to: self.mv })
    }
}

/// A part of a line that wins something, in words.
struct Said {
    exchange: Exchange,
    won: String,
    motif: Option<Motif>,
    how: Option<String>,
}

impl Said {
    /// The first part that can be explained: by a motif, or because it takes or checks all the time. Where
    /// quiet moves are not explained, the other side might have had something better. If none can be
    /// explained so, searches look for a zugzwang in the first.
    fn of(
        analyst: &mut Analyst,
        parts: Vec<Exchange>,
        forced: impl Fn(&[Move]) -> Option<ForcedLine>,
    ) -> Option<Self> {
        let mut rest: Option<(Exchange, String, ForcedLine)> = None;
        for exchange in parts {
            let (Some(won), Some(line)) = (exchange.gain.words(), forced(&exchange.line)) else {
                continue;
            };
            let (motif, how) = words::how(&line);
            let most = if how.is_some() { MOST_QUIET } else { 0 };
            if exchange.quiet <= most {
                return Some(Self { exchange, won, motif, how });
            }
            rest = rest.or(Some((exchange, won, line)));
        }
        let (exchange, won, line) = rest?;
        let how = words::zugzwang(&line, &zugzwang(analyst, &line)?);
        let is_short = exchange.quiet <= MOST_QUIET;
        is_short.then_some(Self { exchange, won, motif: Some(Motif::Zugzwang), how })
    }
}

/// In how many moves a side mates, if it does.
fn mate_in(eval: Eval, by: chess::Color) -> Option<i32> {
    match eval {
        Eval::Mate(moves) if eval.chance(by) == 1.0 => Some(moves.abs()),
        _ => None,
    }
}

/// The first motif that explains a line: none that only describes it.
fn explaining(findings: &[crate::motif::Finding]) -> Option<&crate::motif::Finding> {
    findings.iter().find(|finding| words::explains(finding.motif))
}

/// The motifs of a line that begins with an own move.
fn findings_of(position: &Position, line: &[Move]) -> Vec<crate::motif::Finding> {
    motifs(&ForcedLine::new(*position, line))
}
