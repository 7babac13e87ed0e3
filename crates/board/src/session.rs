//! The session of one page: its requests, their answers and the searches they need. The host decides
//! when and where a search runs.

#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::Duration;

use chess::Position;
use engine::stats::Event;
use engine::{Game, MAX_ELO, MIN_ELO};
use review::{Book, polyglot_key};

use crate::coach;
use crate::game_review::GameReview;
use crate::pgn;
use crate::protocol::{
    Answer, BookMove, MAX_BOOK_MOVES, MAX_LINES, Request, Resources, State, Step, VERSION,
};
use crate::recorded::{MAX_DEPTH, Recorded};
use crate::rules::{Played, parse_move, quote, step};
use crate::task::{Purpose, Question, Task};
use crate::view::View;

/// What is kept of a page between its requests.
pub struct Session {
    resources: Bounds,
    /// The opening book that the engine plays from.
    book: Option<Arc<Book>>,
    review: Option<GameReview>,
    /// The last search tree that was recorded.
    recorded: Option<Recorded>,
    /// The request that started the last search.
    search: Option<u32>,
    /// The last request that has one answer, until it has come.
    question: Option<u32>,
}

/// What searches use, and what a page may ask for.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Unless a page asks for something else.
    pub usual: Resources,
    /// What a search gets at most.
    pub most: Resources,
}

impl Bounds {
    fn cut(&self, wish: Option<Resources>) -> Option<Resources> {
        wish.map(|Resources { threads, hash }| Resources {
            threads: threads.clamp(1, self.most.threads),
            hash: hash.clamp(1, self.most.hash),
        })
    }
}

/// What follows from a request, or from the end of a search.
#[derive(Default)]
pub struct Reply {
    /// Answers to send at once.
    pub answers: Vec<Answer>,
    /// What to do with the page's search.
    pub action: SearchAction,
}

/// What to do with a page's search.
#[derive(Default)]
pub enum SearchAction {
    /// Leave it as it is.
    #[default]
    Continue,
    /// End it with what it has found.
    Stop,
    /// Drop it without an answer, and start another search or none.
    Replace(Option<(u32, Box<Task>)>),
}

impl Reply {
    fn answer(answer: Answer) -> Self {
        Self { answers: vec![answer], action: SearchAction::Continue }
    }
}

impl Session {
    /// A session within these bounds, whose engine plays from this book.
    #[must_use]
    pub fn new(resources: Bounds, book: Option<Arc<Book>>) -> Self {
        Self { resources, book, review: None, recorded: None, search: None, question: None }
    }

    /// The first message to a page.
    #[must_use]
    pub fn greeting(&self) -> Answer {
        let engine = format!("Halcyon {}", env!("CARGO_PKG_VERSION"));
        let Bounds { usual, most } = self.resources;
        let (min_elo, max_elo) = (MIN_ELO, MAX_ELO);
        let book = self.book.is_some();
        Answer::Hello { protocol: VERSION, engine, min_elo, max_elo, usual, most, book }
    }

    /// Handles a message of the page.
    pub fn receive(&mut self, text: &str) -> Reply {
        match Request::parse(text) {
            Ok(request) => self.answer(request),
            Err((id, message)) => Reply::answer(Answer::Error { id, message }),
        }
    }

