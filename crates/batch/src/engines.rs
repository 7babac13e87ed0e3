//! Engines as the command line asks for them.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use engine::{Engine, Limits, Network, Tablebases};

use crate::Error;

/// The most lines that can be asked for.
pub(crate) const MAX_MULTIPV: usize = 256;

/// What may be spent on a position.
#[derive(Clone, Copy, Debug, Args)]
#[group(multiple = false)]
pub struct BudgetArgs {
    /// Nodes for each position: the same answers every time
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Depth for each position
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Milliseconds for each position
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    movetime: Option<u64>,
}

/// What may be spent on a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// Time for each position.
    Time(Duration),
    /// Nodes for each position.
    Nodes(u64),
    /// A depth to reach in each position.
    Depth(u32),
}

impl BudgetArgs {
    /// What was asked for, if anything was.
    #[must_use]
    pub fn budget(self) -> Option<Budget> {
        let time = |milliseconds| Budget::Time(Duration::from_millis(milliseconds));
        let nodes = self.nodes.map(Budget::Nodes);
        nodes.or(self.depth.map(Budget::Depth)).or(self.movetime.map(time))
    }
}

impl Budget {
    /// The budget in words.
    #[must_use]
    pub fn describe(self) -> String {
        match self {
            Self::Time(time) => format!("{} ms a position", time.as_millis()),
            Self::Nodes(nodes) => format!("{nodes} nodes a position"),
            Self::Depth(depth) => format!("depth {depth}"),
        }
    }

    /// One `divisor`-th of the budget; a depth loses one ply for each doubling.
    #[must_use]
    pub fn part(self, divisor: u64) -> Self {
        let divisor = divisor.max(1);
        match self {
            Self::Time(time) => Self::Time(
                (time / u32::try_from(divisor).unwrap_or(u32::MAX)).max(Duration::from_millis(1)),
            ),
            Self::Nodes(nodes) => Self::Nodes((nodes / divisor).max(1)),
            Self::Depth(depth) => Self::Depth(depth.saturating_sub(divisor.ilog2()).max(1)),
        }
    }

    /// The budget as the engine takes it.
    #[must_use]
    pub fn limits(self) -> Limits {
        match self {
            Self::Time(time) => Limits { move_time: Some(time), ..Limits::default() },
            Self::Nodes(nodes) => Limits::nodes(nodes),
            Self::Depth(depth) => Limits::depth(depth.try_into().unwrap_or(i32::MAX)),
        }
    }
}

/// How this engine is set up.
#[derive(Clone, Debug)]
pub struct EngineConfig {
    /// Threads of a search.
    pub threads: usize,
    /// Transposition table in MiB.
    pub hash: usize,
    /// A network file; without one the engine uses what it has.
    pub network: Option<PathBuf>,
    /// Folders with Syzygy tablebases, separated as the system separates paths.
    pub syzygy: Option<String>,
}

impl EngineConfig {
    /// The engine.
    ///
    /// # Errors
    /// If there is no memory, there are not so many threads, or the network cannot be read.
    pub fn engine(&self) -> Result<Engine, Error> {
        let mut engine = Engine::new();
        let threads = engine.set_threads(self.threads);
        threads.map_err(|error| Error::Request(format!("{} threads: {error}", self.threads)))?;
        engine.set_hash(self.hash).map_err(|error| Error::Request(error.to_string()))?;
        engine.settings_mut().move_overhead = Duration::ZERO;
        if let Some(path) = &self.network {
            let bytes = crate::paths::read_whole(path)?;
            let network = Network::from_bytes(&bytes)
                .map_err(|error| Error::content(path, error.to_string()))?;
            engine.set_network(network.into());
        }
        if let Some(folders) = &self.syzygy {
            engine.set_tablebases(Some(open_tablebases(folders)?));
        }
        Ok(engine)
    }
}

/// Opens the Syzygy tablebases in folders, separated as the system separates paths.
///
/// # Errors
/// If there are none.
pub fn open_tablebases(folders: &str) -> Result<Arc<Tablebases>, Error> {
    let tables = Tablebases::open(folders);
    tables.map(Arc::new).map_err(|error| Error::Request(format!("--syzygy: {error}")))
}
