//! Sets and maps of short words that are known beforehand: most of what they are asked for is not
//! in them, and that is said at once.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::{BuildHasherDefault, Hasher};

pub type Set = Map<()>;

pub struct Map<V> {
    marks: Marks,
    entries: HashMap<Box<[u8]>, V, BuildHasherDefault<Quick>>,
}

impl<V> Default for Map<V> {
    fn default() -> Map<V> {
        Map { marks: Marks::default(), entries: HashMap::default() }
    }
}

impl<V> Map<V> {
    pub fn get(&self, word: &[u8]) -> Option<&V> {
        if self.marks.may_have(word) { self.entries.get(word) } else { None }
    }

    pub fn contains(&self, word: &[u8]) -> bool {
        self.get(word).is_some()
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub fn entry(&mut self, word: Box<[u8]>) -> Entry<'_, Box<[u8]>, V> {
        if self.entries.len() >= self.marks.room() {
            self.marks = Marks::with_room(2 * self.entries.len() + 1);
            self.entries.keys().for_each(|word| self.marks.set(word));
        }
        self.marks.set(&word);
        self.entries.entry(word)
    }
}

impl Set {
    pub fn insert(&mut self, word: Box<[u8]>) {
        self.entry(word).or_default();
    }
}

impl FromIterator<Box<[u8]>> for Set {
    fn from_iter<I: IntoIterator<Item = Box<[u8]>>>(words: I) -> Set {
        words.into_iter().map(|word| (word, ())).collect()
    }
}

impl<V> FromIterator<(Box<[u8]>, V)> for Map<V> {
    fn from_iter<I: IntoIterator<Item = (Box<[u8]>, V)>>(rows: I) -> Map<V> {
        let mut map = Map::default();
        for (word, value) in rows {
            map.entry(word).insert_entry(value);
        }
        map
    }
}

/// A bit for each word, by its ends and its length: a word whose bit is not set is surely not there.
#[derive(Default)]
struct Marks(Box<[u64]>);

impl Marks {
    /// One in thirty-two bits is set at most.
    fn with_room(words: usize) -> Marks {
        Marks(vec![0; words.div_ceil(2).next_power_of_two()].into())
    }

    fn room(&self) -> usize {
        2 * self.0.len()
    }

    fn set(&mut self, word: &[u8]) {
        let (place, bit) = self.place(word);
        self.0[place] |= bit;
    }

    fn may_have(&self, word: &[u8]) -> bool {
        let (place, bit) = self.place(word);
        self.0.get(place).is_some_and(|bits| bits & bit != 0)
    }

    /// Always the same three looks, whatever the length: a guess at it would often be wrong.
    fn place(&self, word: &[u8]) -> (usize, u64) {
        let mixed = (three_bytes(word) << 8 ^ word.len() as u64).wrapping_mul(FACTOR);
        let place = (mixed >> 32) as usize & self.0.len().wrapping_sub(1);
        (place, 1 << (mixed >> 58))
    }
}

/// First, middle and last byte: all of a word of up to three.
fn three_bytes(word: &[u8]) -> u64 {
    let Some(last) = word.len().checked_sub(1) else { return 0 };
    let byte = |place: usize| u64::from(word[place]);
    byte(0) << 16 | byte(word.len() / 2) << 8 | byte(last)
}

fn two_words(first: [u8; 4], last: [u8; 4]) -> u64 {
    u64::from(u32::from_le_bytes(first)) << 32 | u64::from(u32::from_le_bytes(last))
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
            (None, Some(first), Some(last)) => self.mix(two_words(*first, *last)),
            _ => self.mix(three_bytes(rest)),
        }
    }

    fn write_usize(&mut self, length: usize) {
        self.0 = length as u64;
    }

    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 32
    }
}
