//! One page: what it asks and what it is told. Who searches, and when, is not known here.

use std::sync::Arc;
use std::time::Duration;

use engine::{MAX_ELO, MIN_ELO};
use review::Book;

use crate::paper::{self, Reviewing};
use crate::protocol::{Answer, MAX_LINES, Request, State, Step, VERSION};
use crate::recorded::{MAX_DEPTH, Recorded};
use crate::rules::{Played, step};
use crate::task::{Purpose, Task};
use crate::view::View;

/// What a page has asked for that lasts.
#[derive(Default)]
pub struct Conversation {
    /// What the engine plays from before it thinks.
    book: Option<Arc<Book>>,
    review: Option<Reviewing>,
    /// The last search tree that was recorded.
    recorded: Option<Recorded>,
}

/// What a request, or the end of a search, comes to.
#[derive(Default)]
pub struct Turn {
    /// What the page is told at once.
    pub answers: Vec<Answer>,
    /// What becomes of the page's search.
    pub then: Then,
}

/// What becomes of a page's search.
#[derive(Default)]
pub enum Then {
    /// Nothing changes.
    #[default]
    GoOn,
    /// It ends with what is known.
    Stop,
    /// Nobody wants to know it any more. Instead there is another, or none.
    Replace(Option<(u32, Box<Task>)>),
}

impl Turn {
    fn answer(answer: Answer) -> Self {
        Self { answers: vec![answer], then: Then::GoOn }
    }
}

impl Conversation {
    /// With a page that plays against an engine with this book.
    #[must_use]
    pub fn with_book(book: Option<Arc<Book>>) -> Self {
        Self { book, ..Self::default() }
    }

    /// The first words to a page.
    #[must_use]
    pub fn greeting() -> Answer {
        let engine = format!("Halcyon {}", env!("CARGO_PKG_VERSION"));
        Answer::Hello { protocol: VERSION, engine, min_elo: MIN_ELO, max_elo: MAX_ELO }
    }

    /// What a page says.
    pub fn hear(&mut self, text: &str) -> Turn {
        match Request::parse(text) {
            Ok(request) => self.answer(request),
            Err((id, message)) => Turn::answer(Answer::Error { id, message }),
        }
    }

    fn answer(&mut self, request: Request) -> Turn {
        let (id, answer) = match request {
            Request::Position { id, at } => {
                let facts = Played::read(&at).map(|played| Box::new(played.facts()));
                (id, facts.map(|facts| Answer::Position { id, facts }))
            }
            Request::Games { id, pgn } => {
                let (games, left_out) = paper::headings(&pgn);
                return Turn::answer(Answer::Games { id, games, left_out });
            }
            Request::Game { id, pgn, number } => {
                let paper = paper::paper(&pgn, number).map(Box::new);
                (id, paper.map(|paper| Answer::Game { id, paper }))
            }
            Request::Unfold { id, node } => {
                let recorded = self.recorded.as_ref().ok_or(String::from("nothing is recorded"));
                let children = recorded.and_then(|recorded| recorded.children(node));
                (id, children.map(|children| Answer::Unfolded { id, children }))
            }
            Request::Analyse { id, at, lines, hood } => {
                let lines = lines.clamp(1, MAX_LINES);
                let task = Played::read(&at).map(|played| Task::analysis(played.game, lines, hood));
                return self.search(id, task);
            }
            Request::Turn { id, at, elo, clock, move_time_ms, hood } => {
                let elo = elo.map(|elo| elo.clamp(MIN_ELO, MAX_ELO));
                let time = move_time_ms.map(|ms| Duration::from_millis(ms.clamp(1, 60_000)));
                let played = Played::read(&at);
                if let Some(best) = played.as_ref().ok().and_then(|played| self.known(played)) {
                    self.review = None;
                    let answers = vec![Answer::Best { id, best: Some(best), book: true }];
                    return Turn { answers, then: Then::Replace(None) };
                }
                let task = played.map(|played| Task::turn(played.game, elo, clock, time, hood));
                return self.search(id, task);
            }
            Request::Trace { id, at, depth } => {
                let depth = depth.clamp(1, MAX_DEPTH);
                let task = Played::read(&at).map(|played| Task::trace(played.game, depth));
                return self.search(id, task);
            }
            Request::Review { id, pgn, nodes } => {
                self.review = None;
                return match Reviewing::new(id, &pgn, nodes) {
                    Ok(review) => {
                        self.review = Some(review);
                        self.go_on_reviewing(Vec::new())
                    }
                    Err(message) => refuse(id, message),
                };
            }
            Request::Stop {} => {
                self.review = None;
                return Turn { answers: Vec::new(), then: Then::Stop };
            }
        };
        Turn::answer(answer.unwrap_or_else(|message| Answer::Error { id: Some(id), message }))
    }

