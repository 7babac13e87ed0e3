//! The one page of this module, and its search in time slices: between two of them the host can pass
//! on what the page asks.

use std::time::Duration;

use board::protocol::{Answer, Resources, State};
use board::{Bounds, End, Engines, Purpose, Reply, SearchAction, Session, Task, View};
use engine::{Instant, Limits, Report};

/// Enough for a few minutes of analysis, and not too much for a telephone.
const HASH_MIB: usize = 16;
/// A page may ask for this much.
const MAX_HASH_MIB: usize = 128;
/// How often the progress of a search is sent.
const SHOW_EVERY: Duration = Duration::from_millis(125);
/// The first time slice of an analysis. A slice has to find the depth of the one before it again, so
/// slices grow.
const FIRST_SLICE: Duration = Duration::from_millis(150);
/// The longest time slice: a page may have to wait this long.
const LAST_SLICE: Duration = Duration::from_millis(1000);
/// A slice is this share of the time spent before it.
const GROWTH: u32 = 6;

/// A page and its search, on one thread.
pub struct LocalSession {
    session: Session,
    engines: Engines,
    running: Option<Running>,
}

impl Default for LocalSession {
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
    /// A move to play is needed even if its search was stopped before it began.
    stopped: bool,
}

impl LocalSession {
    /// A session with engines, before the first request.
    #[must_use]
    pub fn new() -> Self {
        let engines = Engines::new(HASH_MIB, 1);
        let usual = Resources { threads: 1, hash: HASH_MIB };
        let most = Resources { threads: 1, hash: MAX_HASH_MIB };
        let session = Session::new(Bounds { usual, most }, None);
        Self { session, engines, running: None }
    }

    /// The first message to the page.
    #[must_use]
    pub fn greeting(&self) -> Answer {
        self.session.greeting()
    }

    /// Handles a message of the page; answers go to `send`.
    pub fn receive(&mut self, text: &str, send: &mut dyn FnMut(&Answer)) {
        let reply = self.session.receive(text);
        self.apply(reply, send);
    }

    fn apply(&mut self, reply: Reply, send: &mut dyn FnMut(&Answer)) {
        reply.answers.iter().for_each(&mut *send);
        match reply.action {
            SearchAction::Continue => {}
            SearchAction::Stop => self.stop(send),
            SearchAction::Replace(next) => {
                self.running = next.map(|(id, task)| {
                    let view = View::new(task.game.position());
                    Running { id, task, view, spent: Duration::ZERO, stopped: false }
                });
            }
        }
    }

    fn stop(&mut self, send: &mut dyn FnMut(&Answer)) {
        match &mut self.running {
            Some(running) if running.task.purpose == Purpose::PlayMove => running.stopped = true,
            Some(_) => self.end(End { state: State::Stopped, best: None, failure: None }, send),
            None => {}
        }
    }

    /// Ends the search, and begins the next one of a review.
    fn end(&mut self, end: End, send: &mut dyn FnMut(&Answer)) {
        let Some(mut running) = self.running.take() else { return };
        running.view.set_end(end);
        let reply = self.session.finish(running.id, &running.task, &mut running.view, false);
        self.apply(reply, send);
    }

