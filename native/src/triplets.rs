//! Percent triplets: how they are spelled, and what they stand for (C7, C9, C10).
//! No function here merges two values.

use std::borrow::Cow;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Spelling {
    Capitals,
    Rfc3986,
}

/// The text with its triplets respelled, put behind what is in `out`.
pub fn respell(text: &[u8], spelling: Spelling, out: &mut Vec<u8>) {
    let mut done = 0;
    while let Some(start) = next_triplet(text, done) {
        out.extend_from_slice(&text[done..start]);
        let byte = byte_at(text, start);
        if spelling == Spelling::Rfc3986 && is_decoded(text, start, byte) {
            out.push(byte);
        } else {
            let (high, low) = (text[start + 1], text[start + 2]);
            out.extend_from_slice(&[b'%', high.to_ascii_uppercase(), low.to_ascii_uppercase()]);
        }
        done = start + 3;
    }
    out.extend_from_slice(&text[done..]);
}

fn next_triplet(text: &[u8], from: usize) -> Option<usize> {
    let is_triplet = |&start: &usize| {
        let digits = text.get(start + 1..start + 3);
        text[start] == b'%' && digits.is_some_and(|two| two.iter().all(u8::is_ascii_hexdigit))
    };
    (from..text.len()).find(is_triplet)
}

fn byte_at(text: &[u8], start: usize) -> u8 {
    value(text[start + 1]) << 4 | value(text[start + 2])
}

fn value(digit: u8) -> u8 {
    if digit.is_ascii_digit() { digit - b'0' } else { (digit | 0x20) - b'a' + 10 }
}

/// An unreserved character, but for a hexadecimal digit that would complete a torn triplet (C9).
fn is_decoded(text: &[u8], start: usize, byte: u8) -> bool {
    if !byte.is_ascii_alphanumeric() && !matches!(byte, b'-' | b'.' | b'_' | b'~') {
        return false;
    }
    let torn = match text[..start] {
        [.., b'%'] => true,
        [.., b'%', digit] => digit.is_ascii_hexdigit(),
        _ => false,
    };
    !(torn && byte.is_ascii_hexdigit())
}

/// The text percent-decoded to bytes.
pub fn decoded(text: &[u8]) -> Cow<'_, [u8]> {
    if !text.contains(&b'%') {
        return Cow::Borrowed(text);
    }
    let mut bytes = Vec::with_capacity(text.len());
    decode(text, &mut bytes);
    Cow::Owned(bytes)
}

/// The text percent-decoded to bytes, put behind what is in `out`; a torn triplet stays.
pub fn decode(text: &[u8], out: &mut Vec<u8>) {
    let mut done = 0;
    while let Some(start) = next_triplet(text, done) {
        out.extend_from_slice(&text[done..start]);
        out.push(byte_at(text, start));
        done = start + 3;
    }
    out.extend_from_slice(&text[done..]);
}
