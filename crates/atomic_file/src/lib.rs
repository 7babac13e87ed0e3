//! Files that are written completely or not at all.

#![forbid(unsafe_code)]

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// A file that gets its name when it is finished. Dropped before that, nothing of it is left, and
/// what had the name before still has it.
pub struct AtomicFile {
    target: PathBuf,
    /// Its name until it is finished; none if it is a pipe or a device, which has no other name.
    unfinished: Option<PathBuf>,
    writer: BufWriter<File>,
    is_finished: bool,
}

impl AtomicFile {
    /// Begins a file.
    ///
    /// # Errors
    /// If it cannot be created.
    pub fn create(path: &Path) -> io::Result<Self> {
        // A link stays a link: what it leads to is replaced.
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
        let is_special = fs::metadata(&target).is_ok_and(|known| !known.is_file());
        let unfinished = (!is_special).then(|| unfinished(&target));
        let file = match &unfinished {
            Some(unfinished) => File::create_new(unfinished)?,
            None => File::create(&target)?,
        };
        Ok(Self {
            target,
            unfinished,
            writer: BufWriter::with_capacity(1 << 18, file),
            is_finished: false,
        })
    }

    /// Writes what is left and gives the file its name.
    ///
    /// # Errors
    /// If it cannot be written or renamed.
    pub fn finish(mut self) -> io::Result<()> {
        self.writer.flush()?;
        if let Some(unfinished) = &self.unfinished {
            self.writer.get_ref().sync_all()?;
            fs::rename(unfinished, &self.target)?;
        }
        self.is_finished = true;
        Ok(())
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

impl Drop for AtomicFile {
    fn drop(&mut self) {
        if let (Some(unfinished), false) = (&self.unfinished, self.is_finished) {
            // Nobody is left to tell if this fails, and the name says what the file is.
            let _ = fs::remove_file(unfinished);
        }
    }
}

/// Writes a whole file.
///
/// # Errors
/// If it cannot be written; then what was there before is still there.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = AtomicFile::create(path)?;
    file.write_all(bytes)?;
    file.finish()
}

/// Why a file cannot be read or written, as people say it.
#[must_use]
pub fn reason(error: &io::Error) -> String {
    if error.kind() == io::ErrorKind::NotFound {
        return String::from("no such file");
    }
    let text = error.to_string();
    let Some((text, _)) = text.split_once(" (os error ") else { return text };
    // What the system says begins with a capital letter, as if it stood alone.
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}

/// The name of a file until it is whole: one that no other file has, and no other process uses.
#[must_use]
pub fn unfinished(target: &Path) -> PathBuf {
    let process = std::process::id();
    for number in 0_u32.. {
        let mut name = target.as_os_str().to_owned();
        name.push(format!(".{process}-{number}.unfinished"));
        let path = PathBuf::from(name);
        if !path.exists() && !path.is_symlink() {
            return path;
        }
    }
    target.with_extension("unfinished")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("halcyon-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    #[test]
    fn a_file_is_there_whole_or_as_it_was() {
        let folder = folder("whole");
        let path = folder.join("report.html");
        write(&path, b"old").unwrap();
        let mut file = AtomicFile::create(&path).unwrap();
        file.write_all(b"half of the new").unwrap();
        file.flush().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"old");
        drop(file);
        assert_eq!(fs::read(&path).unwrap(), b"old");
        write(&path, b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "nothing else is left");
        assert!(write(&folder.join("nowhere/file"), b"").is_err());
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_file_of_two_names_stays_whole_under_the_other() {
        let folder = folder("names");
        let (games, output) = (folder.join("games.pgn"), folder.join("output.pgn"));
        fs::write(&games, "old").unwrap();
        fs::hard_link(&games, &output).unwrap();
        write(&output, b"new").unwrap();
        assert_eq!(fs::read(&games).unwrap(), b"old");
        assert_eq!(fs::read(&output).unwrap(), b"new");
        fs::remove_dir_all(&folder).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_and_devices_are_not_replaced() {
        let folder = folder("links");
        let (link, real) = (folder.join("link"), folder.join("real"));
        fs::write(&real, "old").unwrap();
        std::os::unix::fs::symlink(&real, &link).unwrap();
        write(&link, b"new").unwrap();
        assert!(link.is_symlink());
        assert_eq!(fs::read(&real).unwrap(), b"new");
        let null = Path::new("/dev/null");
        write(null, b"away").unwrap();
        assert!(!fs::metadata(null).unwrap().is_file());
        assert!(!unfinished(null).exists());
        fs::remove_dir_all(&folder).unwrap();
    }
}