    /// Searches for one time slice and returns whether there is more to do.
    pub fn work(&mut self, send: &mut dyn FnMut(&Answer)) -> bool {
        let Some(Running { id, task, view, spent, stopped }) = &mut self.running else {
            return false;
        };
        let slice = (*spent / GROWTH).clamp(FIRST_SLICE, LAST_SLICE);
        let is_shown = matches!(task.purpose, Purpose::Analysis | Purpose::PlayMove);
        let is_divided = task.purpose == Purpose::Analysis;
        let limits = match task.purpose {
            Purpose::Analysis => self.engines.slice_of(task, slice),
            Purpose::PlayMove if *stopped => Limits::depth(1),
            _ => task.limits.clone(),
        };
        self.engines.prepare(task);
        view.resume();
        let (began, mut shown) = (Instant::now(), Instant::now());
        let found = self.engines.search(task, &limits, &mut |report| {
            view.report(report);
            if is_shown && shown.elapsed() >= SHOW_EVERY {
                shown = Instant::now();
                send(&Answer::Search { id: *id, view: Box::new(view.search()) });
            }
        });
        let took = began.elapsed();
        *spent += took;
        if is_divided && took >= slice {
            // Sent before it is paused: the page must not show that it waits.
            if let Some(statistics) = found.outcome.statistics.clone() {
                view.report(&Report::Statistics(Box::new(statistics)));
            }
            send(&Answer::Search { id: *id, view: Box::new(view.search()) });
            view.pause(&found.outcome);
            return true;
        }
        view.finish_slice(&found.outcome);
        view.record(found.tree, found.lesson);
        let state = if *stopped { State::Stopped } else { State::Done };
        self.end(End { state, best: found.outcome.best_move, failure: None }, send);
        self.running.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sends a message and works until there is nothing left to do, or this many times.
    fn answers(session: &mut LocalSession, text: &str, times: usize) -> Vec<Answer> {
        let mut said = Vec::new();
        session.receive(text, &mut |answer| said.push(answer.clone()));
        for _ in 0..times {
            if !session.work(&mut |answer| said.push(answer.clone())) {
                break;
            }
        }
        said
    }

    #[test]
    fn an_analysis_goes_on_in_time_slices_until_it_is_stopped() {
        let mut session = LocalSession::new();
        let analyse = r#"{"type":"analyse","id":1,"at":{},"lines":2,"statistics":true}"#;
        let said = answers(&mut session, analyse, 3);
        let Some(Answer::Search { id: 1, view }) = said.last() else { panic!("{said:?}") };
        assert_eq!(view.state, State::Running);
        assert_eq!(view.lines.len(), 2);
        assert!(view.nodes > 0 && view.statistics.is_some());
        let said = answers(&mut session, r#"{"type":"stop","id":1}"#, 3);
        let [Answer::Search { view, .. }] = &said[..] else { panic!("{said:?}") };
        assert_eq!(view.state, State::Stopped);
        assert!(!session.work(&mut |_| {}));
    }

    #[test]
    fn an_analysis_that_can_find_no_more_is_done() {
        let mate = r#"{"type":"analyse","id":1,"at":{"start":{"fen":"7k/8/5KQ1/8/8/8/8/8 w - - 0 1"}},"lines":1}"#;
        let mut session = LocalSession::new();
        let said = answers(&mut session, mate, 1000);
        let Some(Answer::Search { view, .. }) = said.last() else { panic!("{said:?}") };
        assert_eq!(view.state, State::Done);
    }

    #[test]
    fn a_move_is_played_even_if_its_search_is_stopped() {
        let mut session = LocalSession::new();
        let play = r#"{"type":"play_move","id":2,"at":{},"move_time_ms":30}"#;
        let said = answers(&mut session, play, 10);
        assert!(matches!(said.last(), Some(Answer::Best { id: 2, best: Some(_), .. })), "{said:?}");
        let long = r#"{"type":"play_move","id":3,"at":{},"clock":{"remaining_ms":999999,"increment_ms":0}}"#;
        assert!(answers(&mut session, long, 0).is_empty());
        let said = answers(&mut session, r#"{"type":"stop","id":3}"#, 10);
        assert!(matches!(said.last(), Some(Answer::Best { id: 3, best: Some(_), .. })), "{said:?}");
        let weak = r#"{"type":"play_move","id":4,"at":{},"elo":800}"#;
        let said = answers(&mut session, weak, 10);
        assert!(matches!(said.last(), Some(Answer::Best { id: 4, best: Some(_), .. })), "{said:?}");
    }

    #[test]
    fn a_game_is_reviewed_position_by_position() {
        let mut session = LocalSession::new();
        let review = r#"{"type":"review","id":5,"pgn":"1. f3 e5 2. g4 Qh4#","nodes":1000}"#;
        let said = answers(&mut session, review, 100);
        let progress =
            said.iter().filter(|answer| matches!(answer, Answer::Progress { .. })).count();
        assert_eq!(progress, 4);
        assert!(matches!(said.last(), Some(Answer::Reviewed { id: 5, .. })), "{said:?}");
    }

    #[test]
    fn players_with_ratings_are_compared_with_their_levels() {
        let mut session = LocalSession::new();
        let ask = |peers| {
            let pgn = "[WhiteElo \"1200\"] 1. f3 e5 2. g4 Qh4#";
            serde_json::json!({"type": "review", "id": 5, "pgn": pgn, "nodes": 4000, "peers": peers})
        };
        let said = answers(&mut session, &ask(true).to_string(), 100);
        let Some(Answer::Reviewed { white_peer: Some(white), black_peer: None, .. }) = said.last()
        else {
            panic!("{said:?}")
        };
        assert_eq!((white.elo, white.positions), (1200, 2));
        assert!(white.level > white.own, "no level of 1200 plays like this: {white:?}");
        let count = said.iter().filter(|one| matches!(one, Answer::Comparing { .. })).count();
        assert!((2..=4).contains(&count), "{count}");
        let again = answers(&mut LocalSession::new(), &ask(true).to_string(), 100);
        assert_eq!(again.last(), said.last());
        let said = answers(&mut session, &ask(false).to_string(), 100);
        assert!(matches!(said.last(), Some(Answer::Reviewed { white_peer: None, .. })), "{said:?}");
    }

    #[test]
    fn mistakes_are_explained_in_a_review_and_on_demand() {
        let mut session = LocalSession::new();
        let review =
            r#"{"type":"review","id":5,"pgn":"1. f3 e5 2. g4 Qh4#","nodes":4000,"explain":true}"#;
        let said = answers(&mut session, review, 100);
        let Some(Answer::Reviewed { plies, .. }) = said.last() else { panic!("{said:?}") };
        let lesson = plies[2].lesson.as_ref().expect("2. g4 is a blunder");
        assert!(lesson.clauses[0].text.starts_with("g4 allows mate in one"), "{lesson:?}");
        let levels = &lesson.levels;
        assert!(!levels.asked.is_empty() && levels.asked.iter().all(|one| one.moves.len() > 1));
        assert!(levels.asked.iter().any(|one| Some(one.elo) == levels.finds), "{levels:?}");
        assert_eq!((lesson.clauses[0].line[1].san.as_str(), lesson.clauses[0].point), ("Qh4#", 1));
        let count = said.iter().filter(|one| matches!(one, Answer::Explaining { .. })).count();
        assert_eq!(count, plies.iter().filter(|ply| ply.lesson.is_some()).count());
        assert!(plies.iter().all(|ply| ply.lesson.is_some() == ply.judgement.is_some()));
        let explain =
            r#"{"type":"explain","id":6,"at":{"moves":["f3","e5"]},"mv":"g4","nodes":4000}"#;
        let said = answers(&mut session, explain, 10);
        let [Answer::Explained { id: 6, lesson }] = &said[..] else { panic!("{said:?}") };
        assert!(lesson.loss > 0.3 && lesson.motifs[0].name == "mate", "{lesson:?}");
        let wrong = r#"{"type":"explain","id":7,"at":{},"mv":"e5","nodes":4000}"#;
        let said = answers(&mut session, wrong, 10);
        assert!(matches!(said[..], [Answer::Error { id: Some(7), .. }]), "{said:?}");
    }

    #[test]
    fn a_tree_is_recorded_and_unfolded() {
        let mut session = LocalSession::new();
        let said = answers(&mut session, r#"{"type":"trace","id":6,"at":{},"depth":3}"#, 10);
        let Some(Answer::Traced { nodes, .. }) = said.last() else { panic!("{said:?}") };
        assert!(*nodes > 1);
        let said = answers(&mut session, r#"{"type":"unfold","id":7,"node":0}"#, 0);
        assert!(matches!(said[..], [Answer::Unfolded { id: 7, .. }]), "{said:?}");
    }

    #[test]
    fn nonsense_is_an_error() {
        let mut session = LocalSession::new();
        for words in ["", "{", r#"{"type":"analyse","id":1,"at":{"moves":["e5"]},"lines":1}"#] {
            let said = answers(&mut session, words, 3);
            assert!(matches!(said[..], [Answer::Error { .. }]), "{said:?}");
        }
    }
}
