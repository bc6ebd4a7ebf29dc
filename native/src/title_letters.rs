//! The characters of titles, dealt into 256 letters: the most frequent ones each another.
//! Two characters that are one letter only make titles look more alike than they are.

use std::cmp::Reverse;

pub const LETTERS: usize = 256;

/// Counts characters, so that the frequent ones are told apart.
pub struct Dealer {
    often: Vec<u64>,
    met: Vec<u32>,
}

impl Dealer {
    pub fn new() -> Self {
        Self { often: vec![0; char::MAX as usize + 1], met: Vec::new() }
    }

    pub fn count(&mut self, title: &[u32]) {
        for &character in title {
            let often = &mut self.often[character as usize];
            if *often == 0 {
                self.met.push(character);
            }
            *often += 1;
        }
    }

    /// The letter of each character.
    pub fn dealt(mut self) -> Vec<u8> {
        self.met.sort_unstable_by_key(|&c| (Reverse(self.often[c as usize]), c));
        let mut letter = vec![0; self.often.len()];
        for (rank, &character) in self.met.iter().enumerate() {
            letter[character as usize] = (rank % LETTERS) as u8;
        }
        letter
    }
}

/// Titles in the order in which they came, one after the other.
#[derive(Default)]
pub struct Letters {
    all: Vec<u8>,
    ends: Vec<usize>,
}

impl Letters {
    pub fn push(&mut self, title: impl Iterator<Item = u8>) {
        self.all.extend(title);
        self.ends.push(self.all.len());
    }

    pub fn len(&self) -> usize {
        self.ends.len()
    }

    pub fn title(&self, place: usize) -> &[u8] {
        let start = if place == 0 { 0 } else { self.ends[place - 1] };
        &self.all[start..self.ends[place]]
    }

    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        (0..self.len()).map(|place| self.title(place))
    }
}
