//! One page: what it asks and what it is told.

use std::future::pending;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::ws::{Message, WebSocket};
use engine::{MAX_ELO, MIN_ELO};
use review::Book;
use tokio::sync::watch;
use tokio::time::{MissedTickBehavior, interval, timeout};

use crate::job::{Job, Purpose};
use crate::paper::{self, Reviewing};
use crate::pool::Pool;
use crate::protocol::{Answer, MAX_LINES, Request, State, Step, VERSION};
use crate::recorded::{MAX_DEPTH, Recorded};
use crate::rules::{Played, step};

/// How often a running search is shown.
const SHOW_EVERY: Duration = Duration::from_millis(125);
/// How often it is asked whether the page is still there.
const PING_EVERY: Duration = Duration::from_secs(10);
/// A page that takes longer to take what it is sent, or to say anything at all, is gone.
const PATIENCE: Duration = Duration::from_secs(30);

/// What all pages share.
pub(crate) struct House {
    pub(crate) pool: Pool,
    /// What the engine plays from before it thinks.
    pub(crate) book: Option<Book>,
    /// An analysis ends when its page has asked for nothing this long.
    pub(crate) idle: Duration,
    /// Becomes true when the server ends.
    pub(crate) closing: watch::Sender<bool>,
}

/// The page is gone, or does not listen.
struct Gone;

struct Session {
    house: Arc<House>,
    socket: WebSocket,
    search: Option<Running>,
    review: Option<Reviewing>,
    /// The last search tree that was recorded.
    recorded: Option<Recorded>,
    /// When the page last asked for something.
    asked: Instant,
    /// When anything last came from the page.
    heard: Instant,
}

/// The search of a page.
struct Running {
    id: u32,
    job: Arc<Job>,
    /// The version of the view that was shown last.
    shown: u64,
    idle: bool,
}

/// Serves a page until it goes.
pub(crate) async fn run(socket: WebSocket, house: Arc<House>) {
    let now = Instant::now();
    let mut session = Session {
        house,
        socket,
        search: None,
        review: None,
        recorded: None,
        asked: now,
        heard: now,
    };
    // Whichever side went, there is nothing more to say.
    let _ = session.converse().await;
    session.forget();
}

impl Session {
    async fn converse(&mut self) -> Result<(), Gone> {
        let engine = format!("Halcyon {}", env!("CARGO_PKG_VERSION"));
        let (min_elo, max_elo) = (MIN_ELO, MAX_ELO);
        self.tell(&Answer::Hello { protocol: VERSION, engine, min_elo, max_elo }).await?;
        let mut closing = self.house.closing.subscribe();
        let mut show = interval(SHOW_EVERY);
        show.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut ping = interval(PING_EVERY);
        loop {
            tokio::select! {
                message = self.socket.recv() => {
                    let message = message.and_then(Result::ok).ok_or(Gone)?;
                    self.hear(message).await?;
                }
                () = over(self.search.as_ref()) => self.finish().await?,
                _ = show.tick() => self.show().await?,
                _ = ping.tick() => self.ping().await?,
                _ = closing.changed() => return Err(Gone),
            }
        }
    }

    async fn hear(&mut self, message: Message) -> Result<(), Gone> {
        self.heard = Instant::now();
        let text = match message {
            Message::Text(text) => text,
            Message::Binary(_) => {
                let message = String::from("the server reads text only");
                return self.tell(&Answer::Error { id: None, message }).await;
            }
            Message::Close(_) => return Err(Gone),
            Message::Ping(_) | Message::Pong(_) => return Ok(()),
        };
        self.asked = self.heard;
        let answer = match Request::parse(&text) {
            Ok(request) => self.answer(request),
            Err((id, message)) => Some(Answer::Error { id, message }),
        };
        match answer {
            Some(answer) => self.tell(&answer).await,
            None => Ok(()),
        }
    }

