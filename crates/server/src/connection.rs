//! One open page: reads its requests, sends the answers and keeps its search.

use std::future::pending;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::ws::{Message, WebSocket};
use board::protocol::Answer;
use board::{Bounds, Purpose, Reply, SearchAction, Session, Task};
use review::Book;
use tokio::sync::watch;
use tokio::task::spawn_blocking;
use tokio::time::{MissedTickBehavior, interval, timeout};

use crate::job::Job;
use crate::pool::Pool;

/// How often the progress of a search is sent.
const SHOW_EVERY: Duration = Duration::from_millis(125);
/// How often a page is asked whether it is still there.
const PING_EVERY: Duration = Duration::from_secs(10);
/// A page that has not taken or sent anything for this long is disconnected.
const PATIENCE: Duration = Duration::from_secs(30);
/// Longer messages, such as games, are read on a thread of their own, so that nobody waits for them.
const LONG_MESSAGE: usize = 4096;

/// What all pages share.
pub(crate) struct ServerState {
    pub(crate) pool: Pool,
    /// What searches may use.
    pub(crate) bounds: Bounds,
    /// The opening book that the engine plays from.
    pub(crate) book: Option<Arc<Book>>,
    /// An analysis ends when its page has asked for nothing this long.
    pub(crate) idle: Duration,
    /// Becomes true when the server ends.
    pub(crate) closing: watch::Sender<bool>,
}

/// The page has gone, or does not answer.
struct Disconnected;

struct Connection {
    state: Arc<ServerState>,
    socket: WebSocket,
    search: Option<RunningSearch>,
    /// Not here while a long message is read.
    session: Option<Session>,
    /// When the page last asked for something.
    last_request: Instant,
    /// When the page last sent anything.
    last_message: Instant,
    /// Pings since then after which the page was overdue.
    overdue: u32,
}

/// The search of a page.
struct RunningSearch {
    id: u32,
    job: Arc<Job>,
    /// The version of the view that was sent last.
    shown: u64,
    idle: bool,
}

/// Serves a page until it disconnects.
pub(crate) async fn run(socket: WebSocket, state: Arc<ServerState>) {
    let now = Instant::now();
    let session = Some(Session::new(state.bounds, state.book.clone()));
    let mut connection = Connection {
        state,
        socket,
        search: None,
        session,
        last_request: now,
        last_message: now,
        overdue: 0,
    };
    // Whichever side ended it, there is nothing left to send.
    let _ = connection.serve().await;
    connection.drop_search();
}

impl Connection {
    async fn serve(&mut self) -> Result<(), Disconnected> {
        let greeting = self.session.as_ref().map(Session::greeting).ok_or(Disconnected)?;
        self.send_answer(&greeting).await?;
        let mut closing = self.state.closing.subscribe();
        let mut show = interval(SHOW_EVERY);
        show.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut ping = interval(PING_EVERY);
        // After a pause of the whole program, pings must not follow each other without a chance for
        // the pongs between them.
        ping.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                message = self.socket.recv() => {
                    let message = message.and_then(Result::ok).ok_or(Disconnected)?;
                    tokio::select! {
                        received = self.receive(message) => received?,
                        _ = closing.changed() => return Err(Disconnected),
                    }
                }
                () = ended(self.search.as_ref()) => self.finish().await?,
                _ = show.tick() => self.show().await?,
                _ = ping.tick() => self.ping().await?,
                _ = closing.changed() => return Err(Disconnected),
            }
        }
    }

    async fn receive(&mut self, message: Message) -> Result<(), Disconnected> {
        self.last_message = Instant::now();
        self.overdue = 0;
        let text = match message {
            Message::Text(text) => text,
            Message::Binary(_) => {
                let message = String::from("the server reads text only");
                return self.send_answer(&Answer::Error { id: None, message }).await;
            }
            Message::Close(_) => return Err(Disconnected),
            Message::Ping(_) | Message::Pong(_) => return Ok(()),
        };
        self.last_request = self.last_message;
        let mut session = self.session.take().ok_or(Disconnected)?;
        let (session, reply) = if text.len() > LONG_MESSAGE {
            let read = move || {
                let reply = session.receive(&text);
                (session, reply)
            };
            spawn_blocking(read).await.map_err(|_| Disconnected)?
        } else {
            let reply = session.receive(&text);
            (session, reply)
        };
        self.session = Some(session);
        // What was sent while a long message was read has not been seen yet.
        self.last_message = Instant::now();
        self.apply(reply).await
    }

    /// Sends the answers, and starts or stops the search.
    async fn apply(&mut self, reply: Reply) -> Result<(), Disconnected> {
        match reply.action {
            SearchAction::Continue => {}
            SearchAction::Stop => {
                if let Some(search) = &self.search {
                    self.state.pool.stop(&search.job);
                }
            }
            SearchAction::Replace(next) => self.replace_search(next),
        }
        for answer in &reply.answers {
            self.send_answer(answer).await?;
        }
        Ok(())
    }

    /// Replaces the search of this page by another, or by none.
    fn replace_search(&mut self, next: Option<(u32, Box<Task>)>) {
        self.drop_search();
        self.search = next.map(|(id, task)| {
            let job = Arc::new(Job::new(task));
            self.state.pool.submit(&job);
            RunningSearch { id, job, shown: 0, idle: false }
        });
    }

    fn drop_search(&mut self) {
        if let Some(search) = self.search.take() {
            self.state.pool.forget(&search.job);
        }
    }

    /// Sends the progress of the search, if there is any, and ends an analysis whose page is idle.
    async fn show(&mut self) -> Result<(), Disconnected> {
        let Some(search) = &mut self.search else { return Ok(()) };
        if !matches!(search.job.purpose, Purpose::Analysis | Purpose::PlayMove) {
            // These have answers of their own.
            return Ok(());
        }
        let is_endless = search.job.purpose == Purpose::Analysis && !search.idle;
        if is_endless && self.last_request.elapsed() >= self.state.idle {
            search.idle = true;
            self.state.pool.stop(&search.job);
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
        self.send_answer(&answer).await
    }

    /// Sends the end of the search.
    async fn finish(&mut self) -> Result<(), Disconnected> {
        let Some(RunningSearch { id, job, idle, .. }) = self.search.take() else { return Ok(()) };
        let session = self.session.as_mut().ok_or(Disconnected)?;
        let reply = session.finish(id, &job, &mut job.feed.view(), idle);
        self.apply(reply).await
    }

    /// Asks whether the page is still there. It is disconnected only if it was overdue at the ping
    /// before this one as well: what it had sent by then has been read since.
    async fn ping(&mut self) -> Result<(), Disconnected> {
        if self.last_message.elapsed() > PATIENCE {
            if self.overdue > 0 {
                return Err(Disconnected);
            }
            self.overdue += 1;
        }
        self.send(Message::Ping(Vec::new().into())).await
    }

    async fn send_answer(&mut self, answer: &Answer) -> Result<(), Disconnected> {
        let text = serde_json::to_string(answer).map_err(|_| Disconnected)?;
        self.send(Message::Text(text.into())).await
    }

    async fn send(&mut self, message: Message) -> Result<(), Disconnected> {
        match timeout(PATIENCE, self.socket.send(message)).await {
            Ok(Ok(())) => Ok(()),
            _ => Err(Disconnected),
        }
    }
}

/// Waits for the end of a search; without one, forever.
async fn ended(search: Option<&RunningSearch>) {
    match search {
        Some(search) => search.job.feed.ended().await,
        None => pending().await,
    }
}
