//! Lichess and its broker as far as external engines need them, written from the published description
//! (OpenAPI) of the API. Whatever does not follow it is answered with 400 and fails the test.

use std::collections::{HashMap, VecDeque};
use std::io::{BufRead, BufReader, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

pub(crate) const TOKEN: &str = "lip_0123456789abcdef";
/// How long a request for work is kept waiting.
const LONG_POLL: Duration = Duration::from_millis(500);

#[derive(Default)]
struct State {
    /// Registrations by identifier, with what only the provider knows.
    engines: HashMap<String, Value>,
    created: usize,
    queue: VecDeque<(String, Value)>,
    answers: HashMap<String, Stream>,
    /// What did not follow the description.
    faults: Vec<String>,
}

/// An answer on its way.
#[derive(Default)]
struct Stream {
    lines: Vec<String>,
    is_done: bool,
    connection: Option<TcpStream>,
}

/// A request as it came.
struct Request {
    method: String,
    path: String,
    headers: HashMap<String, String>,
}

struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

/// A server on a port of its own.
pub(crate) struct Server {
    port: u16,
    shared: Arc<Shared>,
}

impl Server {
    pub(crate) fn start() -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a port is free");
        let port = listener.local_addr().expect("it has an address").port();
        let shared = Arc::new(Shared { state: Mutex::default(), changed: Condvar::new() });
        let server = Self { port, shared: Arc::clone(&shared) };
        thread::spawn(move || {
            for connection in listener.incoming().flatten() {
                let shared = Arc::clone(&shared);
                thread::spawn(move || shared.serve(&connection));
            }
        });
        server
    }

    pub(crate) fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// What is registered under an identifier.
    pub(crate) fn registration(&self, id: &str) -> Option<Value> {
        self.shared.state().engines.get(id).cloned()
    }

    /// Puts work into the queue; its identifier.
    pub(crate) fn push(&self, work: Value) -> String {
        let mut state = self.shared.state();
        let id = format!("work{}", state.answers.len() + 1);
        state.answers.insert(id.clone(), Stream::default());
        state.queue.push_back((id.clone(), work));
        self.shared.changed.notify_all();
        id
    }

    /// Waits for the first line of an answer.
    pub(crate) fn first_line(&self, id: &str, deadline: Duration) {
        self.wait(id, deadline, |stream| !stream.lines.is_empty());
    }

    /// The whole answer.
    pub(crate) fn answer(&self, id: &str, deadline: Duration) -> Vec<String> {
        self.wait(id, deadline, |stream| stream.is_done)
    }

    /// Ends the connection of an answer, as when the page is closed.
    pub(crate) fn hang_up(&self, id: &str) {
        let state = self.shared.state();
        let connection = state.answers[id].connection.as_ref().expect("an answer is on its way");
        connection.shutdown(Shutdown::Both).expect("the connection is open");
    }

    fn wait(
        &self,
        id: &str,
        deadline: Duration,
        is_enough: impl Fn(&Stream) -> bool,
    ) -> Vec<String> {
        let end = Instant::now() + deadline;
        let mut state = self.shared.state();
        while !is_enough(&state.answers[id]) {
            let left = end.saturating_duration_since(Instant::now());
            assert!(!left.is_zero(), "no answer to {id}; faults: {:?}", state.faults);
            state = self.shared.changed.wait_timeout(state, left).expect("nobody panics").0;
        }
        assert!(state.faults.is_empty(), "{:?}", state.faults);
        state.answers[id].lines.clone()
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("nobody panics")
    }

    fn serve(&self, connection: &TcpStream) {
        let mut reader = BufReader::new(connection);
        let Some(request) = read_head(&mut reader) else { return };
        let path: Vec<&str> = request.path.trim_start_matches('/').split('/').collect();
        let result = match (request.method.as_str(), &path[..]) {
            ("POST", ["api", "external-engine", "work", id]) => {
                self.stream(id, &request, &mut reader, connection)
            }
            ("POST", ["api", "external-engine", "work"]) => {
                read_json(&request, &mut reader).and_then(|body| self.acquire(&body))
            }
            (method, ["api", "external-engine", id @ ..]) => {
                let authorization = request.headers.get("authorization");
                if authorization == Some(&format!("Bearer {TOKEN}")) {
                    let body = match method {
                        "POST" | "PUT" => read_json(&request, &mut reader),
                        _ => Ok(Value::Null),
                    };
                    body.and_then(|body| self.change(method, id.first().copied(), &body))
                } else {
                    Ok((401, json!({ "error": "No such token" })))
                }
            }
            _ => Err(format!("{} {}", request.method, request.path)),
        };
        let (status, body) = result.unwrap_or_else(|fault| {
            self.state().faults.push(fault.clone());
            (400, json!({ "error": fault }))
        });
        self.changed.notify_all();
        let body = if status == 204 { String::new() } else { body.to_string() };
        let head = format!(
            "HTTP/1.1 {status} -\r\nConnection: close\r\nContent-Length: {}\r\n\r\n",
            body.len()
        );
        // Whoever has left does not hear it.
        let _ = (&*connection).write_all((head + &body).as_bytes());
    }

    /// Engines of the account: `/api/external-engine` and `/api/external-engine/{id}`.
    fn change(&self, method: &str, id: Option<&str>, body: &Value) -> Result<(u16, Value), String> {
        let mut state = self.state();
        match (method, id) {
            ("GET", None) => {
                let engines = state.engines.iter().map(|(id, engine)| shown(id, engine));
                Ok((200, engines.collect()))
            }
            ("POST", None) => {
                check_registration(body)?;
                state.created += 1;
                let id = format!("eei_{}", state.created);
                state.engines.insert(id.clone(), body.clone());
                Ok((200, shown(&id, body)))
            }
            ("PUT", Some(id)) if state.engines.contains_key(id) => {
                check_registration(body)?;
                state.engines.insert(id.to_owned(), body.clone());
                Ok((200, shown(id, body)))
            }
            ("DELETE", Some(id)) if state.engines.remove(id).is_some() => {
                Ok((200, json!({ "ok": true })))
            }
            _ => Err(format!("{method} {id:?}")),
        }
    }

    /// A request for work, kept waiting for a while.
    fn acquire(&self, body: &Value) -> Result<(u16, Value), String> {
        let secret = body["providerSecret"].as_str().ok_or("no providerSecret")?;
        let end = Instant::now() + LONG_POLL;
        let mut state = self.state();
        loop {
            let known = state.engines.iter().find(|(_, engine)| engine["providerSecret"] == secret);
            let Some((id, engine)) = known else { return Err("an unknown secret".into()) };
            let engine = shown(id, engine);
            if let Some((id, work)) = state.queue.pop_front() {
                return Ok((200, json!({ "id": id, "work": work, "engine": engine })));
            }
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok((204, Value::Null));
            }
            state = self.changed.wait_timeout(state, left).expect("nobody panics").0;
        }
    }

    /// The answer to a request for analysis, line by line as it comes.
    fn stream(
        &self,
        id: &str,
        request: &Request,
        reader: &mut impl BufRead,
        connection: &TcpStream,
    ) -> Result<(u16, Value), String> {
        if request.headers.get("content-type").map(String::as_str) != Some("text/plain") {
            return Err(format!("the headers {:?}", request.headers));
        }
        if !self.state().answers.contains_key(id) {
            return Err(format!("an answer to {id}, which nobody asked for"));
        }
        let connection = connection.try_clone().map_err(|error| error.to_string())?;
        self.stream_of(id, |stream| stream.connection = Some(connection));
        let mut pending = String::new();
        // A connection that breaks ends the answer as well.
        while let Ok(chunk) = read_chunk(reader) {
            if chunk.is_empty() {
                break;
            }
            pending.push_str(&String::from_utf8_lossy(&chunk));
            while let Some((line, rest)) = pending.split_once('\n') {
                let (line, rest) = (line.to_owned(), rest.to_owned());
                self.stream_of(id, |stream| stream.lines.push(line));
                pending = rest;
            }
        }
        self.stream_of(id, |stream| stream.is_done = true);
        Ok((200, Value::Null))
    }

    fn stream_of(&self, id: &str, change: impl FnOnce(&mut Stream)) {
        change(self.state().answers.entry(id.to_owned()).or_default());
        self.changed.notify_all();
    }
}

