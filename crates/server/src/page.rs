//! The files of the page, embedded when the program was built.

/// One file.
#[derive(Debug)]
pub(crate) struct File {
    /// Where it is served.
    pub(crate) path: &'static str,
    /// Its content type.
    pub(crate) kind: &'static str,
    /// Its content.
    pub(crate) body: &'static [u8],
}

/// All files, or why they could not be built.
pub(crate) const FILES: Result<&[File], &str> = include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// The file at a path.
pub(crate) fn file(path: &str) -> Option<&'static File> {
    FILES.ok()?.iter().find(|file| file.path == path)
}
