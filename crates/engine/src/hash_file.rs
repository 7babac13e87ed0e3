//! The transposition table in a file, to go on with an analysis later.
//!
//! All numbers are little-endian.
//!
//! | offset | bytes | content |
//! |---|---|---|
//! | 0 | 8 | `HALCHASH` |
//! | 8 | 4 | version of the format |
//! | 12 | 4 | generation of the table |
//! | 16 | 8 | size of the table in MiB |
//! | 24 | 8 | fingerprint of evaluation and position keys |
//! | 32 | 8 | checksum of all other bytes |
//! | 40 | | the table |

use std::fmt;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use memory::AllocationError;

use crate::tt::TranspositionTable;
use atomic_file::AtomicFile;

const MAGIC: [u8; 8] = *b"HALCHASH";
const VERSION: u32 = 1;
const HEADER: usize = 40;
/// The largest table that is believed, in MiB.
const MAX_MEBIBYTES: u64 = 33_554_432;
/// Words read or written at a time.
const CHUNK: usize = 1 << 15;

/// Why a table was not saved or not loaded.
#[derive(Debug)]
pub enum HashFileError {
    /// The system said no.
    File(io::Error),
    /// Something else is in the file.
    Foreign,
    /// The file has another version of the format.
    Version(u32),
    /// The table was filled by another evaluation, or under other keys.
    OtherEvaluation,
    /// The file is longer or shorter than it says, or says it is larger than can be.
    Length,
    /// The file holds a table of another size than the one in use, both in MiB.
    Size {
        /// The size of the table in the file.
        file: u64,
        /// The size of the table in use.
        table: u64,
    },
    /// There is not enough memory for the table.
    Memory(AllocationError),
    /// The contents are not what was written.
    Damaged,
}

impl fmt::Display for HashFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(error) => error.kind().fmt(f),
            Self::Foreign => f.write_str("it is not a saved table"),
            Self::Version(version) => {
                write!(f, "it has format version {version}, understood is {VERSION}")
            }
            Self::OtherEvaluation => f.write_str("it was filled by another evaluation"),
            Self::Length => f.write_str("its length is wrong"),
            Self::Size { file, table } => write!(
                f,
                "it holds a table of {file} MiB and Hash is {table}; set Hash to {file} first"
            ),
            Self::Memory(error) => error.fmt(f),
            Self::Damaged => f.write_str("it is damaged"),
        }
    }
}

impl std::error::Error for HashFileError {}

impl From<io::Error> for HashFileError {
    fn from(error: io::Error) -> Self {
        Self::File(error)
    }
}

/// Mixes words into one, in order.
#[derive(Clone, Copy)]
pub(crate) struct Digest(u64);

impl Digest {
    pub(crate) fn new() -> Self {
        Self(0x9E37_79B9_7F4A_7C15)
    }

    pub(crate) fn add(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(0xD6E8_FEB8_6659_FD93).rotate_left(29);
    }

    pub(crate) fn value(self) -> u64 {
        self.0 ^ self.0 >> 32
    }
}

/// What stands before the table.
struct Header {
    generation: u32,
    mebibytes: u64,
    fingerprint: u64,
    checksum: u64,
}

impl Header {
    /// Begins the checksum with everything in the header that it covers.
    fn digest(&self) -> Digest {
        let mut digest = Digest::new();
        digest.add(u64::from(self.generation));
        digest.add(self.mebibytes);
        digest.add(self.fingerprint);
        digest
    }

    fn to_bytes(&self) -> [u8; HEADER] {
        let mut bytes = [0; HEADER];
        bytes[..8].copy_from_slice(&MAGIC);
        bytes[8..12].copy_from_slice(&VERSION.to_le_bytes());
        bytes[12..16].copy_from_slice(&self.generation.to_le_bytes());
        bytes[16..24].copy_from_slice(&self.mebibytes.to_le_bytes());
        bytes[24..32].copy_from_slice(&self.fingerprint.to_le_bytes());
        bytes[32..40].copy_from_slice(&self.checksum.to_le_bytes());
        bytes
    }

