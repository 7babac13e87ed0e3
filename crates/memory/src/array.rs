//! An array of zeroes that may be larger than anything else in the program.

use std::fmt;
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicI16, AtomicU64};

/// Types for which all bytes zero is a valid value.
///
/// # Safety
/// The implementer promises exactly that.
pub unsafe trait Zeroable {}

// SAFETY: an atomic has the representation of its integer, for which zero is valid.
unsafe impl Zeroable for AtomicU64 {}
// SAFETY: as above.
unsafe impl Zeroable for AtomicI16 {}
// SAFETY: zero is a valid integer.
unsafe impl Zeroable for i16 {}
// SAFETY: an array of zeroable values is zeroable.
unsafe impl<T: Zeroable, const N: usize> Zeroable for [T; N] {}

/// The system did not give the memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AllocationError {
    /// How many bytes were asked for.
    pub bytes: usize,
}

impl fmt::Display for AllocationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot allocate {} MiB", self.bytes >> 20)
    }
}

impl std::error::Error for AllocationError {}

/// A fixed number of values, zero at first, page-aligned, on huge pages where the system has them.
/// Fresh pages cost nothing until they are touched.
pub struct ZeroedArray<T: Zeroable> {
    start: NonNull<T>,
    len: usize,
}

// SAFETY: the array owns its values like a `Vec`, so it may go where they may go.
unsafe impl<T: Zeroable + Send> Send for ZeroedArray<T> {}
// SAFETY: as above; shared access gives only shared references.
unsafe impl<T: Zeroable + Sync> Sync for ZeroedArray<T> {}

impl<T: Zeroable> ZeroedArray<T> {
    /// An array of `len` zero values; `len` must not be 0.
    ///
    /// # Errors
    /// If the system does not give the memory.
    pub fn new(len: usize) -> Result<Self, AllocationError> {
        const { assert!(size_of::<T>() > 0 && align_of::<T>() <= 4096) };
        let bytes = len
            .checked_mul(size_of::<T>())
            .filter(|&bytes| bytes > 0)
            .ok_or(AllocationError { bytes: usize::MAX })?;
        let start = system::allocate(bytes).ok_or(AllocationError { bytes })?;
        Ok(Self { start: start.cast(), len })
    }
}

impl<T: Zeroable> Deref for ZeroedArray<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        // SAFETY: `start` points to `len` values that live as long as `self`; zeroed memory is a
        // valid `T`, and nobody holds a mutable reference.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.len) }
    }
}

impl<T: Zeroable> DerefMut for ZeroedArray<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as for `deref`; the exclusive reference to the array is one to its values.
        unsafe { std::slice::from_raw_parts_mut(self.start.as_ptr(), self.len) }
    }
}

impl<T: Zeroable> Drop for ZeroedArray<T> {
    fn drop(&mut self) {
        // SAFETY: `start` came from `allocate` with this size and is given back once. `Zeroable`
        // types hold nothing that needs dropping.
        unsafe { system::release(self.start.cast(), self.len * size_of::<T>()) };
    }
}

#[cfg(all(unix, not(miri)))]
mod system {
    use std::ptr::NonNull;

    /// Maps fresh zero pages.
    pub(super) fn allocate(bytes: usize) -> Option<NonNull<u8>> {
        // SAFETY: an anonymous private mapping at an address of the system's choice touches no
        // memory of ours.
        let address = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                bytes,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS,
                -1,
                0,
            )
        };
        if address == libc::MAP_FAILED {
            return None;
        }
        #[cfg(target_os = "linux")]
        // SAFETY: the range is the mapping just made; the advice changes no contents. A refusal
        // only means ordinary pages.
        unsafe {
            libc::madvise(address, bytes, libc::MADV_HUGEPAGE);
        }
        NonNull::new(address.cast())
    }

    /// # Safety
    /// `start` and `bytes` must be a mapping of `allocate` that is not used any more.
    pub(super) unsafe fn release(start: NonNull<u8>, bytes: usize) {
        // SAFETY: by the contract of this function.
        unsafe { libc::munmap(start.as_ptr().cast(), bytes) };
    }
}

#[cfg(any(not(unix), miri))]
mod system {
    use std::alloc::{Layout, alloc_zeroed, dealloc};
    use std::ptr::NonNull;

    fn layout(bytes: usize) -> Option<Layout> {
        Layout::from_size_align(bytes, 4096).ok()
    }

    pub(super) fn allocate(bytes: usize) -> Option<NonNull<u8>> {
        // SAFETY: the size is not zero, checked by the caller.
        NonNull::new(unsafe { alloc_zeroed(layout(bytes)?) })
    }

    /// # Safety
    /// `start` and `bytes` must come from `allocate` and not be used any more.
    pub(super) unsafe fn release(start: NonNull<u8>, bytes: usize) {
        if let Some(layout) = layout(bytes) {
            // SAFETY: by the contract of this function, with the layout it was allocated with.
            unsafe { dealloc(start.as_ptr(), layout) };
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering::Relaxed;

    use super::*;

    #[test]
    fn a_fresh_array_is_zero_aligned_and_writable() {
        let array = ZeroedArray::<[AtomicU64; 4]>::new(1000).unwrap();
        assert_eq!(array.len(), 1000);
        assert_eq!(array.as_ptr().addr() % 4096, 0);
        assert!(array.iter().flatten().all(|word| word.load(Relaxed) == 0));
        array[999][3].store(7, Relaxed);
        assert_eq!(array[999][3].load(Relaxed), 7);
    }

    #[test]
    fn plain_values_can_be_changed_by_who_owns_the_array() {
        let mut array = ZeroedArray::<[i16; 3]>::new(5000).unwrap();
        array[4999] = [1, 2, 3];
        array.as_flattened_mut()[0] = 7;
        assert_eq!((array[0], array[4999]), ([7, 0, 0], [1, 2, 3]));
        assert_eq!(array.as_flattened().iter().filter(|&&value| value != 0).count(), 4);
    }

    #[test]
    fn an_impossible_size_is_an_error() {
        assert!(ZeroedArray::<[AtomicU64; 4]>::new(usize::MAX / 8).is_err());
        assert!(ZeroedArray::<AtomicU64>::new(0).is_err());
    }
}
