//! How to serve the board, and why it cannot be served.

use std::fmt;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use board::Bounds;
use board::protocol::Resources;
use engine::Tablebases;
use review::Book;

use crate::guard::MIN_PUBLIC_TOKEN;

/// The port that is tried first, after the 960 start positions of Chess960.
pub const DEFAULT_PORT: u16 = 8960;

/// The environment variable that a token is read from, where arguments can be seen by other users.
pub const TOKEN_VARIABLE: &str = "HALCYON_TOKEN";

/// How to serve the board.
#[derive(Clone, Debug)]
pub struct Options {
    /// The address or name to listen at.
    pub host: String,
    /// The port; without one the usual port, or any free one if that is taken. 0 is any free port.
    pub port: Option<u16>,
    /// The token that opens the page. If none is given, that of the environment variable
    /// `HALCYON_TOKEN`; without one, a new one at each start.
    pub token: Option<String>,
    /// How many searches run at the same time.
    pub engines: usize,
    /// Threads of each search.
    pub threads: usize,
    /// MiB of transposition table for each search.
    pub hash: usize,
    /// How many pages may be open.
    pub clients: usize,
    /// An analysis ends when its page has asked for nothing this long.
    pub idle: Duration,
    /// An opening book that the engine plays from.
    pub book: Option<Book>,
    /// Tablebases that searches ask.
    pub tablebases: Option<Arc<Tablebases>>,
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
            tablebases: None,
        }
    }
}

/// All tables together may have this many MiB, if a page asks for large ones.
const ALL_TABLES: usize = 4096;

impl Options {
    /// What searches use, and what a page may ask for: as many threads as there are processors, and a
    /// table that leaves room for those of the other engines.
    pub(crate) fn bounds(&self) -> Bounds {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let most = Resources {
            threads: self.threads.max(processors),
            hash: self.hash.max(ALL_TABLES / self.engines.max(1)),
        };
        Bounds { usual: Resources { threads: self.threads, hash: self.hash }, most }
    }
}

/// Why the server cannot start.
#[derive(Debug)]
pub enum Problem {
    /// The page was not built; the reason.
    NoPage(&'static str),
    /// Other machines can reach the address, and there is no token.
    NeedsToken(SocketAddr),
    /// The token is shorter than this or has letters that an address cannot have.
    BadToken(usize),
    /// The name of the host is unknown.
    BadHost(String, io::Error),
    /// The address is in use or not of this machine.
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
                "others can reach {}, so it needs a token of {MIN_PUBLIC_TOKEN} letters or more: \
                 --token TOKEN, or better the environment variable {TOKEN_VARIABLE}",
                address.ip()
            ),
            Self::BadToken(shortest) => {
                write!(f, "a token has {shortest} to 200 letters, digits, `-` and `_` here")
            }
            Self::BadHost(host, error) => write!(f, "cannot find the host {host}: {error}"),
            Self::Address(address, error) => write!(f, "cannot listen at {address}: {error}"),
            Self::System(error) => write!(f, "cannot serve: {error}"),
        }
    }
}

impl std::error::Error for Problem {}
