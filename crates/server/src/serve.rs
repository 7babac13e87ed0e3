//! The HTTP server: the page, the way to its websocket, and how all of it ends.

use std::fmt;
use std::future::Future;
use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener, ToSocketAddrs};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{RawQuery, Request, State};
use axum::http::header::{CONTENT_TYPE, LOCATION, SET_COOKIE};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use board::protocol::MAX_MESSAGE;
use review::Book;
use tokio::runtime::Runtime;
use tokio::sync::{Semaphore, watch};
use tokio::time::timeout;

use crate::guard::{Guard, MIN_TOKEN, Refusal, random_token};
use crate::page;
use crate::pool::Pool;
use crate::session::{self, House};

/// The port when nobody asks for another: chess has 960 starts here.
pub const DEFAULT_PORT: u16 = 8960;

/// Pages have this long to hear that the server ends.
const FAREWELL: Duration = Duration::from_millis(300);

/// How to serve.
#[derive(Clone, Debug)]
pub struct Options {
    /// The address or name to listen at.
    pub host: String,
    /// The port; without one the usual port, or any free one if that is taken. 0 is any free port.
    pub port: Option<u16>,
    /// The token that opens the page; a new one at each start if none is given.
    pub token: Option<String>,
    /// How many searches run at the same time.
    pub engines: usize,
    /// Threads of each search.
    pub threads: usize,
    /// MiB of table for each search.
    pub hash: usize,
    /// How many pages may be open.
    pub clients: usize,
    /// An analysis ends when its page has asked for nothing this long.
    pub idle: Duration,
    /// A book that the engine plays from.
    pub book: Option<Book>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            host: Ipv4Addr::LOCALHOST.to_string(),
            port: None,
            token: None,
            engines: std::thread::available_parallelism().map_or(1, usize::from).min(8),
            threads: 1,
            hash: 64,
            clients: 64,
            idle: Duration::from_secs(600),
            book: None,
        }
    }
}

/// Why the server cannot start.
#[derive(Debug)]
pub enum Problem {
    /// The page was not built; the reason.
    NoPage(&'static str),
    /// Others can reach the address, and there is no token.
    NeedsToken(SocketAddr),
    /// The token is too short or has letters that an address cannot have.
    BadToken,
    /// The host is unknown.
    BadHost(String, io::Error),
    /// The address cannot be had.
    Address(String, io::Error),
    /// The system refused something else.
    System(io::Error),
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoPage(reason) => write!(
                f,
                "this program was built without the board's page ({reason}). Install npm and Node \
                 20 or newer, run `touch crates/server/build.rs` and build again"
            ),
            Self::NeedsToken(address) => write!(
                f,
                "others can reach {}, so it needs a secret of {MIN_TOKEN} letters or more: \
                 --token SECRET",
                address.ip()
            ),
            Self::BadToken => {
                write!(f, "a token has {MIN_TOKEN} to 200 letters, digits, `-` and `_`")
            }
            Self::BadHost(host, error) => write!(f, "cannot find the host {host}: {error}"),
            Self::Address(address, error) => write!(f, "cannot listen at {address}: {error}"),
            Self::System(error) => write!(f, "cannot serve: {error}"),
        }
    }
}

impl std::error::Error for Problem {}

/// A server that listens.
pub struct Running {
    runtime: Runtime,
    listener: TcpListener,
    house: Arc<House>,
    guard: Guard,
    clients: Arc<Semaphore>,
    url: String,
}

/// Begins to listen.
///
/// # Errors
/// If the page is missing, the options are not safe, or the address cannot be had.
pub fn start(options: &Options) -> Result<Running, Problem> {
    page::FILES.map_err(Problem::NoPage)?;
    let listener = listen(options)?;
    let address = listener.local_addr().map_err(Problem::System)?;
    let token = match &options.token {
        Some(token) if is_token(token) => token.clone(),
        Some(_) => return Err(Problem::BadToken),
        None if !address.ip().is_loopback() => return Err(Problem::NeedsToken(address)),
        None => random_token().map_err(|error| Problem::System(io::Error::other(error)))?,
    };
    let mut builder = tokio::runtime::Builder::new_current_thread();
    let runtime = builder.enable_all().build().map_err(Problem::System)?;
    let shown = match address.ip() {
        ip if ip.is_unspecified() => SocketAddr::new(Ipv4Addr::LOCALHOST.into(), address.port()),
        _ => address,
    };
    let house = House {
        pool: Pool::new(options.engines, options.hash, options.threads),
        book: options.book.clone().map(Arc::new),
        idle: options.idle,
        closing: watch::Sender::new(false),
    };
    Ok(Running {
        runtime,
        listener,
        house: Arc::new(house),
        url: format!("http://{shown}/?token={token}"),
        guard: Guard::new(token, &options.host, address),
        clients: Arc::new(Semaphore::new(options.clients)),
    })
}

/// A token becomes part of an address and of a cookie.
fn is_token(text: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    (MIN_TOKEN..=200).contains(&text.len()) && text.bytes().all(plain)
}

fn listen(options: &Options) -> Result<TcpListener, Problem> {
    let bind = |port: u16| {
        let host = options.host.trim_matches(['[', ']']);
        let mut addresses = (host, port)
            .to_socket_addrs()
            .map_err(|error| Problem::BadHost(options.host.clone(), error))?;
        let none = || io::Error::from(io::ErrorKind::AddrNotAvailable);
        let address = addresses.next().ok_or_else(none);
        address
            .and_then(TcpListener::bind)
            .map_err(|error| Problem::Address(format!("{host}:{port}"), error))
    };
    let listener = match options.port {
        Some(port) => bind(port),
        None => bind(DEFAULT_PORT).or_else(|_| bind(0)),
    }?;
    listener.set_nonblocking(true).map_err(Problem::System)?;
    Ok(listener)
}

