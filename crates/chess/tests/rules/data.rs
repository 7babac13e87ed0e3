//! Files the tests read.

use std::fs;
use std::path::{Path, PathBuf};

/// The repository's own test data.
pub(crate) fn own(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data").join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The folder of public collections, if there is one.
fn shared() -> Option<PathBuf> {
    let folder = std::env::var_os("HALCYON_DATA").map(PathBuf::from);
    if folder.is_none() {
        eprintln!("skipped: no data (HALCYON_DATA is not set)");
    }
    folder
}

/// A file of the public collections.
pub(crate) fn shared_file(name: &str) -> Option<String> {
    let path = shared()?.join(name);
    Some(fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display())))
}

/// All files of a folder of the public collections whose names end in `.epd`.
pub(crate) fn shared_epd_files(folder: &str) -> Option<Vec<(String, String)>> {
    let path = shared()?.join(folder);
    let entries = fs::read_dir(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut files = Vec::new();
    for entry in entries {
        let path = entry.expect("the folder can be listed").path();
        if path.extension().is_some_and(|extension| extension == "epd") {
            let name = path.file_name().expect("a file").to_string_lossy().into_owned();
            files.push((name, fs::read_to_string(&path).expect("the file can be read")));
        }
    }
    files.sort();
    Some(files)
}