    fn from_bytes(bytes: &[u8; HEADER]) -> Result<Self, HashFileError> {
        let short =
            |at: usize| bytes[at..at + 4].iter().rev().fold(0, |n, &b| n << 8 | u32::from(b));
        let long = |at: usize| u64::from(short(at + 4)) << 32 | u64::from(short(at));
        if bytes[..8] != MAGIC {
            return Err(HashFileError::Foreign);
        }
        if short(8) != VERSION {
            return Err(HashFileError::Version(short(8)));
        }
        let (generation, mebibytes) = (short(12), long(16));
        Ok(Self { generation, mebibytes, fingerprint: long(24), checksum: long(32) })
    }
}

/// Writes the table to a file, all of it or nothing.
pub(crate) fn save(
    table: &TranspositionTable,
    fingerprint: u64,
    path: &Path,
) -> Result<(), HashFileError> {
    let mut file = AtomicFile::create(path)?;
    write(table, fingerprint, &mut file)?;
    Ok(file.finish()?)
}

fn write(table: &TranspositionTable, fingerprint: u64, file: &mut AtomicFile) -> io::Result<()> {
    let mut header = Header {
        generation: u32::from(table.generation()),
        mebibytes: table.mebibytes() as u64,
        fingerprint,
        checksum: 0,
    };
    let mut digest = header.digest();
    for word in table.words() {
        digest.add(word.load(Relaxed));
    }
    header.checksum = digest.value();
    file.write_all(&header.to_bytes())?;
    let mut words = table.words();
    let mut bytes = Vec::with_capacity(8 * CHUNK);
    loop {
        bytes.clear();
        let chunk = words.by_ref().take(CHUNK).map(|word| word.load(Relaxed).to_le_bytes());
        bytes.extend(chunk.flatten());
        if bytes.is_empty() {
            return Ok(());
        }
        file.write_all(&bytes)?;
    }
}

/// Reads a table of this size. Entries keep only a part of their keys, so a table of another size
/// cannot be filled with them.
pub(crate) fn load(
    fingerprint: u64,
    mebibytes: usize,
    path: &Path,
) -> Result<TranspositionTable, HashFileError> {
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    let mut bytes = [0; HEADER];
    file.read_exact(&mut bytes).map_err(|error| match error.kind() {
        io::ErrorKind::UnexpectedEof => HashFileError::Foreign,
        _ => HashFileError::File(error),
    })?;
    let header = Header::from_bytes(&bytes)?;
    if header.fingerprint != fingerprint {
        return Err(HashFileError::OtherEvaluation);
    }
    let sizes = 1..=MAX_MEBIBYTES;
    if !sizes.contains(&header.mebibytes) || length != HEADER as u64 + (header.mebibytes << 20) {
        return Err(HashFileError::Length);
    }
    if header.mebibytes != mebibytes as u64 {
        return Err(HashFileError::Size { file: header.mebibytes, table: mebibytes as u64 });
    }
    let bytes = usize::try_from(header.mebibytes << 20).map_err(|_| HashFileError::Length)?;
    if memory::available().is_some_and(|available| bytes as u64 > available) {
        return Err(HashFileError::Memory(AllocationError { bytes }));
    }
    let table = TranspositionTable::new(bytes >> 20).map_err(HashFileError::Memory)?;
    table.set_generation(header.generation as u8);
    fill(&table, &header, &mut file)?;
    if table.is_sound() { Ok(table) } else { Err(HashFileError::Damaged) }
}