    /// A move of the opening book, if the game goes on and the book knows one.
    fn known(&self, played: &Played) -> Option<Step> {
        let mut position = *played.position();
        let book = self.book.as_ref().filter(|_| played.ending().is_none())?;
        book.pick(&position).map(|mv| step(&mut position, mv))
    }

    fn search(&mut self, id: u32, task: Result<Task, String>) -> Turn {
        self.review = None;
        match task {
            Ok(task) => {
                Turn { answers: Vec::new(), then: Then::Replace(Some((id, Box::new(task)))) }
            }
            Err(message) => refuse(id, message),
        }
    }

    /// The next search of a review; its answer if there is none left.
    fn go_on_reviewing(&mut self, mut answers: Vec<Answer>) -> Turn {
        let next = self
            .review
            .as_mut()
            .and_then(|review| review.next_task().map(|task| (review.id, Box::new(task))));
        if next.is_none() {
            answers.extend(self.review.take().map(Reviewing::result));
        }
        Turn { answers, then: Then::Replace(next) }
    }

    /// What is to be told when a search is over, and what is to be searched next. `idle` is set if
    /// nobody has looked at it for long.
    pub fn finish(&mut self, id: u32, task: &Task, view: &mut View, idle: bool) -> Turn {
        let failure = view.end().and_then(|end| end.failure);
        if self.review.is_some() {
            let progress = self.review.as_mut().and_then(|review| review.take(view));
            let answer = match progress {
                Some(progress) if failure.is_none() => progress,
                _ => {
                    let id = self.review.take().map(|review| review.id);
                    let message = failure.unwrap_or("the review was stopped").into();
                    Answer::Error { id, message }
                }
            };
            return self.go_on_reviewing(vec![answer]);
        }
        if task.purpose == Purpose::Trace {
            return Turn::answer(self.keep_tree(id, view));
        }
        let mut search = Box::new(view.search());
        if idle {
            search.state = State::Idle;
        }
        let mut answers = vec![Answer::Search { id, view: search }];
        if let Some(failure) = failure {
            answers.push(Answer::Error { id: Some(id), message: failure.into() });
        } else if task.purpose == Purpose::Turn {
            let best = view.end().and_then(|end| end.best).map(|mv| view.step(mv));
            answers.push(Answer::Best { id, best, book: false });
        }
        Turn { answers, then: Then::GoOn }
    }

    /// Keeps a recorded tree, and shows its roots.
    fn keep_tree(&mut self, id: u32, view: &mut View) -> Answer {
        let Some((root, tree)) = view.take_tree() else {
            let message = String::from("the search was stopped before it was recorded");
            return Answer::Error { id: Some(id), message };
        };
        let recorded = Recorded::new(root, tree);
        let ((nodes, omitted), roots) = (recorded.size(), recorded.roots());
        self.recorded = Some(recorded);
        Answer::Traced { id, nodes, omitted, roots }
    }
}

/// A search that cannot be: the one before it ends all the same.
fn refuse(id: u32, message: String) -> Turn {
    let answers = vec![Answer::Error { id: Some(id), message }];
    Turn { answers, then: Then::Replace(None) }
}
