//! Results as Python objects: keys, and what the notes say.

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};

use crate::engine::{Engine, Scratch, Value};
use crate::notes::Note;

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

/// Notes are filled copies of these: a copy has its keys already.
pub struct Blanks {
    names: Vec<Py<PyString>>,
    /// All notes but that of wrappers, which hardly a result has.
    notes: Py<PyDict>,
    page: Py<PyDict>,
    language: Py<PyDict>,
    citation: Py<PyDict>,
}

impl Blanks {
    pub fn new(py: Python<'_>, engine: &Engine) -> PyResult<Blanks> {
        let blank = |keys: &[&str]| {
            let dict = PyDict::new(py);
            keys.iter().try_for_each(|key| dict.set_item(PyString::intern(py, key), py.None()))?;
            Ok::<_, PyErr>(dict)
        };
        let page = blank(&["paginated", "page_param", "total_pages"])?;
        page.set_item("paginated", false)?;
        let citation = blank(&["citable", "qualifier"])?;
        citation.set_item("citable", true)?;
        let names = engine.note_names();
        let usual = names.clone().filter(|(_, note)| *note != Note::Wrappers).map(|(name, _)| name);
        Ok(Blanks {
            names: names.map(|(name, _)| PyString::intern(py, name).unbind()).collect(),
            notes: blank(&usual.collect::<Vec<_>>())?.unbind(),
            page: page.unbind(),
            language: blank(&["language", "alternates"])?.unbind(),
            citation: citation.unbind(),
        })
    }

    pub fn notes<'py>(
        &self,
        engine: &Engine,
        scratch: &Scratch,
        url: &Bound<'py, PyString>,
        key: &Bound<'py, PyString>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let notes = match scratch.is_unwrapped() {
            true => PyDict::new(url.py()),
            false => self.notes.bind(url.py()).copy()?,
        };
        for (place, name) in self.names.iter().enumerate() {
            if let Some(value) = engine.note(place, scratch) {
                notes.set_item(name, self.value(value, url, key)?)?;
            }
        }
        Ok(notes)
    }

    fn value<'py>(
        &self,
        value: Value<'_>,
        url: &Bound<'py, PyString>,
        key: &Bound<'py, PyString>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = url.py();
        Ok(match value {
            Value::Null => py.None().into_bound(py),
            Value::Text(text) => PyString::new(py, text).into_any(),
            Value::Url => url.clone().into_any(),
            Value::Hash(hash) => hex(py, hash).into_any(),
            Value::Key => key.clone().into_any(),
            Value::Hosts(hosts) => PyList::new(py, hosts)?.into_any(),
            Value::Page(name) => {
                let page = self.page.bind(py).copy()?;
                if let Some(name) = name {
                    page.set_item(intern!(py, "paginated"), true)?;
                    page.set_item(intern!(py, "page_param"), name)?;
                }
                page.into_any()
            }
            Value::Language(code) => {
                let variants = self.language.bind(py).copy()?;
                variants.set_item(intern!(py, "language"), code)?;
                variants.set_item(intern!(py, "alternates"), PyDict::new(py))?;
                variants.into_any()
            }
            Value::Citation(host) => {
                let citation = self.citation.bind(py).copy()?;
                if let Some(host) = host {
                    let told = format!("Puedes consultar mas informacion en la web ({host})");
                    citation.set_item(intern!(py, "citable"), false)?;
                    citation.set_item(intern!(py, "qualifier"), told)?;
                }
                citation.into_any()
            }
        })
    }
}
