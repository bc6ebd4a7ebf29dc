//! The longest common subsequence of two titles, 64 characters a step (Hyyrö, 2004).
//! Whether that is enough is decided elsewhere.

use crate::title_letters::LETTERS;

/// One title, made ready to be compared with many.
#[derive(Default)]
pub struct Pattern {
    title: Vec<u8>,
    words: usize,
    /// For each letter the places at which the title has it, `words` words each.
    places: Vec<u64>,
    state: Vec<u64>,
}

impl Pattern {
    pub fn set(&mut self, title: &[u8]) {
        for &letter in &self.title {
            self.places[letter as usize * self.words..][..self.words].fill(0);
        }
        self.title.clear();
        self.title.extend_from_slice(title);
        self.words = title.len().div_ceil(64);
        if self.places.len() < LETTERS * self.words {
            self.places.resize(LETTERS * self.words, 0);
        }
        for (place, &letter) in title.iter().enumerate() {
            self.places[letter as usize * self.words + place / 64] |= 1 << (place % 64);
        }
    }

    /// How many characters the two have in common, in order.
    pub fn shared(&mut self, other: &[u8]) -> usize {
        if self.words == 1 {
            return self.shared_in_one_word(other);
        }
        self.state.clear();
        self.state.resize(self.words, u64::MAX);
        for &letter in other {
            let places = &self.places[letter as usize * self.words..][..self.words];
            let mut carry = false;
            for (state, &here) in self.state.iter_mut().zip(places) {
                let met = *state & here;
                let (sum, over) = state.carrying_add(met, carry);
                *state = sum | (*state - met);
                carry = over;
            }
        }
        self.state.iter().map(|word| word.count_zeros() as usize).sum()
    }

    fn shared_in_one_word(&self, other: &[u8]) -> usize {
        let mut state = u64::MAX;
        for &letter in other {
            let met = state & self.places[letter as usize];
            state = state.wrapping_add(met) | (state - met);
        }
        state.count_zeros() as usize
    }
}
