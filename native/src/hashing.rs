//! Sets and maps of short byte strings: what they hold is known beforehand, so a quick hash will do.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

pub type Set = HashSet<Box<[u8]>, BuildHasherDefault<Quick>>;
pub type Map<V> = HashMap<Box<[u8]>, V, BuildHasherDefault<Quick>>;

/// Multiplies and rotates, eight bytes at a time.
#[derive(Default)]
pub struct Quick(u64);

const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

impl Quick {
    fn mix(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(23) ^ word).wrapping_mul(FACTOR);
    }
}

impl Hasher for Quick {
    fn write(&mut self, bytes: &[u8]) {
        let mut words = bytes.chunks_exact(8);
        for word in &mut words {
            self.mix(u64::from_le_bytes(word.try_into().unwrap()));
        }
        let rest = words.remainder();
        let last = rest.iter().fold(0, |word, &byte| word << 8 | u64::from(byte));
        self.mix(last);
    }

    fn write_usize(&mut self, length: usize) {
        self.0 = length as u64;
    }

    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 32
    }
}
