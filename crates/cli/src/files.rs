//! Files that a command names: regular ones, of a size that makes sense.
//!
//! A pipe would keep the engine waiting for ever, and a device like `/dev/zero` has no end.

use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;

pub use atomic_file::reason;

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

/// Adds lines to a regular file, or makes one. If the last line there has no end it gets one, and an empty
/// line after it.
///
/// # Errors
/// Says why it cannot be written.
pub fn append_lines(path: &Path, text: &str) -> Result<(), String> {
    let is_new = !path.exists();
    let mut file = append(path)?;
    if text.is_empty() {
        // Only a test whether it can be written leaves nothing behind.
        return if is_new { fs::remove_file(path).map_err(|error| reason(&error)) } else { Ok(()) };
    }
    let gap = if ends_within_a_line(path) { "\n\n" } else { "" };
    file.write_all(format!("{gap}{text}").as_bytes()).map_err(|error| reason(&error))
}

fn ends_within_a_line(path: &Path) -> bool {
    let last = || {
        let mut file = File::open(path).ok()?;
        file.seek(SeekFrom::End(-1)).ok()?;
        let mut byte = [0];
        file.read_exact(&mut byte).ok()?;
        Some(byte[0])
    };
    last().is_some_and(|byte| byte != b'\n')
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
