//! Which files a command reads and writes, so that no input is ever overwritten.

use std::fs::{self, File, Metadata};
use std::io::Read;
use std::path::{Path, PathBuf};

use atomic_file::{AtomicFile, reason};

use crate::Error;

/// The name of standard input.
pub const STDIN: &str = "-";

/// Refuses outputs that are inputs under another name, that are each other, or that are links to
/// something the user has not named, before anything is opened for writing.
///
/// # Errors
/// Names the output and the input.
pub(crate) fn check_outputs(inputs: &[PathBuf], outputs: &[PathBuf]) -> Result<(), Error> {
    for (index, output) in outputs.iter().enumerate() {
        if let Some(input) = inputs.iter().find(|input| is_same_file(input, output)) {
            let reason = format!(
                "{} would overwrite the input {}",
                output.display(),
                if is_stdin(input) { "on standard input".into() } else { input.to_string_lossy() }
            );
            return Err(Error::Request(reason));
        }
        if outputs[..index].iter().any(|other| is_same_file(other, output)) {
            return Err(Error::Request(format!("{} is named twice", output.display())));
        }
        check_folder(output)?;
        check_writable(output)?;
    }
    Ok(())
}

/// Refuses an output that cannot be written, before hours are spent on what it is to hold. What has
/// the name already stays as it is.
fn check_writable(output: &Path) -> Result<(), Error> {
    // A pipe is opened once, by whoever writes to it.
    if fs::metadata(output).is_ok_and(|known| !known.is_file() && !known.is_dir()) {
        return Ok(());
    }
    let problem = if output.is_dir() {
        Some(String::from("it is a folder"))
    } else {
        AtomicFile::create(output).err().map(|error| reason(&error))
    };
    match problem {
        Some(problem) => Err(Error::content(output, format!("cannot be written: {problem}"))),
        None => Ok(()),
    }
}

/// Refuses an output in a folder that is not there: the user named the output, not the journal
/// beside it, which would be missed first.
fn check_folder(output: &Path) -> Result<(), Error> {
    match output.parent() {
        Some(folder) if !folder.as_os_str().is_empty() && !folder.is_dir() => {
            Err(Error::content(output, "its folder does not exist"))
        }
        _ => Ok(()),
    }
}

/// Refuses inputs that are not there, before any output is begun.
///
/// # Errors
/// Names the first one.
pub(crate) fn check_inputs(inputs: &[PathBuf]) -> Result<(), Error> {
    for input in inputs.iter().filter(|input| !is_stdin(input)) {
        let metadata = fs::metadata(input).map_err(Error::file(input))?;
        if metadata.is_dir() {
            return Err(Error::content(input, "is a folder"));
        }
    }
    Ok(())
}

/// The largest network, book, suite or report.
const MAX_BYTES: u64 = 1 << 28;

/// Reads a file that is needed as a whole. A device like `/dev/zero` has no end: what is too large is
/// refused.
///
/// # Errors
/// If it cannot be read.
pub(crate) fn read_whole(path: &Path) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(Error::file(path))?;
    file.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(Error::file(path))?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(Error::content(path, format!("is larger than {} MiB", MAX_BYTES >> 20)));
    }
    Ok(bytes)
}

/// Reads a file of text as [`read_whole`] does.
///
/// # Errors
/// If it cannot be read or is no text.
pub(crate) fn read_text(path: &Path) -> Result<String, Error> {
    String::from_utf8(read_whole(path)?).map_err(|_| Error::content(path, "is not UTF-8 text"))
}

fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == STDIN
}

/// Whether two names lead to the same file.
fn is_same_file(one: &Path, other: &Path) -> bool {
    if one == other {
        return true;
    }
    match (metadata(one), metadata(other)) {
        (Some(first), Some(second)) => same_node(&first, &second) || same_name(one, other),
        _ => false,
    }
}

/// What lies behind a name; behind `-` it is what standard input was redirected from.
fn metadata(path: &Path) -> Option<Metadata> {
    let path = if is_stdin(path) { Path::new("/dev/stdin") } else { path };
    fs::metadata(path).ok().filter(Metadata::is_file)
}

#[cfg(unix)]
fn same_node(one: &Metadata, other: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    one.dev() == other.dev() && one.ino() == other.ino()
}

/// Elsewhere a second name of an input (a hard link) is not known, and loses nothing: an output is written
/// beside it and takes the one name, and the input keeps the other.
#[cfg(not(unix))]
fn same_node(_: &Metadata, _: &Metadata) -> bool {
    false
}

fn same_name(one: &Path, other: &Path) -> bool {
    let full = |path: &Path| fs::canonicalize(path).ok();
    full(one).is_some_and(|one| full(other) == Some(one))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_file_is_known_under_every_name() {
        let folder = std::env::temp_dir().join(format!("halcyon-paths-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let file = folder.join("games.pgn");
        fs::write(&file, "*").unwrap();
        let inputs = [file.clone()];
        let dotted = folder.join(".").join("games.pgn");
        assert!(check_outputs(&inputs, &[dotted]).is_err());
        assert!(check_outputs(&inputs, &[folder.join("other.pgn")]).is_ok());
        let nowhere = folder.join("missing").join("out.pgn");
        let refusal = check_outputs(&inputs, &[nowhere]).unwrap_err().to_string();
        assert!(refusal.ends_with("out.pgn: its folder does not exist"), "{refusal}");
        let refusal = |path: &Path| check_outputs(&inputs, &[path.into()]).unwrap_err().to_string();
        assert!(refusal(&folder).ends_with("cannot be written: it is a folder"));
        #[cfg(target_os = "linux")]
        assert!(refusal(Path::new("/proc/out.pgn")).contains("cannot be written: "));
        let twice = [folder.join("a.pgn"), folder.join("a.pgn")];
        assert!(check_outputs(&inputs, &twice).is_err());
        #[cfg(unix)]
        {
            let (soft, hard) = (folder.join("soft.pgn"), folder.join("hard.pgn"));
            std::os::unix::fs::symlink(&file, &soft).unwrap();
            fs::hard_link(&file, &hard).unwrap();
            for name in [soft, hard] {
                assert!(check_outputs(&inputs, &[name]).is_err());
            }
        }
        assert!(check_inputs(&[folder.join("missing.pgn")]).is_err());
        assert!(check_inputs(std::slice::from_ref(&folder)).is_err());
        assert!(check_inputs(&inputs).is_ok());
        let mut names: Vec<_> =
            fs::read_dir(&folder).unwrap().map(|f| f.unwrap().file_name()).collect();
        names.sort();
        assert!(
            names.iter().all(|name| !name.to_string_lossy().contains("unfinished")),
            "{names:?}"
        );
        fs::remove_dir_all(&folder).unwrap();
    }
}