fn fill(table: &TranspositionTable, header: &Header, file: &mut File) -> Result<(), HashFileError> {
    let mut digest = header.digest();
    let mut words = table.words();
    let mut bytes = vec![0; 8 * CHUNK];
    loop {
        let chunk: Vec<&AtomicU64> = words.by_ref().take(CHUNK).collect();
        if chunk.is_empty() {
            let fits = digest.value() == header.checksum;
            return if fits { Ok(()) } else { Err(HashFileError::Damaged) };
        }
        let bytes = &mut bytes[..8 * chunk.len()];
        file.read_exact(bytes)?;
        for (word, bytes) in chunk.into_iter().zip(bytes.as_chunks().0) {
            let value = u64::from_le_bytes(*bytes);
            digest.add(value);
            word.store(value, Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::PathBuf;

    use super::*;
    use crate::{Engine, Limits, Silent};

    struct Scratch(PathBuf);

    impl Scratch {
        fn new(name: &str) -> Self {
            let folder =
                std::env::temp_dir().join(format!("halcyon-hash-{name}-{}", std::process::id()));
            fs::create_dir_all(&folder).unwrap();
            Self(folder)
        }

        fn file(&self) -> PathBuf {
            self.0.join("a table.hash")
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    fn engine(mebibytes: usize) -> Engine {
        let mut engine = Engine::new();
        engine.set_hash(mebibytes).unwrap();
        engine
    }

    #[test]
    fn a_search_goes_on_where_the_saved_one_ended() {
        let scratch = Scratch::new("again");
        let mut first = engine(2);
        let nodes = first.search(&Limits::depth(11), &mut Silent).progress.nodes;
        first.save_hash(&scratch.file()).unwrap();
        let left: Vec<_> = fs::read_dir(&scratch.0).unwrap().collect();
        assert_eq!(left.len(), 1, "nothing but the table is left: {left:?}");
        let mut second = engine(3);
        let error = second.load_hash(&scratch.file()).unwrap_err().to_string();
        assert_eq!(error, "it holds a table of 2 MiB and Hash is 3; set Hash to 2 first");
        assert_eq!(second.hash(), 3, "the table in use is not replaced by one of another size");
        second.set_hash(2).unwrap();
        second.load_hash(&scratch.file()).unwrap();
        let saved = fs::read(scratch.file()).unwrap();
        second.save_hash(&scratch.file()).unwrap();
        assert_eq!(fs::read(scratch.file()).unwrap(), saved, "the same table, entry by entry");
        let again = second.search(&Limits::depth(11), &mut Silent).progress.nodes;
        assert!(again < nodes, "{again} nodes after {nodes}");
    }

    #[test]
    fn a_damaged_or_foreign_file_is_refused_and_the_table_stays() {
        let scratch = Scratch::new("damaged");
        let mut engine = engine(1);
        engine.search(&Limits::depth(6), &mut Silent);
        engine.save_hash(&scratch.file()).unwrap();
        let good = fs::read(scratch.file()).unwrap();
        let mut refusal = |bytes: &[u8]| {
            fs::write(scratch.file(), bytes).unwrap();
            engine.load_hash(&scratch.file()).unwrap_err().to_string()
        };
        let changed = |at: usize| {
            let mut bytes = good.clone();
            bytes[at] ^= 1;
            bytes
        };
        assert_eq!(refusal(b""), "it is not a saved table");
        assert_eq!(refusal(b"[Event \"?\"]"), "it is not a saved table");
        assert_eq!(refusal(&changed(0)), "it is not a saved table");
        assert_eq!(refusal(&changed(9)), "it has format version 257, understood is 1");
        assert_eq!(refusal(&changed(12)), "it is damaged");
        assert_eq!(refusal(&changed(16)), "its length is wrong");
        assert_eq!(refusal(&changed(23)), "its length is wrong");
        assert_eq!(refusal(&changed(30)), "it was filled by another evaluation");
        for at in [35, HEADER, HEADER + 12_345, good.len() - 1] {
            assert_eq!(refusal(&changed(at)), "it is damaged", "{at}");
        }
        assert_eq!(refusal(&good[..good.len() - 1]), "its length is wrong");
        fs::write(scratch.file(), &good).unwrap();
        engine.load_hash(&scratch.file()).unwrap();
        assert_eq!(engine.hash(), 1);
    }

    #[test]
    fn a_place_that_cannot_be_written_is_refused() {
        let scratch = Scratch::new("nowhere");
        let engine = engine(1);
        for path in [scratch.0.join("no folder/table"), scratch.0.clone(), PathBuf::from("/")] {
            assert!(engine.save_hash(&path).is_err(), "{}", path.display());
        }
        assert_eq!(fs::read_dir(&scratch.0).unwrap().count(), 0);
    }
}
