//! Sets and maps of short byte strings: what they hold is known beforehand, so a quick hash will do.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

pub type Set = HashSet<Box<[u8]>, BuildHasherDefault<Quick>>;
pub type Map<V> = HashMap<Box<[u8]>, V, BuildHasherDefault<Quick>>;

/// Words by their ends and their length alone: what it has not is surely not there.
pub struct Marks(Box<[u64; 1024]>);

impl Default for Marks {
    fn default() -> Marks {
        Marks(Box::new([0; 1024]))
    }
}

impl Marks {
    pub fn set(&mut self, word: &[u8]) {
        let (place, bit) = Marks::place(word);
        self.0[place] |= bit;
    }

    pub fn may_have(&self, word: &[u8]) -> bool {
        let (place, bit) = Marks::place(word);
        self.0[place] & bit != 0
    }

    fn place(word: &[u8]) -> (usize, u64) {
        let (Some(&first), Some(&last)) = (word.first(), word.last()) else { return (0, 1) };
        let middle = usize::from(word[word.len() / 2]);
        let mixed = usize::from(first) << 8 ^ usize::from(last) << 3 ^ middle ^ word.len() << 11;
        (mixed >> 6 & 1023, 1 << (mixed & 63))
    }
}

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
        match (bytes.last_chunk::<8>(), rest.first_chunk::<4>(), rest.last_chunk::<4>()) {
            _ if rest.is_empty() => {}
            (Some(last), _, _) => self.mix(u64::from_le_bytes(*last)),
            (None, Some(first), Some(last)) => {
                self.mix(
                    u64::from(u32::from_le_bytes(*first)) << 32
                        | u64::from(u32::from_le_bytes(*last)),
                );
            }
            _ => self.mix(rest.iter().fold(0, |word, &byte| word << 8 | u64::from(byte))),
        }
    }

    fn write_usize(&mut self, length: usize) {
        self.0 = length as u64;
    }

    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 32
    }
}
