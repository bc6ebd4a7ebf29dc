//! Which titles of a stretch could be near one title, told from their marks alone: too many, never too few.
//! What the marks are is `title_marks`' business. The loops are plain; the compiler makes them wide.

use crate::title_marks::{BESIDE, Marks, WORDS};

const CHUNK: usize = 64;

/// All titles, shortest first: their lengths, their marks and the component each is in.
#[derive(Clone, Copy)]
pub struct Field<'a> {
    pub lengths: &'a [u32],
    pub marks: &'a Marks,
    pub label: &'a [i64],
}

/// The largest Indel distance at which a ratio of 0.85 is possible: 0.15 of both lengths.
pub fn most(one: u32, other: u32) -> u32 {
    ((u64::from(one) + u64::from(other)) * 3 / 20) as u32
}

/// Appends the titles of `from..to` that could be near title `x` and are not connected to it.
pub type Scan = unsafe fn(Field, usize, usize, usize, &mut Vec<u32>);

/// The widest way this processor knows. Calling it is safe: it was asked for first.
pub fn widest() -> Scan {
    #[cfg(target_arch = "x86_64")]
    {
        if is_x86_feature_detected!("avx512vpopcntdq") && is_x86_feature_detected!("avx512vl") {
            return avx512;
        }
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("popcnt") {
            return avx2;
        }
    }
    anywhere
}

fn anywhere(field: Field, x: usize, from: usize, to: usize, near: &mut Vec<u32>) {
    scan(field, x, from, to, near);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
fn avx2(field: Field, x: usize, from: usize, to: usize, near: &mut Vec<u32>) {
    scan(field, x, from, to, near);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512vl,avx512vpopcntdq,popcnt,bmi1,bmi2")]
fn avx512(field: Field, x: usize, from: usize, to: usize, near: &mut Vec<u32>) {
    scan(field, x, from, to, near);
}

#[inline(always)]
fn scan(field: Field, x: usize, from: usize, to: usize, near: &mut Vec<u32>) {
    let mut left = from;
    while left < to {
        let right = to.min(left + CHUNK);
        let limit = most(field.lengths[x], field.lengths[right - 1]);
        let mut close = close(field.marks, x, left, right, u64::from(limit));
        while close != 0 {
            let y = left + close.trailing_zeros() as usize;
            close &= close - 1;
            if field.label[x] != field.label[y] && beside(field, x, y) {
                near.push(y as u32);
            }
        }
        left = right;
    }
}

/// A bit for each title of a chunk whose characters could be near. Counts above thresholds differ in
/// at most as many places as there are characters to take out and put in.
#[inline(always)]
fn close(marks: &Marks, x: usize, left: usize, right: usize, limit: u64) -> u64 {
    let row: [u64; WORDS] = std::array::from_fn(|w| marks.often[w][x]);
    let columns: [&[u64]; WORDS] = std::array::from_fn(|w| &marks.often[w][left..right]);
    let mut sums = [u64::MAX; CHUNK];
    if right - left == CHUNK {
        add(row, columns.map(|column| column.first_chunk().unwrap()), &mut sums);
    } else {
        for i in 0..right - left {
            sums[i] = (0..WORDS).map(|w| u64::from((columns[w][i] ^ row[w]).count_ones())).sum();
        }
    }
    let mut close = 0;
    for (i, &sum) in sums.iter().enumerate() {
        close |= u64::from(sum <= limit) << i;
    }
    close
}

#[inline(always)]
fn add(row: [u64; WORDS], columns: [&[u64; CHUNK]; WORDS], sums: &mut [u64; CHUNK]) {
    for i in 0..CHUNK {
        sums[i] = 0;
        for w in 0..WORDS {
            sums[i] += u64::from((columns[w][i] ^ row[w]).count_ones());
        }
    }
}

/// Taking a character out or putting one in changes three pairs of neighbours at most.
#[inline(always)]
fn beside(field: Field, x: usize, y: usize) -> bool {
    let (one, other) = (&field.marks.beside[x], &field.marks.beside[y]);
    let differ: u32 = (0..BESIDE).map(|w| (one[w] ^ other[w]).count_ones()).sum();
    differ <= 3 * most(field.lengths[x], field.lengths[y])
}
