//! The other side of a WebAssembly module: it has no clock and no voice of its own, and words reach
//! it only through its memory. The program that loads it lends all three.

use std::time::Duration;

mod lent {
    #[link(wasm_import_module = "halcyon")]
    unsafe extern "C" {
        /// Milliseconds since a moment that never changes.
        pub(super) safe fn now() -> f64;
        /// Takes words.
        pub(super) fn say(start: *const u8, len: usize);
    }
}

/// A moment, like the one of the standard library, which has none here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Instant(Duration);

impl Instant {
    /// The moment of the call.
    #[must_use]
    pub fn now() -> Self {
        Self(Duration::from_secs_f64(lent::now().max(0.0) / 1000.0))
    }

    /// Time since this moment.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        Self::now().0.saturating_sub(self.0)
    }
}

/// Tells the host something.
pub fn say(words: &str) {
    // SAFETY: the host reads these bytes before it returns, and only these.
    unsafe { lent::say(words.as_ptr(), words.len()) };
}

/// Room for words of the host, which then belongs to it until it calls what [`listen!`] exports.
#[unsafe(no_mangle)]
extern "C" fn room(len: usize) -> *mut u8 {
    Box::into_raw(vec![0_u8; len].into_boxed_slice()).cast()
}

/// The words that the host has put into a room.
///
/// # Safety
/// `start` must come from [`room`] with this length, and be handed over once.
#[must_use]
pub unsafe fn take(start: *mut u8, len: usize) -> String {
    let room = std::ptr::slice_from_raw_parts_mut(start, len);
    // SAFETY: by the contract of this function it is a box of that many bytes, all of them set.
    let bytes = unsafe { Box::from_raw(room) };
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Exports a function that takes the host's words under this name.
#[macro_export]
macro_rules! listen {
    ($name:ident => $function:path) => {
        const _: () = {
            #[allow(unsafe_code, reason = "only the host calls it, with a room that it was given")]
            #[unsafe(no_mangle)]
            extern "C" fn $name(start: *mut u8, len: usize) {
                // SAFETY: the host hands over every room once, as it was given.
                $function(&unsafe { $crate::host::take(start, len) });
            }
        };
    };
}

/// Exports a function of numbers under its own name.
#[macro_export]
macro_rules! lend {
    ($name:ident($($argument:ident: $kind:ty),*) -> $result:ty => $function:path) => {
        const _: () = {
            #[allow(unsafe_code, reason = "a name that nothing else has is safe to export")]
            #[unsafe(no_mangle)]
            extern "C" fn $name($($argument: $kind),*) -> $result {
                $function($($argument),*)
            }
        };
    };
}
