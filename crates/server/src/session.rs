//! One page: what it asks and what it is told.

use std::future::pending;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::ws::{Message, WebSocket};
use board::protocol::Answer;
use board::{Conversation, Purpose, Task, Then, Turn};
use review::Book;
use tokio::sync::watch;
use tokio::time::{MissedTickBehavior, interval, timeout};

use crate::job::Job;
use crate::pool::Pool;

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
    pub(crate) book: Option<Arc<Book>>,
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
    conversation: Conversation,
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
    let book = house.book.clone();
    let mut session = Session {
        house,
        socket,
        search: None,
        conversation: Conversation::with_book(book),
        asked: now,
        heard: now,
    };
    // Whichever side went, there is nothing more to say.
    let _ = session.converse().await;
    session.forget();
}

impl Session {
    async fn converse(&mut self) -> Result<(), Gone> {
        self.tell(&Conversation::greeting()).await?;
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
        let turn = self.conversation.hear(&text);
        self.take(turn).await
    }

    /// Tells what there is to tell, and does what is to be done with the search.
    async fn take(&mut self, turn: Turn) -> Result<(), Gone> {
        match turn.then {
            Then::GoOn => {}
            Then::Stop => {
                if let Some(search) = &self.search {
                    self.house.pool.stop(&search.job);
                }
            }
            Then::Replace(next) => self.replace(next),
        }
        for answer in &turn.answers {
            self.tell(answer).await?;
        }
        Ok(())
    }

    /// Replaces the search of this page by another, or by none.
    fn replace(&mut self, next: Option<(u32, Box<Task>)>) {
        self.forget();
        self.search = next.map(|(id, task)| {
            let job = Arc::new(Job::new(task));
            self.house.pool.submit(&job);
            Running { id, job, shown: 0, idle: false }
        });
    }

    fn forget(&mut self) {
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
        let turn = self.conversation.finish(id, &job, &mut job.feed.view(), idle);
        self.take(turn).await
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
