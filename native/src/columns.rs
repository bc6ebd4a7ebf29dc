//! Columns as Python gives and gets them: Arrow capsules in, buffers out.
//! It decides what is handed over; arrow.rs reads columns, batch.rs answers them.

use std::ffi::c_int;

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict};

use crate::answers::{Answers, Wanted};
use crate::arrow::Column;
use crate::batch::{self, Rows};
use crate::python::Engine;

/// Memory that Python reads where it lies.
#[pyclass(frozen, module = "sameas_native")]
pub struct Buffer(Memory);

enum Memory {
    Bytes(Vec<u8>),
    Numbers(Vec<i64>),
}

#[pymethods]
impl Buffer {
    unsafe fn __getbuffer__(
        slf: Bound<'_, Self>,
        view: *mut ffi::Py_buffer,
        flags: c_int,
    ) -> PyResult<()> {
        let (start, length) = match &slf.get().0 {
            Memory::Bytes(bytes) => (bytes.as_ptr(), bytes.len()),
            Memory::Numbers(numbers) => (numbers.as_ptr().cast(), size_of_val(&numbers[..])),
        };
        // SAFETY: the memory lives and stays where it is as long as its owner, which the view holds.
        let failed = unsafe {
            let start = start.cast_mut().cast();
            ffi::PyBuffer_FillInfo(view, slf.as_ptr(), start, length as isize, 1, flags)
        };
        if failed == 0 { Ok(()) } else { Err(PyErr::fetch(slf.py())) }
    }
}

/// The answers to a column, as buffers by name: bits `given`, `accepted` and `refused`, the rows
/// that are `handed_back`, the `places` of all rows once these stand behind the others, and for
/// each column of texts its offsets and its bytes.
#[pyfunction]
pub fn column<'py>(
    engine: &Bound<'py, Engine>,
    schema: &Bound<'py, PyCapsule>,
    array: &Bound<'py, PyCapsule>,
    wanted: &str,
    binary: bool,
    threads: Option<usize>,
) -> PyResult<Bound<'py, PyDict>> {
    let py = engine.py();
    let whole = wanted == "whole";
    let wanted = Wanted {
        url: whole || wanted == "url",
        key: whole || wanted == "key",
        hex: !binary,
        whole,
    };
    let threads = threads.unwrap_or_else(batch::cores);
    let rows = Column::new(schema, array)?;
    let engine = &engine.get().engine;
    let answers = py.detach(|| batch::answered(engine, &rows, wanted, threads));
    handed_over(py, answers, rows.count())
}

fn handed_over(py: Python<'_>, answers: Answers, rows: usize) -> PyResult<Bound<'_, PyDict>> {
    let found = PyDict::new(py);
    let bytes = |bytes| Buffer(Memory::Bytes(bytes));
    let numbers = |numbers| Buffer(Memory::Numbers(numbers));
    found.set_item("given", bytes(answers.given.bytes))?;
    found.set_item("accepted", bytes(answers.accepted.bytes))?;
    found.set_item("refused", bytes(answers.refused.bytes))?;
    found.set_item("places", numbers(places(&answers.handed_back, rows)))?;
    found.set_item("handed_back", numbers(answers.handed_back))?;
    found.set_item("flag_offsets", numbers(answers.flags.offsets))?;
    for (name, texts) in [
        ("url", answers.url),
        ("form", answers.form),
        ("key", answers.key),
        ("flags", answers.flags.items),
        ("error", answers.error),
    ] {
        found.set_item(name, (numbers(texts.offsets), bytes(texts.bytes)))?;
    }
    Ok(found)
}

/// Where each row is found once those that were handed back stand, in order, behind all rows.
fn places(handed_back: &[i64], rows: usize) -> Vec<i64> {
    if handed_back.is_empty() {
        return Vec::new();
    }
    let mut places: Vec<i64> = (0..rows as i64).collect();
    for (place, row) in (rows as i64..).zip(handed_back) {
        places[*row as usize] = place;
    }
    places
}
