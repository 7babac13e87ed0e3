//! What the tests of files share.
#![allow(dead_code, reason = "not every test uses everything")]

use std::fs;
use std::path::{Path, PathBuf};

use batch::analyse::{AnalyseArgs, Streams, analyse};
use batch::merge::{MergeArgs, merge};
use clap::Parser;

#[derive(Parser)]
#[command(args_override_self = true)]
struct AnalyseLine {
    #[command(flatten)]
    args: AnalyseArgs,
}

#[derive(Parser)]
struct MergeLine {
    #[command(flatten)]
    args: MergeArgs,
}

/// What a run has said.
pub(crate) struct Said {
    pub(crate) results: String,
    pub(crate) messages: String,
    pub(crate) outcome: Result<(), String>,
}

/// Runs `analyse` with few nodes.
pub(crate) fn run(arguments: &[&str]) -> Said {
    let words =
        [&["analyse", "--nodes", "300", "--hash", "1", "--threads", "2"], arguments].concat();
    let args = AnalyseLine::try_parse_from(words).expect("sound arguments").args;
    listen(|streams| analyse(&args, "Halcyon of the tests", streams))
}

/// What a sound run of `analyse` writes to a file.
pub(crate) fn analysed(scratch: &Scratch, name: &str, arguments: &[&str]) -> Vec<u8> {
    let target = scratch.path(name);
    let said = run(&[arguments, &["--out", &target]].concat());
    assert_eq!(said.outcome, Ok(()), "{}", said.messages);
    scratch.read(name)
}

/// What a run says, and how it ends.
pub(crate) fn listen(run: impl FnOnce(Streams<'_>) -> Result<(), batch::Error>) -> Said {
    let (mut results, mut messages) = (Vec::new(), Vec::new());
    let streams = Streams { results: &mut results, messages: &mut messages };
    let outcome = run(streams).map_err(|error| error.to_string());
    Said {
        results: String::from_utf8(results).unwrap(),
        messages: String::from_utf8(messages).unwrap(),
        outcome,
    }
}

pub(crate) fn run_merge(arguments: &[&str]) -> Result<(), String> {
    let args = MergeLine::try_parse_from([&["merge"], arguments].concat()).expect("sound").args;
    merge(&args).map(drop).map_err(|error| error.to_string())
}

pub(crate) fn data(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name);
    path.to_string_lossy().into_owned()
}

/// A folder that is gone when the test is over.
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    pub(crate) fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("halcyon-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub(crate) fn path(&self, name: &str) -> String {
        self.0.join(name).to_string_lossy().into_owned()
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.0.join(name)).unwrap()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
