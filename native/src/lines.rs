//! URLs that stand one a line: their canonical URLs one a line, or their keys end to end.
//! A line that is handed back or refused stays empty and is told: the Python engine says the rest.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::engine::{Engine, Scratch};
use crate::outcome::Outcome;
use crate::python;

/// What a thread takes at a time.
const PIECE: usize = 64 * 1024;

/// What some lines give: bytes, and the lines that gave nothing, each with its place in the bytes.
#[derive(Default)]
struct Given {
    bytes: Vec<u8>,
    lines: usize,
    open: Vec<(usize, usize)>,
}

impl Given {
    fn append(&mut self, more: &Given) {
        let (line, place) = (self.lines, self.bytes.len());
        self.open.extend(more.open.iter().map(|&(l, p)| (line + l, place + p)));
        self.bytes.extend_from_slice(&more.bytes);
        self.lines += more.lines;
    }
}

/// Writes one line's answer behind the others; false where there is none.
type Answer = fn(&Engine, &[u8], &mut Scratch, &mut Vec<u8>) -> bool;

fn url(engine: &Engine, line: &[u8], scratch: &mut Scratch, out: &mut Vec<u8>) -> bool {
    let done = engine.run_url(line, scratch) == Outcome::Done && stays_one_line(scratch.url());
    if done {
        out.extend_from_slice(scratch.url().as_bytes());
    }
    done
}

fn key(engine: &Engine, line: &[u8], scratch: &mut Scratch, out: &mut Vec<u8>) -> bool {
    let done = engine.run_key(line, scratch) == Outcome::Done;
    out.extend_from_slice(&if done { scratch.key() } else { [0; 32] });
    done
}

/// In `tk` a decoded path can hold a line break. What is not plain is looked at by Python.
fn stays_one_line(url: &str) -> bool {
    url.bytes().all(|byte| (b' '..0x7f).contains(&byte))
}

fn answered(engine: &Engine, text: &[u8], answer: Answer, ending: &[u8]) -> Given {
    let pieces = pieces(text);
    let answers: Vec<OnceLock<Given>> = pieces.iter().map(|_| OnceLock::new()).collect();
    let next = AtomicUsize::new(0);
    let work = || {
        let mut scratch = Scratch::new();
        while let Some(&piece) = pieces.get(next.fetch_add(1, Ordering::Relaxed)) {
            let number = piece.0;
            answers[number].get_or_init(|| lines(engine, piece.1, answer, ending, &mut scratch));
        }
    };
    let threads = thread::available_parallelism().map_or(1, usize::from).min(pieces.len());
    thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(work);
        }
        work();
    });
    let mut given = answers.into_iter().filter_map(OnceLock::into_inner);
    let mut all = given.next().unwrap_or_default();
    given.for_each(|more| all.append(&more));
    all
}

/// Whole lines, numbered, each piece about as long as another.
fn pieces(mut text: &[u8]) -> Vec<(usize, &[u8])> {
    let mut pieces = Vec::new();
    while !text.is_empty() {
        let least = text.len().min(PIECE);
        let end = text[least..].iter().position(|&byte| byte == b'\n');
        let (piece, rest) = text.split_at(end.map_or(text.len(), |end| least + end + 1));
        pieces.push((pieces.len(), piece));
        text = rest;
    }
    pieces
}

fn lines(
    engine: &Engine,
    piece: &[u8],
    answer: Answer,
    ending: &[u8],
    scratch: &mut Scratch,
) -> Given {
    let mut given = Given::default();
    given.bytes.reserve(piece.len());
    for line in piece.split_inclusive(|&byte| byte == b'\n') {
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        let place = given.bytes.len();
        if !answer(engine, line, scratch, &mut given.bytes) {
            given.open.push((given.lines, place));
        }
        given.bytes.extend_from_slice(ending);
        given.lines += 1;
    }
    given
}

type Told<'py> = (Bound<'py, PyBytes>, Vec<(usize, usize)>);

/// The canonical URL of each line on a line; the lines that have none here, and their places.
#[pyfunction]
pub fn urls_of_lines<'py>(
    py: Python<'py>,
    engine: &Bound<'py, python::Engine>,
    text: &[u8],
) -> Told<'py> {
    told(py, engine, text, url, b"\n")
}

/// The key of each line in 32 bytes; the lines that have none here, and their places.
#[pyfunction]
pub fn keys_of_lines<'py>(
    py: Python<'py>,
    engine: &Bound<'py, python::Engine>,
    text: &[u8],
) -> Told<'py> {
    told(py, engine, text, key, b"")
}

fn told<'py>(
    py: Python<'py>,
    engine: &Bound<'py, python::Engine>,
    text: &[u8],
    answer: Answer,
    ending: &[u8],
) -> Told<'py> {
    let engine = &engine.get().engine;
    let given = py.detach(|| answered(engine, text, answer, ending));
    (PyBytes::new(py, &given.bytes), given.open)
}