    fn answer(&mut self, request: Request) -> Option<Answer> {
        let (id, done) = match request {
            Request::Position { id, at } => {
                let facts = Played::read(&at).map(|played| Box::new(played.facts()));
                (id, facts.map(|facts| Some(Answer::Position { id, facts })))
            }
            Request::Analyse { id, at, lines, hood } => (id, {
                let lines = lines.clamp(1, MAX_LINES);
                let job = Played::read(&at).map(|played| Job::analysis(played.game, lines, hood));
                self.search_for(id, job)
            }),
            Request::Turn { id, at, elo, clock, move_time_ms, hood } => (id, {
                let elo = elo.map(|elo| elo.clamp(MIN_ELO, MAX_ELO));
                let time = move_time_ms.map(|ms| Duration::from_millis(ms.clamp(1, 60_000)));
                let played = Played::read(&at);
                if let Some(best) = played.as_ref().ok().and_then(|played| self.known(played)) {
                    self.forget();
                    return Some(Answer::Best { id, best: Some(best), book: true });
                }
                self.search_for(
                    id,
                    played.map(|played| Job::turn(played.game, elo, clock, time, hood)),
                )
            }),
            Request::Games { id, pgn } => {
                let (games, left_out) = paper::headings(&pgn);
                return Some(Answer::Games { id, games, left_out });
            }
            Request::Game { id, pgn, number } => {
                let paper = paper::paper(&pgn, number).map(Box::new);
                (id, paper.map(|paper| Some(Answer::Game { id, paper })))
            }
            Request::Review { id, pgn, nodes } => (id, {
                self.forget();
                Reviewing::new(id, &pgn, nodes).map(|review| {
                    self.review = Some(review);
                    self.go_on_reviewing()
                })
            }),
            Request::Trace { id, at, depth } => (id, {
                let depth = depth.clamp(1, MAX_DEPTH);
                let job = Played::read(&at).map(|played| Job::trace(played.game, depth));
                self.search_for(id, job)
            }),
            Request::Unfold { id, node } => {
                let recorded = self.recorded.as_ref().ok_or(String::from("nothing is recorded"));
                let children = recorded.and_then(|recorded| recorded.children(node));
                (id, children.map(|children| Some(Answer::Unfolded { id, children })))
            }
            Request::Stop {} => {
                self.review = None;
                if let Some(search) = &self.search {
                    self.house.pool.stop(&search.job);
                }
                return None;
            }
        };
        done.unwrap_or_else(|message| Some(Answer::Error { id: Some(id), message }))
    }

    /// A move of the opening book, if the game goes on and the book knows one.
    fn known(&self, played: &Played) -> Option<Step> {
        let mut position = *played.position();
        let book = self.house.book.as_ref().filter(|_| played.ending().is_none())?;
        book.pick(&position).map(|mv| step(&mut position, mv))
    }

    /// Replaces the search of this page by another.
    fn search_for(&mut self, id: u32, job: Result<Job, String>) -> Result<Option<Answer>, String> {
        self.forget();
        let job = Arc::new(job?);
        self.house.pool.submit(&job);
        self.search = Some(Running { id, job, shown: 0, idle: false });
        Ok(None)
    }

    /// Starts the next search of a review; the answer comes when there is none left.
    fn go_on_reviewing(&mut self) -> Option<Answer> {
        let review = self.review.as_mut()?;
        let Some(job) = review.next_job() else { return self.review.take().map(Reviewing::result) };
        let (id, job) = (review.id, Arc::new(job));
        self.house.pool.submit(&job);
        self.search = Some(Running { id, job, shown: 0, idle: false });
        None
    }

    fn forget(&mut self) {
        self.review = None;
        if let Some(search) = self.search.take() {
            self.house.pool.forget(&search.job);
        }
    }

