//! The one page of this module, and its search in pieces: between two of them the host can hear
//! what the page says.

use std::time::Duration;

use board::protocol::{Answer, State};
use board::{Conversation, End, Engines, Purpose, Task, Then, Turn, View};
use engine::{Instant, Limits, Report};

/// Enough for a few minutes of analysis, and not too much for a telephone.
const HASH_MIB: usize = 16;
/// How often a running search is shown.
const SHOW_EVERY: Duration = Duration::from_millis(125);
/// An analysis is interrupted for the first time after so long. A piece has to find the depth of
/// the one before it again, so pieces grow.
const FIRST_PIECE: Duration = Duration::from_millis(150);
/// A page may have to wait this long.
const LAST_PIECE: Duration = Duration::from_millis(1000);
/// A piece is this share of what was spent before it.
const GROWTH: u32 = 6;

/// What a page asks and what is searched for it.
pub struct Session {
    conversation: Conversation,
    engines: Engines,
    running: Option<Running>,
}

impl Default for Session {
    fn default() -> Self {
        Self::new()
    }
}

/// The search of the page.
struct Running {
    id: u32,
    task: Box<Task>,
    view: View,
    spent: Duration,
    /// A turn that was called off before it began still needs a move.
    stopped: bool,
}

impl Session {
    /// A page that has asked for nothing yet.
    #[must_use]
    pub fn new() -> Self {
        let engines = Engines::new(HASH_MIB, 1);
        Self { conversation: Conversation::default(), engines, running: None }
    }

    /// Takes a request.
    pub fn hear(&mut self, words: &str, tell: &mut dyn FnMut(&Answer)) {
        let turn = self.conversation.hear(words);
        self.take(turn, tell);
    }

    fn take(&mut self, turn: Turn, tell: &mut dyn FnMut(&Answer)) {
        turn.answers.iter().for_each(&mut *tell);
        match turn.then {
            Then::GoOn => {}
            Then::Stop => self.stop(tell),
            Then::Replace(next) => {
                self.running = next.map(|(id, task)| {
                    let view = View::new(task.game.position());
                    Running { id, task, view, spent: Duration::ZERO, stopped: false }
                });
            }
        }
    }

    fn stop(&mut self, tell: &mut dyn FnMut(&Answer)) {
        match &mut self.running {
            Some(running) if running.task.purpose == Purpose::Turn => running.stopped = true,
            Some(_) => self.end(End { state: State::Stopped, best: None, failure: None }, tell),
            None => {}
        }
    }

    /// Ends the search, and begins the next one of a review.
    fn end(&mut self, end: End, tell: &mut dyn FnMut(&Answer)) {
        let Some(mut running) = self.running.take() else { return };
        running.view.set_end(end);
        let turn = self.conversation.finish(running.id, &running.task, &mut running.view, false);
        self.take(turn, tell);
    }