impl Running {
    /// The address to open, with the token.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Serves until Ctrl-C or a request to terminate.
    ///
    /// # Errors
    /// If the system refuses something.
    pub fn run(self) -> Result<(), Problem> {
        self.run_until(asked_to_end())
    }

    /// Serves until `end` comes.
    ///
    /// # Errors
    /// If the system refuses something.
    pub fn run_until(self, end: impl Future<Output = ()>) -> Result<(), Problem> {
        let Self { runtime, listener, house, guard, clients, .. } = self;
        let closing = Arc::clone(&house);
        let app = router(Entrance { house, guard, clients });
        let result = runtime.block_on(async move {
            let listener = tokio::net::TcpListener::from_std(listener)?;
            let mut closed = closing.closing.subscribe();
            let farewell = async move {
                // The sender lives as long as the house.
                let _ = closed.wait_for(|closing| *closing).await;
            };
            let server = axum::serve(listener, app).with_graceful_shutdown(farewell);
            let mut server = std::pin::pin!(server.into_future());
            tokio::select! {
                ended = &mut server => return ended,
                () = end => {}
            }
            closing.closing.send_replace(true);
            // Who has not gone by now is left behind.
            let _ = timeout(FAREWELL, server).await;
            Ok(())
        });
        runtime.shutdown_timeout(FAREWELL);
        result.map_err(Problem::System)
    }
}

async fn asked_to_end() {
    let interrupt = tokio::signal::ctrl_c();
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminate) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = interrupt => {}
                _ = terminate.recv() => {}
            }
            return;
        }
    }
    // Where signals cannot be heard, the system ends the program itself.
    let _ = interrupt.await;
}

/// What the handlers of requests share.
#[derive(Clone)]
struct Entrance {
    house: Arc<House>,
    guard: Guard,
    clients: Arc<Semaphore>,
}

fn router(entrance: Entrance) -> Router {
    Router::new()
        .route("/", get(front))
        .route("/api/v1/status", get(status))
        .route("/api/v1/socket", get(socket))
        .fallback(get(file))
        .layer(middleware::from_fn_with_state(entrance.clone(), protect))
        .with_state(entrance)
}

/// Checks where every request comes from, and says in every response what the page may do.
async fn protect(State(entrance): State<Entrance>, request: Request, next: Next) -> Response {
    let headers = entrance.guard.headers(request.headers());
    let mut response = match entrance.guard.check_source(request.headers()) {
        Ok(()) => next.run(request).await,
        Err(refusal) => refuse(refusal),
    };
    response.headers_mut().extend(headers);
    response
}

fn refuse(refusal: Refusal) -> Response {
    refusal.response().into_response()
}

/// The value of `token` in a query.
fn offered(query: Option<&str>) -> Option<&str> {
    query?.split('&').find_map(|pair| pair.strip_prefix("token="))
}

/// The page. Whoever brings the token in the address gets a cookie and a clean address for it.
async fn front(
    State(Entrance { guard, .. }): State<Entrance>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    let offered = offered(query.as_deref());
    match guard.check_token(&headers, offered) {
        Err(refusal) => refuse(refusal),
        Ok(()) if offered.is_some() => {
            let headers = [(SET_COOKIE, guard.cookie()), (LOCATION, String::from("/"))];
            (StatusCode::SEE_OTHER, headers).into_response()
        }
        Ok(()) => send("/"),
    }
}

async fn file(
    State(Entrance { guard, .. }): State<Entrance>,
    uri: Uri,
    headers: HeaderMap,
) -> Response {
    match guard.check_token(&headers, None) {
        Err(refusal) => refuse(refusal),
        Ok(()) => send(uri.path()),
    }
}

fn send(path: &str) -> Response {
    match page::file(path) {
        Some(file) => ([(CONTENT_TYPE, file.kind)], file.body).into_response(),
        None => (StatusCode::NOT_FOUND, "There is nothing here.\n").into_response(),
    }
}

const FULL: &str = "There are as many boards open as this Halcyon can serve. Close one, or start \
                    it with a larger --clients.\n";

/// Tells a page that could not connect why.
async fn status(State(entrance): State<Entrance>, headers: HeaderMap) -> Response {
    match entrance.guard.check_token(&headers, None) {
        Err(refusal) => refuse(refusal),
        Ok(()) if entrance.clients.available_permits() == 0 => {
            (StatusCode::SERVICE_UNAVAILABLE, FULL).into_response()
        }
        Ok(()) => (StatusCode::OK, "ready\n").into_response(),
    }
}

async fn socket(
    State(entrance): State<Entrance>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Response {
    if let Err(refusal) = entrance.guard.check_token(&headers, offered(query.as_deref())) {
        return refuse(refusal);
    }
    let Ok(seat) = Arc::clone(&entrance.clients).try_acquire_owned() else {
        return (StatusCode::SERVICE_UNAVAILABLE, FULL).into_response();
    };
    let upgrade = upgrade.max_message_size(MAX_MESSAGE).max_frame_size(MAX_MESSAGE);
    upgrade.on_upgrade(async move |socket| {
        session::run(socket, entrance.house).await;
        drop(seat);
    })
}
