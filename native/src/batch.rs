//! Many URLs at once: shared out among threads, answered without Python, put together in order.
//! It decides who answers which rows; what an answer leaves behind is the business of answers.rs.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crate::answers::{Answers, Clerk, Wanted};
use crate::engine::Engine;

/// What a thread takes at a time: a multiple of 8, so that the bits of two pieces share no byte.
const PIECE: usize = 4096;

/// Rows that any thread may read.
pub trait Rows: Sync {
    fn count(&self) -> usize;
    /// The bytes of a URL, None where there is none.
    fn row(&self, number: usize) -> Option<&[u8]>;
}

/// How many threads can work at the same time.
pub fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// Every row answered, by as many threads as there is work for.
pub fn answered(engine: &Engine, rows: &impl Rows, wanted: Wanted, threads: usize) -> Answers {
    let mut pieces: Vec<OnceLock<Answers>> = Vec::new();
    pieces.resize_with(rows.count().div_ceil(PIECE), OnceLock::new);
    let next = AtomicUsize::new(0);
    let work = || {
        let mut clerk = Clerk::new(engine, wanted);
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(piece) = pieces.get(number) else { break };
            piece.get_or_init(|| part(&mut clerk, rows, number * PIECE));
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads.min(pieces.len()) {
            scope.spawn(work);
        }
        work();
    });
    let mut parts = pieces.into_iter().filter_map(OnceLock::into_inner);
    let mut all = parts.next().unwrap_or_default();
    parts.for_each(|part| all.append(&part));
    all
}

fn part(clerk: &mut Clerk<'_>, rows: &impl Rows, first: usize) -> Answers {
    let mut answers = Answers::default();
    for number in first..rows.count().min(first + PIECE) {
        clerk.answer(number, rows.row(number), &mut answers);
    }
    answers
}