    /// Shows how far the search is, if there is anything new, and ends what nobody looks at.
    async fn show(&mut self) -> Result<(), Gone> {
        let Some(search) = &mut self.search else { return Ok(()) };
        if matches!(search.job.purpose, Purpose::Review | Purpose::Trace) {
            // These have answers of their own.
            return Ok(());
        }
        let lasting = search.job.purpose == Purpose::Analysis && !search.idle;
        if lasting && self.asked.elapsed() >= self.house.idle {
            search.idle = true;
            self.house.pool.stop(&search.job);
        }
        let view = {
            let view = search.job.feed.view();
            if view.version() == search.shown || view.end().is_some() {
                return Ok(());
            }
            search.shown = view.version();
            Box::new(view.search())
        };
        let answer = Answer::Search { id: search.id, view };
        self.tell(&answer).await
    }

    /// Shows the end of the search.
    async fn finish(&mut self) -> Result<(), Gone> {
        let Some(Running { id, job, idle, .. }) = self.search.take() else { return Ok(()) };
        if self.review.is_some() {
            return self.finish_look(&job).await;
        }
        if job.purpose == Purpose::Trace {
            return self.finish_trace(id, &job).await;
        }
        let (view, best, failure) = {
            let view = job.feed.view();
            let end = view.end();
            let best = end.and_then(|end| end.best).map(|mv| view.step(mv));
            let mut search = Box::new(view.search());
            if idle {
                search.state = State::Idle;
            }
            (search, best, end.and_then(|end| end.failure))
        };
        self.tell(&Answer::Search { id, view }).await?;
        if let Some(failure) = failure {
            let message = String::from(failure);
            return self.tell(&Answer::Error { id: Some(id), message }).await;
        }
        if job.purpose == Purpose::Turn {
            self.tell(&Answer::Best { id, best, book: false }).await?;
        }
        Ok(())
    }

    /// Shows the roots of a recorded tree.
    async fn finish_trace(&mut self, id: u32, job: &Job) -> Result<(), Gone> {
        let tree = job.feed.view().take_tree();
        let Some((root, tree)) = tree else {
            let message = String::from("the search was stopped before it was recorded");
            return self.tell(&Answer::Error { id: Some(id), message }).await;
        };
        let recorded = Recorded::new(root, tree);
        let ((nodes, omitted), roots) = (recorded.size(), recorded.roots());
        self.recorded = Some(recorded);
        self.tell(&Answer::Traced { id, nodes, omitted, roots }).await
    }

    /// Tells what one position of a review is worth, and goes on with the next.
    async fn finish_look(&mut self, job: &Job) -> Result<(), Gone> {
        let progress = {
            let view = job.feed.view();
            let failure = view.end().and_then(|end| end.failure);
            match self.review.as_mut().and_then(|review| review.take(&view)) {
                Some(progress) if failure.is_none() => progress,
                _ => {
                    let id = self.review.take().map(|review| review.id);
                    let message = failure.unwrap_or("the review was stopped").into();
                    Answer::Error { id, message }
                }
            }
        };
        self.tell(&progress).await?;
        match self.go_on_reviewing() {
            Some(answer) => self.tell(&answer).await,
            None => Ok(()),
        }
    }

    async fn ping(&mut self) -> Result<(), Gone> {
        if self.heard.elapsed() > PATIENCE {
            return Err(Gone);
        }
        self.send(Message::Ping(Vec::new().into())).await
    }

    async fn tell(&mut self, answer: &Answer) -> Result<(), Gone> {
        let text = serde_json::to_string(answer).map_err(|_| Gone)?;
        self.send(Message::Text(text.into())).await
    }

    async fn send(&mut self, message: Message) -> Result<(), Gone> {
        match timeout(PATIENCE, self.socket.send(message)).await {
            Ok(Ok(())) => Ok(()),
            _ => Err(Gone),
        }
    }
}

/// Waits for the end of a search; without one, for ever.
async fn over(search: Option<&Running>) {
    match search {
        Some(search) => search.job.feed.over().await,
        None => pending().await,
    }
}
