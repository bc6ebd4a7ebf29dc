//! Pairs of titles worth asking, on all cores: the door to Python, and who does which rows.
//! Too many pairs perhaps, never too few. Which of them are alike is decided in Python.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{Builder, available_parallelism, scope};

use pyo3::buffer::PyBuffer;
use pyo3::exceptions::PyValueError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};

use crate::title_indel::Pattern;
use crate::title_letters::{Dealer, Letters};
use crate::title_marks::Marks;
use crate::title_scan::{Field, Scan, most, widest};

/// Rows that are looked at together: they share what they bring into the cache.
const ROWS: usize = 8;
const COLUMNS: usize = 8192;
/// A piece of work ends after so many rows, or at the row that makes it so many pairs.
const PIECE: usize = 2048;
const MOST_PAIRS: usize = 16_384;

/// Which rows are compared with which columns: `rows` of them, with those from `apart` on.
#[derive(Clone, Copy)]
struct Rows<'a> {
    label: &'a [i64],
    rows: usize,
    apart: usize,
}

type Pairs = Vec<(u32, u32)>;

/// Titles, the shortest first.
#[pyclass(frozen)]
pub struct Titles {
    lengths: Vec<u32>,
    letters: Letters,
    marks: Marks,
    scan: Scan,
}

#[pymethods]
impl Titles {
    #[new]
    fn new(titles: &Bound<'_, PyList>) -> PyResult<Self> {
        let mut dealer = Dealer::new();
        let mut room = Vec::new();
        for title in titles {
            dealer.count(read(title.cast()?, &mut room)?);
        }
        let dealt = dealer.dealt();
        let mut letters = Letters::default();
        for title in titles {
            let title = read(title.cast()?, &mut room)?;
            letters.push(title.iter().map(|&letter| dealt[letter as usize]));
        }
        let lengths: Vec<u32> = letters.iter().map(|title| title.len() as u32).collect();
        if !lengths.is_sorted() {
            return Err(PyValueError::new_err("titles are given shortest first"));
        }
        let marks = Marks::of(&letters);
        Ok(Self { lengths, letters, marks, scan: widest() })
    }

    /// The next row, and the pairs of a piece of rows from `top` on that are not of one label, in
    /// order: the same ones whatever the number of threads (0: as many as there are cores). The
    /// first `apart` titles are compared with the others only.
    #[pyo3(signature = (top, label, apart = 0, threads = 0))]
    fn near(
        &self,
        py: Python<'_>,
        top: usize,
        label: PyBuffer<i64>,
        apart: usize,
        threads: usize,
    ) -> PyResult<(usize, Pairs)> {
        let label = label.to_vec(py)?;
        if label.len() != self.letters.len() {
            return Err(PyValueError::new_err("there is a label for each title"));
        }
        let rows = if apart > 0 { apart.min(label.len()) } else { label.len() };
        let all = Rows { label: &label, rows, apart };
        Ok(py.detach(|| self.piece(top, all, threads)))
    }
}

impl Titles {
    /// Units of rows are taken in order, and each that is taken is finished: what is kept, the
    /// first `MOST_PAIRS` to the end of their row, does not depend on who was quicker.
    fn piece(&self, top: usize, all: Rows, threads: usize) -> (usize, Pairs) {
        let bottom = all.rows.min(top + PIECE);
        let (next, found) = (AtomicUsize::new(top), AtomicUsize::new(0));
        let done = Mutex::new(Vec::new());
        let work = || {
            let mut pattern = Pattern::default();
            while found.load(Ordering::Relaxed) <= MOST_PAIRS {
                let first = next.fetch_add(ROWS, Ordering::Relaxed);
                if first >= bottom {
                    break;
                }
                let unit = self.unit(first, bottom.min(first + ROWS), all, &mut pattern);
                found.fetch_add(unit.iter().map(Vec::len).sum(), Ordering::Relaxed);
                done.lock().unwrap().push((first, unit));
            }
        };
        let helpers = cores(threads).min(bottom.saturating_sub(top) / (2 * ROWS) + 1) - 1;
        scope(|scope| {
            for _ in 0..helpers {
                // Where no further thread can be had, those there are do the work.
                let _ = Builder::new().spawn_scoped(scope, work);
            }
            work();
        });
        let mut units = done.into_inner().unwrap();
        units.sort_unstable_by_key(|&(first, _)| first);
        kept(units, bottom)
    }

    /// For each of some rows the longer titles, or later ones of its length, that are near.
    fn unit(&self, top: usize, bottom: usize, all: Rows, pattern: &mut Pattern) -> Vec<Vec<u32>> {
        let label = all.label;
        let field = Field { lengths: &self.lengths, marks: &self.marks, label };
        let ends: Vec<usize> = (top..bottom).map(|x| self.end(x)).collect();
        let mut near = vec![Vec::new(); bottom - top];
        let mut close = Vec::new();
        for left in (top..ends[bottom - top - 1]).step_by(COLUMNS) {
            for x in top..bottom {
                let (from, to) =
                    (left.max(x + 1).max(all.apart), ends[x - top].min(left + COLUMNS));
                if from >= to || label[from..to].iter().all(|&other| other == label[x]) {
                    continue;
                }
                // SAFETY: `widest` chose what this processor knows.
                unsafe { (self.scan)(field, x, from, to, &mut close) };
                self.by_indel(x, &mut close, &mut near[x - top], pattern);
            }
        }
        near
    }

    fn by_indel(&self, x: usize, close: &mut Vec<u32>, near: &mut Vec<u32>, pattern: &mut Pattern) {
        if close.is_empty() {
            return;
        }
        pattern.set(self.letters.title(x));
        for y in close.drain(..) {
            let (one, other) = (self.lengths[x], self.lengths[y as usize]);
            let shared = pattern.shared(self.letters.title(y as usize)) as u32;
            if one + other - 2 * shared <= most(one, other) {
                near.push(y);
            }
        }
    }

    /// Where the titles begin that are too long for a ratio of 0.85 with title `x`.
    fn end(&self, x: usize) -> usize {
        let longest = u64::from(self.lengths[x]) * 23 / 17;
        self.lengths.partition_point(|&length| u64::from(length) <= longest)
    }
}

fn kept(units: Vec<(usize, Vec<Vec<u32>>)>, bottom: usize) -> (usize, Pairs) {
    let mut pairs = Pairs::new();
    for (first, rows) in units {
        for (x, near) in (first..).zip(rows) {
            pairs.extend(near.into_iter().map(|y| (x as u32, y)));
            if pairs.len() > MOST_PAIRS {
                return (x + 1, pairs);
            }
        }
    }
    (bottom, pairs)
}

fn cores(threads: usize) -> usize {
    if threads > 0 { threads } else { available_parallelism().map_or(1, usize::from) }
}

/// The characters of a title, lone surrogates too.
fn read<'a>(title: &Bound<'_, PyString>, room: &'a mut Vec<u32>) -> PyResult<&'a [u32]> {
    let length = title.len()?;
    room.resize(length.max(room.len()), 0);
    // SAFETY: there is room for all of them.
    let copied =
        unsafe { ffi::PyUnicode_AsUCS4(title.as_ptr(), room.as_mut_ptr(), room.len() as isize, 0) };
    if copied.is_null() && length > 0 {
        return Err(PyErr::fetch(title.py()));
    }
    Ok(&room[..length])
}
