//! Writing files so that a half-written one never has the final name.

use std::io::Write;
use std::path::{Path, PathBuf};

use atomic_file::AtomicFile;
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::Error;

/// A file that gets its name when it is finished. Dropped before that, it is deleted. A name that
/// ends in `.gz` makes it a compressed one.
pub struct Output {
    path: PathBuf,
    file: Form,
}

enum Form {
    Plain(AtomicFile),
    Compressed(GzEncoder<AtomicFile>),
}

impl Output {
    /// Begins a file.
    ///
    /// # Errors
    /// When it cannot be created.
    pub fn create(path: &Path) -> Result<Self, Error> {
        let file = AtomicFile::create(path).map_err(Error::file(path))?;
        let file = match path.extension() {
            Some(end) if end == "gz" => {
                Form::Compressed(GzEncoder::new(file, Compression::default()))
            }
            _ => Form::Plain(file),
        };
        Ok(Self { path: path.to_path_buf(), file })
    }

    /// Appends bytes.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), Error> {
        match &mut self.file {
            Form::Plain(file) => file.write_all(bytes),
            Form::Compressed(file) => file.write_all(bytes),
        }
        .map_err(Error::file(&self.path))
    }

    /// Writes what is buffered and gives the file its name.
    ///
    /// # Errors
    /// When it cannot be written or renamed.
    pub fn finish(self) -> Result<(), Error> {
        match self.file {
            Form::Plain(file) => file.finish(),
            Form::Compressed(file) => file.finish().and_then(AtomicFile::finish),
        }
        .map_err(Error::file(&self.path))
    }
}

/// Writes a whole file, replacing an older one only when the new one is complete.
///
/// # Errors
/// When it cannot be written.
pub fn write_file(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    atomic_file::write(path, bytes).map_err(Error::file(path))
}
