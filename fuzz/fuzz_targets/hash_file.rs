//! A saved table with any changes: refused with the reason, and the table stays; or it is loaded and
//! the search that uses it finds a legal move.

#![no_main]

use std::sync::{LazyLock, Mutex};
use std::{env, fs, process};

use engine::{Engine, Limits, Silent};
use libfuzzer_sys::fuzz_target;

static SAVED: LazyLock<(Vec<u8>, Mutex<Engine>)> = LazyLock::new(|| {
    let mut engine = Engine::new();
    engine.set_hash(1).unwrap();
    engine.search(&Limits::depth(8), &mut Silent);
    engine.save_hash(&path()).unwrap();
    (fs::read(path()).unwrap(), Mutex::new(engine))
});

fn path() -> std::path::PathBuf {
    env::temp_dir().join(format!("halcyon-fuzz-{}.hash", process::id()))
}

fuzz_target!(|bytes: &[u8]| {
    let (saved, engine) = &*SAVED;
    let mut changed = saved.clone();
    for change in bytes.chunks_exact(5) {
        let at = u32::from_le_bytes([change[0], change[1], change[2], 0]) as usize;
        // Most changes go to the header, where most can go wrong.
        let at = if change[3] < 200 { at % 40 } else { at % changed.len() };
        changed[at] ^= change[4];
    }
    if let [.., shorten] = bytes
        && bytes.len() % 5 == 1
    {
        changed.truncate(changed.len() - usize::from(*shorten));
    }
    fs::write(path(), &changed).unwrap();
    let mut engine = engine.lock().unwrap();
    match engine.load_hash(&path()) {
        Err(error) => assert!(!error.to_string().is_empty()),
        Ok(()) => {
            assert_eq!(changed[..32], saved[..32], "what is loaded is what was saved");
            assert!(engine.search(&Limits::depth(3), &mut Silent).best_move.is_some());
        }
    }
    assert_eq!(engine.hash(), 1);
});
