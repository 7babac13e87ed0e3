//! The HTTP server: the page, its websocket, and the shutdown.

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
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::runtime::Runtime;
use tokio::sync::{Semaphore, watch};
use tokio::time::{sleep, timeout};

use crate::connection::{self, ServerState};
use crate::guard::{Guard, MIN_PUBLIC_TOKEN, MIN_TOKEN, Refusal, random_token};
use crate::options::{DEFAULT_PORT, Options, Problem, TOKEN_VARIABLE};
use crate::page;
use crate::pool::Pool;

/// Connections have this long to end when the server ends.
const FAREWELL: Duration = Duration::from_millis(200);
/// A request must have arrived this long after its connection, or after the request before it.
const HEADER_TIME: Duration = Duration::from_secs(5);
/// HTTP connections at the same time; open pages are counted by `Options::clients`.
const MAX_CONNECTIONS: usize = 200;
/// How long a wrong token is answered with nothing, against guessing.
const WRONG_TOKEN_TIME: Duration = Duration::from_millis(250);
/// Threads that read long messages.
const READERS: usize = 8;

/// A server that listens.
pub struct Running {
    runtime: Runtime,
    listener: TcpListener,
    state: Arc<ServerState>,
    guard: Guard,
    clients: Arc<Semaphore>,
    url: String,
}

/// Binds the address and prepares the engines; [`Running::run`] serves.
///
/// # Errors
/// If the page is missing, the options are not safe, or the address cannot be had.
pub fn start(options: &Options) -> Result<Running, Problem> {
    page::FILES.map_err(Problem::NoPage)?;
    let listener = listen(options)?;
    let address = listener.local_addr().map_err(Problem::System)?;
    let shortest = if address.ip().is_loopback() { MIN_TOKEN } else { MIN_PUBLIC_TOKEN };
    let token = match options.token.clone().or_else(|| std::env::var(TOKEN_VARIABLE).ok()) {
        Some(token) if is_token(&token, shortest) => token,
        Some(_) => return Err(Problem::BadToken(shortest)),
        None if !address.ip().is_loopback() => return Err(Problem::NeedsToken(address)),
        None => random_token().map_err(|error| Problem::System(io::Error::other(error)))?,
    };
    let mut builder = tokio::runtime::Builder::new_current_thread();
    let builder = builder.enable_all().max_blocking_threads(READERS);
    let runtime = builder.build().map_err(Problem::System)?;
    let shown = match address.ip() {
        ip if ip.is_unspecified() => SocketAddr::new(Ipv4Addr::LOCALHOST.into(), address.port()),
        _ => address,
    };
    let state = ServerState {
        pool: Pool::new(options),
        bounds: options.bounds(),
        book: options.book.clone().map(Arc::new),
        idle: options.idle,
        closing: watch::Sender::new(false),
    };
    Ok(Running {
        runtime,
        listener,
        state: Arc::new(state),
        url: format!("http://{shown}/?token={token}"),
        guard: Guard::new(token, &options.host, address),
        clients: Arc::new(Semaphore::new(options.clients)),
    })
}

/// A token becomes part of an address and of a cookie.
fn is_token(text: &str, shortest: usize) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    (shortest..=200).contains(&text.len()) && text.bytes().all(plain)
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

    /// Serves until the future `end` is ready.
    ///
    /// # Errors
    /// If the system refuses something.
    pub fn run_until(self, end: impl Future<Output = ()>) -> Result<(), Problem> {
        let Self { runtime, listener, state, guard, clients, .. } = self;
        let closing = Arc::clone(&state);
        let app = router(AppState { state, guard, clients });
        let result = runtime.block_on(async move {
            let listener = tokio::net::TcpListener::from_std(listener)?;
            let connections = Arc::new(Semaphore::new(MAX_CONNECTIONS));
            tokio::select! {
                () = accept(&listener, &app, &connections, &closing.closing) => {}
                () = end => {}
            }
            closing.closing.send_replace(true);
            // Connections that are still open after this end with the runtime.
            let all = u32::try_from(MAX_CONNECTIONS).unwrap_or(u32::MAX);
            let _ = timeout(FAREWELL, connections.acquire_many(all)).await;
            Ok(())
        });
        // A message that is still being read is left to the end of the program.
        runtime.shutdown_timeout(FAREWELL);
        result.map_err(Problem::System)
    }
}

