//! Writing files so that a half-written one never has the final name.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::Error;

/// A file that gets its name when it is finished. Dropped before that, it is deleted.
pub struct Output {
    path: PathBuf,
    partial: PathBuf,
    writer: Option<BufWriter<File>>,
}

impl Output {
    /// Begins a file.
    ///
    /// # Errors
    /// When it cannot be created.
    pub fn create(path: &Path) -> Result<Self, Error> {
        let mut name = path.as_os_str().to_owned();
        name.push(".partial");
        let partial = PathBuf::from(name);
        let file = File::create(&partial).map_err(Error::file(&partial))?;
        let writer = Some(BufWriter::with_capacity(1 << 18, file));
        Ok(Self { path: path.to_path_buf(), partial, writer })
    }

    /// Appends bytes.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), Error> {
        match &mut self.writer {
            Some(writer) => writer.write_all(bytes).map_err(Error::file(&self.partial)),
            None => Ok(()),
        }
    }

    /// Writes what is buffered and gives the file its name.
    ///
    /// # Errors
    /// When it cannot be written or renamed.
    pub fn finish(mut self) -> Result<(), Error> {
        if let Some(writer) = self.writer.take() {
            let file = writer
                .into_inner()
                .map_err(|error| Error::file(&self.partial)(error.into_error()))?;
            file.sync_all().map_err(Error::file(&self.partial))?;
        }
        fs::rename(&self.partial, &self.path).map_err(Error::file(&self.path))
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        if self.writer.take().is_some() {
            // Nobody is left to tell if this fails, and the name says what the file is.
            let _ = fs::remove_file(&self.partial);
        }
    }
}

/// Writes a whole file, replacing an older one only when the new one is complete.
///
/// # Errors
/// When it cannot be written.
pub fn write_file(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let mut output = Output::create(path)?;
    output.write(bytes)?;
    output.finish()
}
