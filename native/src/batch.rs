//! Many URLs at once: shared out among threads, answered without Python, put together in order.
//! It decides how answers become columns; where the URLs lie is the business of who brings them.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crate::engine::{Engine, Outcome, Scratch};

/// What a thread takes at a time: a multiple of 8, so that the bits of two pieces share no byte.
const PIECE: usize = 4096;

/// One row of what is asked.
pub enum Row<'a> {
    Null,
    Url(&'a [u8]),
}

/// Rows that may be read from any thread.
pub trait Rows: Sync {
    fn count(&self) -> usize;
    fn row(&self, number: usize) -> Row<'_>;
}

/// What is to be told of each row: `whole` is the form, the flags and the error too.
#[derive(Clone, Copy)]
pub struct Wanted {
    pub url: bool,
    pub key: bool,
    pub whole: bool,
    pub hex: bool,
}

/// Bits, the first in the lowest place, as Arrow has them.
#[derive(Default)]
pub struct Bits {
    pub bytes: Vec<u8>,
    count: usize,
}

impl Bits {
    fn push(&mut self, bit: bool) {
        if self.count.is_multiple_of(8) {
            self.bytes.push(0);
        }
        let last = self.bytes.len() - 1;
        self.bytes[last] |= u8::from(bit) << (self.count % 8);
        self.count += 1;
    }

    fn append(&mut self, more: &Bits) {
        self.bytes.extend_from_slice(&more.bytes);
        self.count += more.count;
    }
}

/// Texts end to end, and where each begins; the last offset is where the last one ends.
pub struct Texts {
    pub offsets: Vec<i64>,
    pub bytes: Vec<u8>,
}

impl Default for Texts {
    fn default() -> Texts {
        Texts { offsets: vec![0], bytes: Vec::new() }
    }
}

impl Texts {
    fn push(&mut self, text: &[u8]) {
        self.bytes.extend_from_slice(text);
        self.offsets.push(self.bytes.len() as i64);
    }

    fn append(&mut self, more: &Texts) {
        let base = self.bytes.len() as i64;
        self.bytes.extend_from_slice(&more.bytes);
        self.offsets.extend(more.offsets[1..].iter().map(|end| base + end));
    }
}

/// The answers to some rows, column by column. A row that was handed back has nothing in any.
pub struct Answers {
    pub given: Bits,
    pub accepted: Bits,
    pub refused: Bits,
    pub url: Texts,
    pub form: Texts,
    pub key: Texts,
    pub flags: Texts,
    /// Where the flags of a row begin among all flags.
    pub flag_offsets: Vec<i64>,
    pub error: Texts,
    pub handed_back: Vec<i64>,
}
