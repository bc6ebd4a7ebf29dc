//! The floor under every engine: the bare parser in C++, the bare hash, and both.
//! It decides nothing about identity; what is measured is how long it takes.

use std::slice::from_raw_parts;

use ada_url::Url;
use sha2::{Digest, Sha256};

/// Rows of UTF-8 end to end; each begins at its offset and ends at the next.
///
/// # Safety
/// There is an offset more than there are rows, and as many bytes as the last one says.
unsafe fn rows<'a>(
    data: *const u8,
    offsets: *const i64,
    count: usize,
) -> impl Iterator<Item = &'a str> {
    // SAFETY: as above.
    let offsets = unsafe { from_raw_parts(offsets, count + 1) };
    let data = unsafe { from_raw_parts(data, offsets[count] as usize) };
    let text = str::from_utf8(data).expect("the rows are UTF-8");
    offsets.windows(2).map(|place| &text[place[0] as usize..place[1] as usize])
}

/// What a parser makes of each row, to be used at once; how many it accepted.
fn parsed<'a>(rows: impl Iterator<Item = &'a str>, mut used: impl FnMut(&str)) -> u64 {
    let accepted = rows.filter_map(|row| Url::parse(row, None).ok());
    accepted.map(|url| used(url.href())).count() as u64
}

fn hashed(text: &str, sum: &mut u64) {
    *sum = sum.wrapping_add(u64::from(Sha256::digest(text)[0]));
}

/// # Safety
/// As `rows` asks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn parse(data: *const u8, offsets: *const i64, count: usize) -> u64 {
    let mut sum = 0;
    let rows = unsafe { rows(data, offsets, count) };
    parsed(rows, |href| sum += href.len() as u64) + sum
}

/// # Safety
/// As `rows` asks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hash(data: *const u8, offsets: *const i64, count: usize) -> u64 {
    let mut sum = 0;
    unsafe { rows(data, offsets, count) }.for_each(|row| hashed(row, &mut sum));
    sum
}

/// # Safety
/// As `rows` asks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn parse_and_hash(data: *const u8, offsets: *const i64, count: usize) -> u64 {
    let mut sum = 0;
    let rows = unsafe { rows(data, offsets, count) };
    parsed(rows, |href| hashed(href, &mut sum)) + sum
}

/// SHA-256 as C has it: bytes, how many, where to put 32.
type Hash = unsafe extern "C" fn(*const u8, usize, *mut u8) -> *mut u8;

/// # Safety
/// As `rows` asks; `hash` writes its 32 bytes and nothing else.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn parse_and_hash_by(
    data: *const u8,
    offsets: *const i64,
    count: usize,
    hash: Hash,
) -> u64 {
    let (mut sum, mut digest) = (0u64, [0; 32]);
    let rows = unsafe { rows(data, offsets, count) };
    parsed(rows, |href| {
        unsafe { hash(href.as_ptr(), href.len(), digest.as_mut_ptr()) };
        sum = sum.wrapping_add(u64::from(digest[0]));
    }) + sum
}
