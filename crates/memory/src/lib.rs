//! Large zeroed arrays on huge pages, prefetching, how much memory there is, what becomes of freed
//! memory, and the memory that a WebAssembly module shares with its host: the only place outside the SIMD
//! kernels where Halcyon needs `unsafe`.

#![allow(unsafe_code)]

mod array;
mod available;
#[cfg(target_family = "wasm")]
pub mod host;

pub use array::{AllocationError, Zeroable, ZeroedArray};
pub use available::available;

/// Asks the processor to bring a value's cache line near. Never reads it as far as the program
/// can tell, so any reference will do.
#[inline]
pub fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: prefetching has no effect on memory and cannot fault; SSE is part of x86-64.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}

/// Lets blocks of 128 KiB and more go back to the system when they are freed, whatever was freed
/// before. glibc begins so, but whenever such a block is freed it keeps the next ones of that size
/// on its heaps, where the gaps that threads leave behind add up. For the program to call once, at
/// its start; elsewhere than under glibc it does nothing.
pub fn give_back_large_blocks() {
    #[cfg(all(target_os = "linux", target_env = "gnu", not(miri)))]
    {
        const LARGE: libc::c_int = 128 * 1024;
        // SAFETY: the call sets a number inside the allocator, under its own lock. A refusal leaves
        // everything as it was.
        unsafe { libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE) };
    }
}