    /// Searches for a while; whether there is more to do.
    pub fn work(&mut self, tell: &mut dyn FnMut(&Answer)) -> bool {
        let Some(Running { id, task, view, spent, stopped }) = &mut self.running else {
            return false;
        };
        let piece = (*spent / GROWTH).clamp(FIRST_PIECE, LAST_PIECE);
        let is_shown = matches!(task.purpose, Purpose::Analysis | Purpose::Turn);
        let is_divided = task.purpose == Purpose::Analysis;
        let limits = match task.purpose {
            Purpose::Analysis => self.engines.part_of(task, piece),
            Purpose::Turn if *stopped => Limits::depth(1),
            _ => task.limits.clone(),
        };
        self.engines.prepare(task);
        view.resume();
        let (began, mut shown) = (Instant::now(), Instant::now());
        let found = self.engines.search(task, &limits, &mut |report| {
            view.report(report);
            if is_shown && shown.elapsed() >= SHOW_EVERY {
                shown = Instant::now();
                tell(&Answer::Search { id: *id, view: Box::new(view.search()) });
            }
        });
        let took = began.elapsed();
        *spent += took;
        if is_divided && took >= piece {
            // Shown before it is put aside: the page shall not see it wait.
            if let Some(statistics) = found.outcome.statistics.clone() {
                view.report(&Report::Statistics(Box::new(statistics)));
            }
            tell(&Answer::Search { id: *id, view: Box::new(view.search()) });
            view.pause(&found.outcome);
            return true;
        }
        view.finish_turn(&found.outcome);
        if let Some(tree) = found.tree {
            view.record(tree);
        }
        let state = if *stopped { State::Stopped } else { State::Done };
        self.end(End { state, best: found.outcome.best_move, failure: None }, tell);
        self.running.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Says something and works until there is nothing left to do, or so many times.
    fn answers(session: &mut Session, words: &str, times: usize) -> Vec<Answer> {
        let mut said = Vec::new();
        session.hear(words, &mut |answer| said.push(answer.clone()));
        for _ in 0..times {
            if !session.work(&mut |answer| said.push(answer.clone())) {
                break;
            }
        }
        said
    }

    #[test]
    fn an_analysis_goes_on_in_pieces_until_it_is_stopped() {
        let mut session = Session::new();
        let analyse = r#"{"type":"analyse","id":1,"at":{},"lines":2,"hood":true}"#;
        let said = answers(&mut session, analyse, 3);
        let Some(Answer::Search { id: 1, view }) = said.last() else { panic!("{said:?}") };
        assert_eq!(view.state, State::Running);
        assert_eq!(view.lines.len(), 2);
        assert!(view.nodes > 0 && view.hood.is_some());
        let said = answers(&mut session, r#"{"type":"stop"}"#, 3);
        let [Answer::Search { view, .. }] = &said[..] else { panic!("{said:?}") };
        assert_eq!(view.state, State::Stopped);
        assert!(!session.work(&mut |_| {}));
    }

    #[test]
    fn an_analysis_that_can_find_no_more_is_done() {
        let mate = r#"{"type":"analyse","id":1,"at":{"start":{"fen":"7k/8/5KQ1/8/8/8/8/8 w - - 0 1"}},"lines":1}"#;
        let mut session = Session::new();
        let said = answers(&mut session, mate, 1000);
        let Some(Answer::Search { view, .. }) = said.last() else { panic!("{said:?}") };
        assert_eq!(view.state, State::Done);
    }

    #[test]
    fn a_turn_ends_in_a_move_even_if_it_is_called_off() {
        let mut session = Session::new();
        let turn = r#"{"type":"turn","id":2,"at":{},"move_time_ms":30}"#;
        let said = answers(&mut session, turn, 10);
        assert!(matches!(said.last(), Some(Answer::Best { id: 2, best: Some(_), .. })), "{said:?}");
        let long =
            r#"{"type":"turn","id":3,"at":{},"clock":{"remaining_ms":999999,"increment_ms":0}}"#;
        assert!(answers(&mut session, long, 0).is_empty());
        let said = answers(&mut session, r#"{"type":"stop"}"#, 10);
        assert!(matches!(said.last(), Some(Answer::Best { id: 3, best: Some(_), .. })), "{said:?}");
        let weak = r#"{"type":"turn","id":4,"at":{},"elo":800}"#;
        let said = answers(&mut session, weak, 10);
        assert!(matches!(said.last(), Some(Answer::Best { id: 4, best: Some(_), .. })), "{said:?}");
    }

    #[test]
    fn a_game_is_reviewed_position_by_position() {
        let mut session = Session::new();
        let review = r#"{"type":"review","id":5,"pgn":"1. f3 e5 2. g4 Qh4#","nodes":1000}"#;
        let said = answers(&mut session, review, 100);
        let progress =
            said.iter().filter(|answer| matches!(answer, Answer::Progress { .. })).count();
        assert_eq!(progress, 4);
        assert!(matches!(said.last(), Some(Answer::Reviewed { id: 5, .. })), "{said:?}");
    }

    #[test]
    fn a_tree_is_recorded_and_unfolded() {
        let mut session = Session::new();
        let said = answers(&mut session, r#"{"type":"trace","id":6,"at":{},"depth":3}"#, 10);
        let Some(Answer::Traced { nodes, .. }) = said.last() else { panic!("{said:?}") };
        assert!(*nodes > 1);
        let said = answers(&mut session, r#"{"type":"unfold","id":7,"node":0}"#, 0);
        assert!(matches!(said[..], [Answer::Unfolded { id: 7, .. }]), "{said:?}");
    }

    #[test]
    fn nonsense_is_an_error() {
        let mut session = Session::new();
        for words in ["", "{", r#"{"type":"analyse","id":1,"at":{"moves":["e5"]},"lines":1}"#] {
            let said = answers(&mut session, words, 3);
            assert!(matches!(said[..], [Answer::Error { .. }]), "{said:?}");
        }
    }
}
