//! A server of its own for each test, and the two ways to talk to it.

use std::io::{Read, Write};
use std::net::TcpStream as Stream;
use std::sync::mpsc;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use server::{Options, start};
use tokio::net::TcpStream;
use tokio::runtime::Runtime;
use tokio::sync::oneshot;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

pub(crate) const TOKEN: &str = "0123456789abcdef";

/// A server that ends with the test.
pub(crate) struct Server {
    pub(crate) port: u16,
    end: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

/// Small, so that many tests fit on a machine.
pub(crate) fn options() -> Options {
    Options { port: Some(0), token: Some(TOKEN.into()), engines: 1, hash: 4, ..Options::default() }
}

impl Server {
    pub(crate) fn new() -> Self {
        Self::with(options())
    }

    pub(crate) fn with(options: Options) -> Self {
        let (end, ended) = oneshot::channel::<()>();
        let (address, addresses) = mpsc::channel();
        let thread = thread::spawn(move || {
            let server = start(&options).expect("a page and a free port");
            address.send(server.url().to_owned()).unwrap();
            let end = async {
                let _ = ended.await;
            };
            server.run_until(end).unwrap();
        });
        let url = addresses.recv().expect("the server starts");
        let port = url.split(['/', ':']).nth(4).unwrap().parse().unwrap();
        Self { port, end: Some(end), thread: Some(thread) }
    }

    /// Ends the server and waits for it.
    pub(crate) fn close(&mut self) {
        drop(self.end.take());
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap();
        }
    }

    /// Sends a request of raw HTTP and gives the whole response.
    pub(crate) fn http(&self, request: &str) -> String {
        let mut stream = Stream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        stream.write_all(request.replace("PORT", &self.port.to_string()).as_bytes()).unwrap();
        let mut response = Vec::new();
        let _ = stream.read_to_end(&mut response);
        String::from_utf8_lossy(&response).into_owned()
    }

    /// Fetches a path as a browser does that has the cookie.
    pub(crate) fn get(&self, path: &str) -> String {
        let cookie = format!("halcyon-PORT={TOKEN}");
        self.http(&format!(
            "GET {path} HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nCookie: {cookie}\r\n\
             Connection: close\r\n\r\n"
        ))
    }

    pub(crate) fn page(&self) -> Page {
        Page::open(self.port).expect("a page with the token is let in")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.close();
    }
}

/// A page, without the page.
pub(crate) struct Page {
    runtime: Runtime,
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
}

impl Page {
    pub(crate) fn open(port: u16) -> Result<Self, Error> {
        Self::open_with(port, &[])
    }

    pub(crate) fn open_with(port: u16, headers: &[(&'static str, String)]) -> Result<Self, Error> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let url = format!("ws://127.0.0.1:{port}/api/v1/socket?token={TOKEN}");
        let mut request = url.into_client_request()?;
        for (name, value) in headers {
            request.headers_mut().insert(*name, value.parse().unwrap());
        }
        let (socket, _) = runtime.block_on(connect_async(request))?;
        let mut page = Self { runtime, socket };
        let hello = page.hear().expect("a greeting");
        assert_eq!((&hello["type"], &hello["protocol"]), (&json!("hello"), &json!(2)));
        Ok(page)
    }

    pub(crate) fn say(&mut self, message: &Value) {
        self.say_text(&message.to_string());
    }

    pub(crate) fn say_text(&mut self, text: &str) {
        let message = Message::text(text.to_owned());
        // A server that has closed the connection is noticed by whoever listens next.
        let _ = self.runtime.block_on(self.socket.send(message));
    }

    /// The next message; none if the server has gone.
    pub(crate) fn hear(&mut self) -> Option<Value> {
        let socket = &mut self.socket;
        self.runtime.block_on(async {
            loop {
                match socket.next().await?.ok()? {
                    Message::Text(text) => return serde_json::from_str(&text).ok(),
                    Message::Close(_) => return None,
                    _ => {}
                }
            }
        })
    }

    /// The next message of a kind.
    pub(crate) fn hear_of(&mut self, kind: &str) -> Value {
        self.hear_until(|message| message["type"] == kind)
    }

    /// The next message that fits.
    pub(crate) fn hear_until(&mut self, fits: impl Fn(&Value) -> bool) -> Value {
        loop {
            let message = self.hear().expect("the server still talks");
            if fits(&message) {
                return message;
            }
        }
    }

    /// Asks and gives the answer.
    pub(crate) fn ask(&mut self, message: &Value) -> Value {
        self.say(message);
        self.hear_until(|answer| answer["id"] == message["id"])
    }
}
