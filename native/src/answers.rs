//! Answers to many URLs as columns: bits, texts end to end, and where each text begins.
//! It decides what a row leaves in each column; what a URL gives is the engine's business.

use std::ops::Range;

use crate::batch::Rows;
use crate::engine::{Engine, FLAGS, Scratch};
use crate::outcome::Outcome;
use crate::values;

/// What is to be told of each row.
#[derive(Clone, Copy)]
pub struct Wanted {
    pub url: bool,
    pub key: bool,
    /// The key in hexadecimal digits, else its 32 bytes.
    pub hex: bool,
    /// Form, flags and errors too.
    pub whole: bool,
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

    /// There are as many bits here as fill their bytes.
    fn append(&mut self, more: &Bits) {
        self.bytes.extend_from_slice(&more.bytes);
        self.count += more.count;
    }
}

/// Texts end to end. Each begins at its offset and ends at the next.
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
        append_offsets(&mut self.offsets, &more.offsets);
        self.bytes.extend_from_slice(&more.bytes);
    }
}

/// Lists of texts end to end.
pub struct Lists {
    pub offsets: Vec<i64>,
    pub items: Texts,
}

impl Default for Lists {
    fn default() -> Lists {
        Lists { offsets: vec![0], items: Texts::default() }
    }
}

impl Lists {
    fn push(&mut self, texts: &[&str]) {
        for text in texts {
            self.items.push(text.as_bytes());
        }
        self.offsets.push(self.items.offsets.len() as i64 - 1);
    }

    fn append(&mut self, more: &Lists) {
        append_offsets(&mut self.offsets, &more.offsets);
        self.items.append(&more.items);
    }
}

fn append_offsets(offsets: &mut Vec<i64>, more: &[i64]) {
    let base = offsets[offsets.len() - 1];
    offsets.extend(more[1..].iter().map(|end| base + end));
}

/// The columns of some rows. What is not wanted stays empty; a row that is null, refused or handed
/// back leaves an empty place.
#[derive(Default)]
pub struct Answers {
    pub given: Bits,
    pub accepted: Bits,
    pub refused: Bits,
    pub url: Texts,
    pub form: Texts,
    /// In hexadecimal digits, or 32 bytes a row without offsets.
    pub key: Texts,
    pub flags: Lists,
    pub error: Texts,
    pub handed_back: Vec<i64>,
}

impl Answers {
    pub fn append(&mut self, more: &Answers) {
        self.given.append(&more.given);
        self.accepted.append(&more.accepted);
        self.refused.append(&more.refused);
        self.url.append(&more.url);
        self.form.append(&more.form);
        self.key.append(&more.key);
        self.flags.append(&more.flags);
        self.error.append(&more.error);
        self.handed_back.extend_from_slice(&more.handed_back);
    }
}

/// Who answers row by row, on one thread.
pub struct Clerk<'a> {
    engine: &'a Engine,
    wanted: Wanted,
    scratch: Scratch,
    /// By the bits of the flags.
    flags: Vec<Vec<&'a str>>,
}

impl<'a> Clerk<'a> {
    pub fn new(engine: &'a Engine, wanted: Wanted) -> Clerk<'a> {
        let flags = (0..FLAGS).map(|bits| engine.flag_names(bits)).collect();
        Clerk { engine, wanted, scratch: Scratch::new(), flags }
    }

    pub fn answers(&mut self, rows: &impl Rows, numbers: Range<usize>) -> Answers {
        let mut answers = Answers::default();
        answers.key.bytes.reserve(self.key_length() * numbers.len());
        for number in numbers {
            self.answer(number, rows.row(number), &mut answers);
        }
        answers
    }

    fn key_length(&self) -> usize {
        match self.wanted {
            Wanted { key: false, .. } => 0,
            Wanted { hex: true, .. } => 64,
            _ => 32,
        }
    }

    fn answer(&mut self, number: usize, url: Option<&[u8]>, answers: &mut Answers) {
        let outcome = url.map(|url| match self.wanted {
            Wanted { whole: true, .. } => self.engine.run_full(url, &mut self.scratch),
            Wanted { url: true, .. } => self.engine.run(url, &mut self.scratch),
            _ => self.engine.run_key(url, &mut self.scratch),
        });
        let code = match outcome {
            Some(Outcome::Refused(code)) => Some(code.text()),
            _ => None,
        };
        if outcome == Some(Outcome::HandBack) {
            answers.handed_back.push(number as i64);
        }
        answers.given.push(url.is_some());
        answers.refused.push(code.is_some());
        answers.accepted.push(outcome == Some(Outcome::Done));
        if outcome == Some(Outcome::Done) {
            self.accepted(answers);
        } else {
            self.nothing(code.unwrap_or_default(), answers);
        }
    }

    fn accepted(&self, answers: &mut Answers) {
        let (wanted, scratch) = (self.wanted, &self.scratch);
        if wanted.url {
            answers.url.push(scratch.url().as_bytes());
        }
        if wanted.key {
            match wanted.hex {
                true => answers.key.push(&values::digits(&scratch.key())),
                false => answers.key.bytes.extend_from_slice(&scratch.key()),
            }
        }
        if wanted.whole {
            answers.form.push(scratch.form().as_bytes());
            answers.flags.push(&self.flags[usize::from(scratch.flags())]);
            answers.error.push(b"");
        }
    }

    fn nothing(&self, error: &str, answers: &mut Answers) {
        if self.wanted.url {
            answers.url.push(b"");
        }
        if self.wanted.key {
            match self.wanted.hex {
                true => answers.key.push(b""),
                false => answers.key.bytes.extend_from_slice(&[0; 32]),
            }
        }
        if self.wanted.whole {
            answers.form.push(b"");
            answers.flags.push(&[]);
            answers.error.push(error.as_bytes());
        }
    }
}