/// `ExternalEngine`: what a registration becomes, without the provider's secret.
fn shown(id: &str, registration: &Value) -> Value {
    let mut engine = registration.clone();
    engine.as_object_mut().expect("it was checked").remove("providerSecret");
    engine["id"] = id.into();
    engine["clientSecret"] = "ees_secret".into();
    engine["userId"] = "bobby".into();
    engine
}

/// `ExternalEngineRegistration`.
fn check_registration(body: &Value) -> Result<(), String> {
    let length = |name: &str| body[name].as_str().map_or(0, str::len);
    let number = |name: &str| body[name].as_u64().unwrap_or(0);
    let variants = body["variants"].as_array().map_or(&[][..], Vec::as_slice);
    let is_right = (3..=200).contains(&length("name"))
        && (16..=1024).contains(&length("providerSecret"))
        && (1..=65_536).contains(&number("maxThreads"))
        && (1..=1_048_576).contains(&number("maxHash"))
        && variants.iter().all(|variant| variant == "chess");
    if is_right { Ok(()) } else { Err(format!("the registration {body}")) }
}

fn read_head(reader: &mut impl BufRead) -> Option<Request> {
    let mut line = || {
        let mut line = String::new();
        reader.read_line(&mut line).ok().filter(|&count| count > 0)?;
        Some(line.trim_end().to_owned())
    };
    let first = line()?;
    let mut words = first.split(' ').map(str::to_owned);
    let (method, path) = (words.next()?, words.next()?);
    let mut headers = HashMap::new();
    while let Some(line) = line().filter(|line| !line.is_empty()) {
        let (name, value) = line.split_once(':')?;
        headers.insert(name.to_lowercase(), value.trim().to_owned());
    }
    Some(Request { method, path, headers })
}

fn read_json(request: &Request, reader: &mut impl BufRead) -> Result<Value, String> {
    if request.headers.get("content-type").map(String::as_str) != Some("application/json") {
        return Err(format!("the headers {:?}", request.headers));
    }
    let length = request.headers.get("content-length").and_then(|text| text.parse().ok());
    let mut body = vec![0; length.ok_or("no length")?];
    reader.read_exact(&mut body).map_err(|error| error.to_string())?;
    serde_json::from_slice(&body).map_err(|error| error.to_string())
}

/// One piece of a body of unknown length; the last is empty.
fn read_chunk(reader: &mut impl BufRead) -> Result<Vec<u8>, String> {
    let mut line = String::new();
    reader.read_line(&mut line).map_err(|error| error.to_string())?;
    let length = usize::from_str_radix(line.trim(), 16).map_err(|error| error.to_string())?;
    let mut chunk = vec![0; length + 2];
    reader.read_exact(&mut chunk).map_err(|error| error.to_string())?;
    chunk.truncate(length);
    Ok(chunk)
}
