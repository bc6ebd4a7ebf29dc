//! Many URLs at once: shared out among threads, answered without Python, put together in order.
//! It decides who answers which rows; what an answer leaves behind is the business of answers.rs.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crate::answers::{Answers, Clerk, Wanted};
use crate::engine::Engine;

/// Fewer rows than these are not worth another thread's while.
const FEWEST: usize = 4096;
/// Each thread takes its share in so many turns, so that none is waited for long.
const TURNS: usize = 8;

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
    let size = match threads.min(rows.count().div_ceil(FEWEST)) {
        0 | 1 => rows.count(),
        threads => rows.count().div_ceil(threads * TURNS),
    };
    // The bits of two pieces share no byte.
    let size = size.next_multiple_of(8).max(8);
    let mut pieces: Vec<OnceLock<Answers>> = Vec::new();
    pieces.resize_with(rows.count().div_ceil(size), OnceLock::new);
    let next = AtomicUsize::new(0);
    let work = || {
        let mut clerk = Clerk::new(engine, wanted);
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(piece) = pieces.get(number) else { break };
            let first = number * size;
            piece.get_or_init(|| clerk.answers(rows, first..rows.count().min(first + size)));
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
