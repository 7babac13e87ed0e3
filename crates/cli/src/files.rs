//! Files that a command names: regular ones, of a size that makes sense.
//!
//! A pipe would keep the engine waiting for ever, and a device like `/dev/zero` has no end.

use std::fs::{self, File};
use std::io;
use std::path::Path;

/// The largest file that is read into memory at once.
pub const MAX_FILE: u64 = 1 << 30;

/// Refuses everything but a regular file of at most [`MAX_FILE`] bytes.
///
/// # Errors
/// Says what is wrong with the file.
pub fn check_regular(path: &Path) -> Result<(), String> {
    let metadata = fs::metadata(path).map_err(|error| reason(&error))?;
    if metadata.is_dir() {
        return Err(String::from("is a folder"));
    }
    if !metadata.is_file() {
        return Err(String::from("is not a regular file"));
    }
    if metadata.len() > MAX_FILE {
        return Err(format!("is larger than {} MiB", MAX_FILE >> 20));
    }
    Ok(())
}

/// Reads a regular file.
///
/// # Errors
/// Says why it cannot be read.
pub fn read(path: &Path) -> Result<Vec<u8>, String> {
    check_regular(path)?;
    fs::read(path).map_err(|error| reason(&error))
}

/// Opens a regular file to add to it, or makes one.
///
/// # Errors
/// Says why it cannot be written.
pub fn append(path: &Path) -> Result<File, String> {
    if path.exists() && !path.is_file() {
        return Err(String::from("is not a regular file"));
    }
    let opened = fs::OpenOptions::new().create(true).append(true).open(path);
    opened.map_err(|error| reason(&error))
}

/// Why something cannot be read or written, as people say it.
#[must_use]
pub fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => String::from("no such file"),
        kind => kind.to_string(),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn pipes_devices_and_folders_are_refused_without_being_opened() {
        let folder = std::env::temp_dir().join(format!("halcyon-files-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let pipe = folder.join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
        assert!(made.success());
        for path in [pipe.as_path(), folder.as_path(), Path::new("/dev/zero")] {
            assert!(read(path).is_err() && append(path).is_err(), "{}", path.display());
        }
        assert_eq!(read(&folder.join("missing")).unwrap_err(), "no such file");
        fs::remove_dir_all(&folder).unwrap();
    }
}
