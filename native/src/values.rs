//! Results as Python objects: keys, and what the notes say.

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};

use crate::engine::{Engine, Scratch, Value};

/// The two digits of each byte.
static DIGITS: [[u8; 2]; 256] = two_digits();

const fn two_digits() -> [[u8; 2]; 256] {
    let digits = b"0123456789abcdef";
    let mut table = [[0; 2]; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = [digits[byte >> 4], digits[byte & 15]];
        byte += 1;
    }
    table
}

/// A key in small hexadecimal digits.
pub fn digits(key: &[u8; 32]) -> [u8; 64] {
    let mut text = [0; 64];
    for (two, byte) in text.as_chunks_mut().0.iter_mut().zip(key) {
        *two = DIGITS[usize::from(*byte)];
    }
    text
}

pub fn hex<'py>(py: Python<'py>, key: &[u8; 32]) -> Bound<'py, PyString> {
    PyString::new(py, str::from_utf8(&digits(key)).expect("digits are ASCII"))
}

pub fn notes<'py>(
    py: Python<'py>,
    engine: &Engine,
    scratch: &Scratch,
    names: &[Py<PyString>],
    url: &Bound<'py, PyString>,
    key: &Bound<'py, PyString>,
) -> PyResult<Bound<'py, PyDict>> {
    let notes = PyDict::new(py);
    for (place, name) in names.iter().enumerate() {
        if let Some(value) = engine.note(place, scratch) {
            notes.set_item(name, object(py, value, url, key)?)?;
        }
    }
    Ok(notes)
}

fn object<'py>(
    py: Python<'py>,
    value: Value<'_>,
    url: &Bound<'py, PyString>,
    key: &Bound<'py, PyString>,
) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        Value::Null => py.None().into_bound(py),
        Value::Text(text) => PyString::new(py, text).into_any(),
        Value::Url => url.clone().into_any(),
        Value::Hash(hash) => hex(py, hash).into_any(),
        Value::Key => key.clone().into_any(),
        Value::Hosts(hosts) => PyList::new(py, hosts)?.into_any(),
        Value::Page(name) => {
            let page = PyDict::new(py);
            page.set_item(intern!(py, "paginated"), name.is_some())?;
            page.set_item(intern!(py, "page_param"), name)?;
            page.set_item(intern!(py, "total_pages"), py.None())?;
            page.into_any()
        }
        Value::Language(code) => {
            let variants = PyDict::new(py);
            variants.set_item(intern!(py, "language"), code)?;
            variants.set_item(intern!(py, "alternates"), PyDict::new(py))?;
            variants.into_any()
        }
        Value::Citation(host) => {
            let qualifier =
                host.map(|host| format!("Puedes consultar mas informacion en la web ({host})"));
            let citation = PyDict::new(py);
            citation.set_item(intern!(py, "citable"), host.is_none())?;
            citation.set_item(intern!(py, "qualifier"), qualifier)?;
            citation.into_any()
        }
    })
}
