//! What is kept of a title: 192 bits of how often its characters occur, and 512 of which stand side by side.
//! It decides which bits tell most; which titles they rule out is `title_scan`'s business.

use std::cmp::Reverse;

use crate::title_letters::{LETTERS, Letters};

const SAMPLE: usize = 4096;
pub const WORDS: usize = 3;
pub const BESIDE: usize = 8;
const NONE: u16 = u16::MAX;

/// The bits of all titles: `often` as columns of words, `beside` a row a title.
pub struct Marks {
    pub often: [Vec<u64>; WORDS],
    pub beside: Vec<[u64; BESIDE]>,
}

impl Marks {
    pub fn of(letters: &Letters) -> Self {
        let kinds = pair_kinds(letters);
        let some = || letters.iter().step_by(letters.len().div_ceil(SAMPLE).max(1));
        let mut often = Telling::among(some().map(single), 64, 128, WORDS * 64);
        let mut beside = Telling::among(some().map(|t| pairs(t, &kinds)), 512, 4, BESIDE * 64);
        let mut marks = Self {
            often: std::array::from_fn(|_| Vec::with_capacity(letters.len())),
            beside: Vec::with_capacity(letters.len()),
        };
        for title in letters.iter() {
            let words: [u64; WORDS] = often.bits(single(title));
            marks.often.iter_mut().zip(words).for_each(|(column, word)| column.push(word));
            marks.beside.push(beside.bits(pairs(title, &kinds)));
        }
        marks
    }
}

fn single(title: &[u8]) -> impl Iterator<Item = usize> {
    title.iter().map(|&letter| letter as usize)
}

fn pairs<'a>(title: &'a [u8], kinds: &'a [u16]) -> impl Iterator<Item = usize> {
    title.windows(2).map(|pair| kinds[place(pair)] as usize)
}

/// A kind for each two characters that stand side by side, numbered from the most frequent on.
fn pair_kinds(letters: &Letters) -> Vec<u16> {
    let mut often = vec![0u64; LETTERS * LETTERS];
    for title in letters.iter() {
        for pair in title.windows(2) {
            often[place(pair)] += 1;
        }
    }
    let mut order: Vec<usize> = (0..often.len()).filter(|&pair| often[pair] > 0).collect();
    order.sort_by_key(|&pair| Reverse(often[pair]));
    let mut kinds = vec![0; often.len()];
    for (rank, &pair) in order.iter().enumerate() {
        kinds[pair] = rank as u16;
    }
    kinds
}

fn place(pair: &[u8]) -> usize {
    pair[0] as usize * LETTERS + pair[1] as usize
}

/// The bits worth having: the n-th occurrence of a group of kinds, for those groups and n in which
/// titles of about the same length differ most often. Any other choice, and kinds that share a group,
/// would be as right, and let more pairs through.
struct Telling {
    groups: usize,
    depth: usize,
    bit: Vec<u16>,
    counts: Vec<u8>,
}

impl Telling {
    fn among<T: Iterator<Item = usize>>(
        titles: impl Iterator<Item = T>,
        groups: usize,
        depth: usize,
        bits: usize,
    ) -> Self {
        let mut differ = vec![0u32; groups * depth];
        let (mut one, mut other) = (vec![0; groups], vec![0; groups]);
        for (number, title) in titles.enumerate() {
            other.fill(0);
            title.for_each(|kind| other[kind % groups] = depth.min(other[kind % groups] + 1));
            for group in 0..if number == 0 { 0 } else { groups } {
                let (a, b) = (one[group], other[group]);
                differ[group * depth..][a.min(b)..a.max(b)].iter_mut().for_each(|n| *n += 1);
            }
            std::mem::swap(&mut one, &mut other);
        }
        let mut best: Vec<usize> = (0..differ.len()).collect();
        best.sort_by_key(|&mark| Reverse(differ[mark]));
        let mut bit = vec![NONE; differ.len()];
        for (number, &mark) in best.iter().take(bits).enumerate() {
            bit[mark] = number as u16;
        }
        Self { groups, depth, bit, counts: vec![0; groups] }
    }

    fn bits<const N: usize>(&mut self, kinds: impl Iterator<Item = usize>) -> [u64; N] {
        let mut words = [0; N];
        self.counts.fill(0);
        for kind in kinds {
            let group = kind % self.groups;
            let count = self.counts[group] as usize;
            if count < self.depth {
                self.counts[group] += 1;
                let bit = self.bit[group * self.depth + count];
                if bit != NONE {
                    words[bit as usize / 64] |= 1 << (bit % 64);
                }
            }
        }
        words
    }
}
