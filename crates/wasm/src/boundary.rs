//! What the host calls.

use std::cell::RefCell;

use board::protocol::Answer;
use memory::host::say;

use crate::session::LocalSession;

thread_local! {
    /// The host has a handle to the module, not to a value of ours.
    static SESSION: RefCell<LocalSession> = RefCell::new(LocalSession::new());
}

fn send(answer: &Answer) {
    // Only maps with other keys than text cannot be written.
    say(&serde_json::to_string(answer).unwrap_or_default());
}

fn begin() {
    // A module that fails just stops; at least it shall say why.
    std::panic::set_hook(Box::new(|failure| {
        let message = format!("the engine failed, which is a bug worth reporting: {failure}");
        send(&Answer::Error { id: None, message });
    }));
    SESSION.with_borrow(|session| send(&session.greeting()));
}

fn receive(text: &str) {
    SESSION.with_borrow_mut(|session| session.receive(text, &mut send));
}

fn work() -> u32 {
    u32::from(SESSION.with_borrow_mut(|session| session.work(&mut send)))
}

/// A count of nodes is exact in the host's numbers up to 2^53.
fn bench(depth: u32) -> f64 {
    let depth = i32::try_from(depth).unwrap_or(i32::MAX);
    let nodes = engine::bench::nodes(depth, engine::DEFAULT_HASH_MIB);
    nodes.map_or(f64::NAN, |nodes| nodes as f64)
}

memory::listen!(hear => receive);
memory::lend!(begin() -> () => crate::boundary::begin);
memory::lend!(work() -> u32 => crate::boundary::work);
memory::lend!(bench(depth: u32) -> f64 => crate::boundary::bench);
