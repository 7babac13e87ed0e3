//! Random numbers and hashes of bytes: small, fast, seedable, the same on every machine.

/// The `SplitMix64` generator: one 64-bit state, good enough for shuffles and first weights.
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// A generator whose sequence is fixed by `seed`.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A generator for one `part` of a task, independent of those for other parts.
    #[must_use]
    pub fn derived(seed: u64, part: u64) -> Self {
        Self(mix(seed ^ mix(part.wrapping_add(1))))
    }

    /// The next 64 random bits.
    pub const fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(GOLDEN);
        mix(self.0)
    }

    /// A number in `0..bound`. The bias is below `bound / 2^64`. Zero if `bound` is zero.
    #[allow(clippy::cast_possible_truncation, reason = "the product's upper half is below `bound`")]
    pub fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.next_u64()) * bound as u128) >> 64) as usize
    }

    /// A number in `[0, 1)`.
    pub fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A number in `[-limit, limit)`.
    pub fn symmetric(&mut self, limit: f32) -> f32 {
        ((self.unit() * 2.0 - 1.0) as f32) * limit
    }

    /// One of the items; panics if there is none.
    pub fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }

    /// Puts the items in random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let other = self.below(last + 1);
            items.swap(last, other);
        }
    }
}

const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

/// Scrambles 64 bits so that every input bit reaches every output bit.
#[must_use]
pub const fn mix(bits: u64) -> u64 {
    let bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    bits ^ (bits >> 31)
}

/// A 64-bit hash of bytes, the same on every machine and in every version.
#[must_use]
pub fn hash_bytes(bytes: &[u8]) -> u64 {
    let mut hash = mix(bytes.len() as u64 ^ GOLDEN);
    for chunk in bytes.chunks(8) {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        hash = mix(hash ^ u64::from_le_bytes(word)).wrapping_add(GOLDEN);
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_numbers() {
        let mut first = Rng::new(7);
        let mut second = Rng::new(7);
        assert!((0..100).all(|_| first.next_u64() == second.next_u64()));
    }

    #[test]
    fn a_shuffle_keeps_every_item() {
        let mut items: Vec<usize> = (0..1000).collect();
        Rng::new(1).shuffle(&mut items);
        assert_ne!(items, (0..1000).collect::<Vec<_>>());
        items.sort_unstable();
        assert_eq!(items, (0..1000).collect::<Vec<_>>());
    }

    #[test]
    fn a_hash_depends_on_length_and_every_byte() {
        assert_ne!(hash_bytes(b""), hash_bytes(b"\0"));
        assert_ne!(hash_bytes(b"12345678\0"), hash_bytes(b"12345678"));
        assert_ne!(hash_bytes(b"a2345678b"), hash_bytes(b"a2345678c"));
    }
}
