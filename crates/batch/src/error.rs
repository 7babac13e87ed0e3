//! What can go wrong, in words for the user.

use std::path::{Path, PathBuf};
use std::{fmt, io};

/// Why a task could not be done.
#[derive(Debug)]
pub enum Error {
    /// A file could not be read or written.
    File {
        /// Which file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The content of a file is not what it should be.
    Content {
        /// Which file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The request itself makes no sense.
    Request(String),
}

impl Error {
    /// Says that the content of a file is not what it should be.
    pub fn content(path: &Path, reason: impl Into<String>) -> Self {
        Self::Content { path: path.to_path_buf(), reason: reason.into() }
    }

    /// For `map_err`: ties an I/O error to its file.
    pub fn file(path: &Path) -> impl FnOnce(io::Error) -> Self + use<> {
        let path = path.to_path_buf();
        move |source| Self::File { path, source }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File { path, source } => write!(f, "{}: {source}", path.display()),
            Self::Content { path, reason } => write!(f, "{}: {reason}", path.display()),
            Self::Request(reason) => f.write_str(reason),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::File { source, .. } => Some(source),
            Self::Content { .. } | Self::Request(_) => None,
        }
    }
}