/// Accepts connections without end, each on a task of its own.
async fn accept(
    listener: &tokio::net::TcpListener,
    app: &Router,
    connections: &Arc<Semaphore>,
    closing: &watch::Sender<bool>,
) {
    loop {
        // The semaphore is never closed.
        let Ok(permit) = Arc::clone(connections).acquire_owned().await else { return };
        let Ok((stream, _)) = listener.accept().await else {
            // Out of file descriptors, for instance: it may help to wait.
            sleep(Duration::from_millis(50)).await;
            continue;
        };
        let service = TowerToHyperService::new(app.clone());
        let mut closing = closing.subscribe();
        tokio::spawn(async move {
            let mut http = http1::Builder::new();
            http.timer(TokioTimer::new()).header_read_timeout(HEADER_TIME);
            let connection = http.serve_connection(TokioIo::new(stream), service).with_upgrades();
            tokio::select! {
                // An error is that of one client; an upgraded connection goes on elsewhere.
                _ = connection => {}
                _ = closing.wait_for(|closing| *closing) => {}
            }
            drop(permit);
        });
    }
}

/// Waits for Ctrl-C or a request to terminate.
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
struct AppState {
    state: Arc<ServerState>,
    guard: Guard,
    clients: Arc<Semaphore>,
}

fn router(app: AppState) -> Router {
    Router::new()
        .route("/", get(front))
        .route("/api/v1/status", get(status))
        .route("/api/v1/socket", get(socket))
        .fallback(get(file))
        .layer(middleware::from_fn_with_state(app.clone(), protect))
        .with_state(app)
}

/// Checks where every request comes from, and says in every response what the page may do.
async fn protect(State(app): State<AppState>, request: Request, next: Next) -> Response {
    let headers = app.guard.headers(request.headers());
    let mut response = match app.guard.check_source(request.headers()) {
        Ok(()) => next.run(request).await,
        Err(refusal) => refuse(refusal).await,
    };
    response.headers_mut().extend(headers);
    response
}

/// Refuses a request; one with a wrong token only after a while.
async fn refuse(refusal: Refusal) -> Response {
    if refusal == Refusal::Token {
        sleep(WRONG_TOKEN_TIME).await;
    }
    refusal.response().into_response()
}

/// The value of `token` in a query.
fn offered(query: Option<&str>) -> Option<&str> {
    query?.split('&').find_map(|pair| pair.strip_prefix("token="))
}

/// The page. Whoever brings the token in the address gets a cookie and a clean address for it.
async fn front(
    State(AppState { guard, .. }): State<AppState>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    let offered = offered(query.as_deref());
    match guard.check_token(&headers, offered) {
        Err(refusal) => refuse(refusal).await,
        Ok(()) if offered.is_some() => {
            let headers = [(SET_COOKIE, guard.cookie()), (LOCATION, String::from("/"))];
            (StatusCode::SEE_OTHER, headers).into_response()
        }
        Ok(()) => send("/"),
    }
}

async fn file(
    State(AppState { guard, .. }): State<AppState>,
    uri: Uri,
    headers: HeaderMap,
) -> Response {
    match guard.check_token(&headers, None) {
        Err(refusal) => refuse(refusal).await,
        Ok(()) => send(uri.path()),
    }
}

fn send(path: &str) -> Response {
    match page::file(path) {
        Some(file) => ([(CONTENT_TYPE, file.kind)], file.body).into_response(),
        None => (StatusCode::NOT_FOUND, "There is nothing here.\n").into_response(),
    }
}

const FULL: &str = "Too many boards are open on this server. Close one, or start the server with a \
                    larger --clients.\n";

/// Says why a page could not connect.
async fn status(State(app): State<AppState>, headers: HeaderMap) -> Response {
    match app.guard.check_token(&headers, None) {
        Err(refusal) => refuse(refusal).await,
        Ok(()) if app.clients.available_permits() == 0 => {
            (StatusCode::SERVICE_UNAVAILABLE, FULL).into_response()
        }
        Ok(()) => (StatusCode::OK, "ready\n").into_response(),
    }
}

async fn socket(
    State(app): State<AppState>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Response {
    if let Err(refusal) = app.guard.check_token(&headers, offered(query.as_deref())) {
        return refuse(refusal).await;
    }
    let Ok(permit) = Arc::clone(&app.clients).try_acquire_owned() else {
        return (StatusCode::SERVICE_UNAVAILABLE, FULL).into_response();
    };
    let upgrade = upgrade.max_message_size(MAX_MESSAGE).max_frame_size(MAX_MESSAGE);
    upgrade.on_upgrade(async move |socket| {
        connection::run(socket, app.state).await;
        drop(permit);
    })
}