    fn answer(&mut self, request: Request) -> Reply {
        let (id, answer) = match request {
            Request::Position { id, at } => {
                let facts = Played::read(&at).map(|played| Box::new(played.facts()));
                (id, facts.map(|facts| Answer::Position { id, facts }))
            }
            Request::Book { id, at, records } => {
                let answer = Played::read(&at).and_then(|played| {
                    let position = *played.position();
                    let key = polyglot_key(&position);
                    let opened = records.map(|records| book_of(key, &records)).transpose()?;
                    let moves = book_moves(opened.as_ref().or(self.book.as_deref()), &position);
                    Ok(Answer::Book { id, moves, key: format!("{key:016x}") })
                });
                (id, answer)
            }
            Request::Games { id, pgn } => {
                let (games, left_out) = pgn::summaries(&pgn);
                return Reply::answer(Answer::Games { id, games, left_out });
            }
            Request::Game { id, pgn, number } => {
                let game = pgn::game(&pgn, number).map(Box::new);
                (id, game.map(|game| Answer::Game { id, game }))
            }
            Request::Unfold { id, node } => {
                let recorded = self.recorded.as_ref().ok_or(String::from("nothing is recorded"));
                let children = recorded.and_then(|recorded| recorded.children(node));
                (id, children.map(|children| Answer::Unfolded { id, children }))
            }
            Request::Analyse { id, at, lines, statistics, threat, resources } => {
                let lines = lines.clamp(1, MAX_LINES);
                let game = Played::read(&at).map(|played| played.game);
                let game = if threat { game.and_then(|game| after_null_move(&game)) } else { game };
                let resources = self.resources.cut(resources);
                let task = game.map(|game| Task::analysis(game, lines, statistics).with(resources));
                return self.start_search(id, task);
            }
            Request::PlayMove { id, at, elo, clock, move_time_ms, statistics, resources } => {
                let elo = elo.map(|elo| elo.clamp(MIN_ELO, MAX_ELO));
                let time = move_time_ms.map(|ms| Duration::from_millis(ms.clamp(1, 60_000)));
                let played = Played::read(&at);
                if let Some(best) = played.as_ref().ok().and_then(|played| self.book_move(played)) {
                    self.review = None;
                    self.search = None;
                    let mut answers = self.drop_question();
                    answers.push(Answer::Best { id, best: Some(best), book: true });
                    return Reply { answers, action: SearchAction::Replace(None) };
                }
                let resources = self.resources.cut(resources);
                let task = played.map(|played| {
                    Task::play_move(played.game, elo, clock, time, statistics).with(resources)
                });
                return self.start_search(id, task);
            }
            Request::WhyNot { id, mv } => {
                let recorded = self.recorded.as_ref().ok_or(String::from("nothing is recorded"));
                let report = recorded.and_then(|recorded| recorded.why_not(&mv)).map(Box::new);
                (id, report.map(|report| Answer::LeftOut { id, report }))
            }
            Request::Trace { id, at, depth, without } => {
                let depth = depth.clamp(1, MAX_DEPTH);
                let task = Played::read(&at)
                    .and_then(|played| Ok(Task::trace(played.game, depth, switchable(&without)?)));
                return self.start_question(id, task);
            }
            Request::Explain { id, at, mv, nodes } => {
                let nodes = nodes.clamp(*coach::NODES.start(), *coach::NODES.end());
                let task = Played::read(&at).and_then(|played| explanation(played, &mv, nodes));
                return self.start_question(id, task);
            }
            Request::Review { id, pgn, nodes, explain, peers, resources } => {
                self.search = Some(id);
                match GameReview::new(id, &pgn, nodes, explain) {
                    Ok(review) => {
                        let review = review.comparing(peers);
                        self.review = Some(review.with(self.resources.cut(resources)));
                        let answers = self.drop_question();
                        return self.next_of_review(answers);
                    }
                    Err(message) => return self.refuse(id, message),
                }
            }
            Request::Stop { id } => {
                if self.search != Some(id) {
                    return Reply::default();
                }
                self.review = None;
                return Reply { answers: Vec::new(), action: SearchAction::Stop };
            }
        };
        Reply::answer(answer.unwrap_or_else(|message| Answer::Error { id: Some(id), message }))
    }

    /// A move of the opening book, if the game goes on and the book knows one.
    fn book_move(&self, played: &Played) -> Option<Step> {
        let mut position = *played.position();
        let book = self.book.as_ref().filter(|_| played.ending().is_none())?;
        book.pick(&position).map(|mv| step(&mut position, mv))
    }

    fn start_search(&mut self, id: u32, task: Result<Task, String>) -> Reply {
        match task {
            Ok(task) => {
                self.review = None;
                self.search = Some(id);
                let next = Some((id, Box::new(task)));
                Reply { answers: self.drop_question(), action: SearchAction::Replace(next) }
            }
            Err(message) => self.refuse(id, message),
        }
    }

    /// As [`Self::start_search`], for something that has one answer: if another search takes its
    /// place, that is the answer.
    fn start_question(&mut self, id: u32, task: Result<Task, String>) -> Reply {
        let is_possible = task.is_ok();
        let reply = self.start_search(id, task);
        self.question = is_possible.then_some(id);
        reply
    }

    /// The answer to a question whose search is dropped.
    fn drop_question(&mut self) -> Vec<Answer> {
        let message = || String::from("another search has begun");
        let answer = |id| Answer::Error { id: Some(id), message: message() };
        self.question.take().map(answer).into_iter().collect()
    }

    /// A search that cannot be: the one before it ends all the same.
    fn refuse(&mut self, id: u32, message: String) -> Reply {
        self.review = None;
        self.search = None;
        let mut answers = self.drop_question();
        answers.push(Answer::Error { id: Some(id), message });
        Reply { answers, action: SearchAction::Replace(None) }
    }

