//! Writing files so that a half-written one never has the final name.

use std::io::Write;
use std::path::{Path, PathBuf};

use engine::whole::{self, WholeFile};

use crate::Error;

/// A file that gets its name when it is finished. Dropped before that, it is deleted.
pub struct Output {
    path: PathBuf,
    file: WholeFile,
}

impl Output {
    /// Begins a file.
    ///
    /// # Errors
    /// When it cannot be created.
    pub fn create(path: &Path) -> Result<Self, Error> {
        let file = WholeFile::create(path).map_err(Error::file(path))?;
        Ok(Self { path: path.to_path_buf(), file })
    }

    /// Appends bytes.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.file.write_all(bytes).map_err(Error::file(&self.path))
    }

    /// Writes what is buffered and gives the file its name.
    ///
    /// # Errors
    /// When it cannot be written or renamed.
    pub fn finish(self) -> Result<(), Error> {
        self.file.finish().map_err(Error::file(&self.path))
    }
}

/// Writes a whole file, replacing an older one only when the new one is complete.
///
/// # Errors
/// When it cannot be written.
pub fn write_file(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    whole::write(path, bytes).map_err(Error::file(path))
}
