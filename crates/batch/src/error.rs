//! What can go wrong, in words for the user.

use std::path::{Path, PathBuf};
use std::{fmt, io};

/// Why a task could not be done.
#[derive(Debug)]
pub enum Error {
    /// A file could not be read or written.
    File {
        /// The file that it is about.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The content of a file is not what it should be.
    Content {
        /// The file that it is about.
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
            Self::File { path, source } => {
                let reason = atomic_file::reason(source);
                f.write_str(&printable(&format!("{}: {reason}", path.display())))
            }
            Self::Content { path, reason } => {
                f.write_str(&printable(&format!("{}: {reason}", path.display())))
            }
            Self::Request(reason) => f.write_str(&printable(reason)),
        }
    }
}

/// Text from files and other programs as people may see it: control characters, which could steer a
/// terminal, are written out; line ends and tabs stay.
#[must_use]
pub fn printable(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    for letter in text.chars() {
        if letter.is_control() && !matches!(letter, '\n' | '\t') {
            clean.extend(letter.escape_default());
        } else {
            clean.push(letter);
        }
    }
    clean
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::File { source, .. } => Some(source),
            Self::Content { .. } | Self::Request(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_cannot_steer_a_terminal() {
        let error = Error::Request(String::from("player \u{1b}[2J\u{7}x\n"));
        assert_eq!(error.to_string(), "player \\u{1b}[2J\\u{7}x\n");
        assert_eq!(printable("a\u{9b}b"), "a\\u{9b}b");
        let missing = Error::file(Path::new("x"))(io::ErrorKind::NotFound.into());
        assert_eq!(missing.to_string(), "x: no such file");
    }
}
