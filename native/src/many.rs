//! Many results at once: worked out without Python on all cores, then made Python's objects.
//! It decides how URLs are shared out; what a result is made of is the business of python.rs.

use std::thread;

use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::batch;
use crate::engine::{Engine, Scratch};
use crate::outcome::Outcome;
use crate::python::{Door, bytes};

/// How many URLs are worked on before their results are made: each takes a scratch of its own.
const PIECE: usize = 1024;
/// A thread costs as much as some URLs.
const FEWEST: usize = 128;

struct Desk {
    scratch: Scratch,
    outcome: Outcome,
}

impl Desk {
    fn new() -> Desk {
        Desk { scratch: Scratch::new(), outcome: Outcome::HandBack }
    }
}

/// A result for each URL, None for one that is refused or handed back.
#[pyfunction]
pub fn many<'py>(
    door: &Bound<'py, Door>,
    urls: Vec<Bound<'py, PyAny>>,
    threads: Option<usize>,
) -> PyResult<Bound<'py, PyList>> {
    let py = door.py();
    let threads = threads.unwrap_or_else(batch::cores);
    let (door, results) = (door.get(), PyList::empty(py));
    let engine = door.plan();
    let mut desks = Vec::new();
    for piece in urls.chunks(PIECE) {
        let raws: Vec<Option<&[u8]>> = piece.iter().map(bytes).collect();
        desks.resize_with(raws.len(), Desk::new);
        py.detach(|| shared_out(engine, &raws, &mut desks, threads));
        for (url, desk) in piece.iter().zip(&desks) {
            match desk.outcome {
                Outcome::Done => results.append(door.result(url, &desk.scratch)?)?,
                _ => results.append(py.None())?,
            }
        }
    }
    Ok(results)
}

fn shared_out(engine: &Engine, raws: &[Option<&[u8]>], desks: &mut [Desk], threads: usize) {
    let share = raws.len().div_ceil(threads).max(FEWEST);
    thread::scope(|scope| {
        let mut shares = raws.chunks(share).zip(desks.chunks_mut(share));
        let own = shares.next();
        for (raws, desks) in shares {
            scope.spawn(|| work(engine, raws, desks));
        }
        if let Some((raws, desks)) = own {
            work(engine, raws, desks);
        }
    });
}

fn work(engine: &Engine, raws: &[Option<&[u8]>], desks: &mut [Desk]) {
    for (raw, desk) in raws.iter().zip(desks) {
        desk.outcome = match raw {
            Some(raw) => engine.run_full(raw, &mut desk.scratch),
            None => Outcome::HandBack,
        };
    }
}