    /// The next search of a review; its answer if there is none left.
    fn next_of_review(&mut self, mut answers: Vec<Answer>) -> Reply {
        let next = self
            .review
            .as_mut()
            .and_then(|review| review.next_task().map(|task| (review.id, Box::new(task))));
        if next.is_none() {
            answers.extend(self.review.take().and_then(GameReview::result));
        }
        Reply { answers, action: SearchAction::Replace(next) }
    }

    /// Handles the end of a search: its last answers, and what to search next. `idle` is set if it was
    /// ended because the page has asked for nothing in a long time.
    pub fn finish(&mut self, id: u32, task: &Task, view: &mut View, idle: bool) -> Reply {
        let end = view.end().cloned();
        self.question = self.question.filter(|&question| question != id);
        let failure = end.as_ref().and_then(|end| end.failure);
        if let Some(review) = &mut self.review {
            let Some(progress) = review.take(view).filter(|_| failure.is_none()) else {
                let message = failure.unwrap_or("the review was stopped").into();
                return self.refuse(id, message);
            };
            return self.next_of_review(vec![progress]);
        }
        if task.purpose == Purpose::Trace {
            return Reply::answer(self.keep_tree(id, view));
        }
        if let Some((position, lesson)) = view.take_lesson() {
            let lesson = Box::new(coach::lesson(&position, &lesson));
            return Reply::answer(Answer::Explained { id, lesson });
        }
        let mut search = Box::new(view.search());
        if idle {
            search.state = State::Idle;
        }
        let mut answers = vec![Answer::Search { id, view: search }];
        if let Some(failure) = failure {
            answers.push(Answer::Error { id: Some(id), message: failure.into() });
        } else if task.purpose == Purpose::PlayMove {
            let best = end.and_then(|end| end.best).map(|mv| view.step(mv));
            answers.push(Answer::Best { id, best, book: false });
        }
        Reply { answers, action: SearchAction::Continue }
    }

    /// Keeps a recorded tree, and answers with its roots.
    fn keep_tree(&mut self, id: u32, view: &mut View) -> Answer {
        let Some((root, tree)) = view.take_tree() else {
            let message = String::from("the search was stopped before it was recorded");
            return Answer::Error { id: Some(id), message };
        };
        let mut search = view.search();
        let best = (!search.lines.is_empty()).then(|| search.lines.swap_remove(0));
        let searched = search.nodes;
        let recorded = Recorded::new(root, tree);
        let ((nodes, omitted), roots) = (recorded.size(), recorded.roots());
        self.recorded = Some(recorded);
        Answer::Traced { id, nodes, omitted, roots, best, searched }
    }
}

/// All moves that a book knows in a position.
fn book_moves(book: Option<&Book>, position: &Position) -> Vec<BookMove> {
    let known = book.map(|book| book.moves(position)).unwrap_or_default();
    let shown = |known: &review::BookMove| {
        let mut after = *position;
        BookMove { step: step(&mut after, known.mv), weight: known.weight }
    };
    known.iter().map(shown).collect()
}

/// A book that has these moves and weights in one position.
fn book_of(key: u64, records: &[[u16; 2]]) -> Result<Book, String> {
    if records.len() > MAX_BOOK_MOVES {
        return Err(format!("a book may have {MAX_BOOK_MOVES} moves in a position at most"));
    }
    let record = |[mv, weight]: &[u16; 2]| {
        [key.to_be_bytes().as_slice(), &mv.to_be_bytes(), &weight.to_be_bytes(), &[0; 4]].concat()
    };
    Book::new(records.iter().flat_map(record).collect()).map_err(|error| error.to_string())
}

/// The rules with these names, if a search can do without them.
fn switchable(names: &[String]) -> Result<Vec<Event>, String> {
    let rule = |name: &String| {
        let event = Event::ALL.iter().find(|event| event.is_switchable() && event.rule() == *name);
        event.copied().ok_or_else(|| format!("{} cannot be switched off", quote(name)))
    };
    names.iter().take(Event::ALL.len()).map(rule).collect()
}

/// The searches that explain a move.
fn explanation(played: Played, mv: &str, nodes: u64) -> Result<Task, String> {
    if let Some(ending) = played.ending() {
        return Err(format!("the game is over here: {}", ending.reason));
    }
    let mv = parse_move(played.position(), mv)
        .ok_or_else(|| format!("{} is not a legal move here", quote(mv)))?;
    Ok(Task::explain(played.game, Question { mv, known: None }, nodes))
}

/// The game as if the side to move had passed.
fn after_null_move(game: &Game) -> Result<Game, String> {
    let mut position = *game.position();
    if position.is_check() {
        return Err("there is no threat to look for: the king is in check".into());
    }
    position.make_null();
    Ok(Game::new(position))
}
