//! The engine as Python sees it, one URL at a time: strings in, strings and results out.
//! What is handed back, and what is refused, goes to the Python engine, which says why.

use std::cell::Cell;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString, PyTuple, PyType};
use pyo3::{ffi, intern};

use crate::engine::{self, Scratch};
use crate::outcome::Outcome;
use crate::values::{self, Blanks};

thread_local! {
    static SCRATCH: Cell<Option<Box<Scratch>>> = const { Cell::new(None) };
}

/// Works with this thread's scratch. What is made of its result may run any Python code, which may
/// come back here: then there is a new one.
fn with_scratch<T>(work: impl FnOnce(&mut Scratch) -> T) -> T {
    let mut scratch = SCRATCH.take().unwrap_or_default();
    let result = work(&mut scratch);
    SCRATCH.set(Some(scratch));
    result
}

/// The bytes of a URL, None where it is neither text without surrogates nor bytes.
pub fn bytes<'a>(url: &'a Bound<'_, PyAny>) -> Option<&'a [u8]> {
    if let Ok(text) = url.cast::<PyString>() {
        text.to_str().ok().map(str::as_bytes)
    } else {
        url.cast::<PyBytes>().ok().map(|bytes| bytes.as_bytes())
    }
}

/// A plan, ready to run.
#[pyclass(frozen, module = "sameas_native")]
pub struct Engine {
    pub engine: engine::Engine,
}

#[pymethods]
impl Engine {
    #[new]
    fn new(plan_json: &str) -> PyResult<Engine> {
        let engine = engine::Engine::new(plan_json).map_err(PyValueError::new_err)?;
        Ok(Engine { engine })
    }

    /// What becomes of a URL here: "done", "handed back", or the code of a refusal.
    fn outcome(&self, url: &Bound<'_, PyAny>) -> &'static str {
        let Some(raw) = bytes(url) else { return "handed back" };
        match with_scratch(|scratch| self.engine.run(raw, scratch)) {
            Outcome::Done => "done",
            Outcome::HandBack => "handed back",
            Outcome::Refused(code) => code.text(),
        }
    }
}

/// A plan with the Python engine behind it, and what results are made of.
#[pyclass(frozen, module = "sameas_native")]
pub struct Door {
    engine: Py<Engine>,
    key: Py<PyAny>,
    canonicalize: Py<PyAny>,
    host: Py<PyAny>,
    result: Py<PyType>,
    policy: Py<PyAny>,
    fingerprint: Py<PyAny>,
    /// By the bits of the flags.
    flags: Vec<Py<PyTuple>>,
    blanks: Blanks,
}

#[pymethods]
impl Door {
    /// `key` and `canonicalize` are the Python engine's, `host` tells how browsers write a host,
    /// `result` is the class of results.
    #[new]
    fn new(
        engine: Bound<'_, Engine>,
        key: Py<PyAny>,
        canonicalize: Py<PyAny>,
        host: Py<PyAny>,
        result: Py<PyType>,
        policy: Py<PyAny>,
        fingerprint: Py<PyAny>,
    ) -> PyResult<Door> {
        let py = engine.py();
        let plan = &engine.get().engine;
        let flags = (0..engine::FLAGS).map(|bits| PyTuple::new(py, plan.flag_names(bits)));
        Ok(Door {
            flags: flags.map(|flags| flags.map(Bound::unbind)).collect::<PyResult<_>>()?,
            blanks: Blanks::new(py, plan)?,
            engine: engine.unbind(),
            key,
            canonicalize,
            host,
            result,
            policy,
            fingerprint,
        })
    }

    /// The key of a URL, in small hexadecimal digits.
    fn key<'py>(&self, url: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let key = |scratch: &Scratch| Ok(values::hex(url.py(), &scratch.key()).into_any());
        match self.found(url, engine::Engine::run_key, key)? {
            Some(key) => Ok(key),
            None => self.key.bind(url.py()).call1((url,)),
        }
    }

    /// The result of a URL, whole.
    fn canonicalize<'py>(&self, url: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let result = |scratch: &Scratch| self.result(url, scratch);
        match self.found(url, engine::Engine::run_full, result)? {
            Some(result) => Ok(result),
            None => self.canonicalize.bind(url.py()).call1((url,)),
        }
    }
}

type Run = fn(&engine::Engine, &[u8], &mut Scratch) -> Outcome;

impl Door {
    /// What is made of a result, None where Python has to give it. An odd host is asked for, and
    /// then it goes on here.
    fn found<T>(
        &self,
        url: &Bound<'_, PyAny>,
        run: Run,
        make: impl Fn(&Scratch) -> PyResult<T>,
    ) -> PyResult<Option<T>> {
        let Some(raw) = bytes(url) else { return Ok(None) };
        with_scratch(|scratch| {
            loop {
                match run(self.plan(), raw, scratch) {
                    Outcome::Done => return make(scratch).map(Some),
                    Outcome::HandBack if self.learns(url.py(), scratch)? => {}
                    _ => return Ok(None),
                }
            }
        })
    }

    /// Each turn knows a host more than the one before; a URL has only a few.
    fn learns(&self, py: Python<'_>, scratch: &Scratch) -> PyResult<bool> {
        let Some(odd) = self.plan().odd_host(scratch) else { return Ok(false) };
        let written = self.host.bind(py).call1((PyBytes::new(py, odd),))?;
        Ok(self.plan().learn(odd, written.cast::<PyString>()?.to_str()?.as_bytes()))
    }

    pub fn plan(&self) -> &engine::Engine {
        &self.engine.get().engine
    }

    /// A result is a frozen dataclass: its fields are filled as `object.__setattr__` fills them.
    pub fn result<'py>(
        &self,
        url: &Bound<'py, PyAny>,
        scratch: &Scratch,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = url.py();
        let engine = &self.engine.get().engine;
        let canonical = PyString::new(py, scratch.url());
        let form = match scratch.form_is_url() {
            true => canonical.clone(),
            false => PyString::new(py, scratch.form()),
        };
        let key = values::hex(py, &scratch.key());
        let notes = self.blanks.notes(engine, scratch, &canonical, &key)?;
        let flags = self.flags[usize::from(scratch.flags())].bind(py);
        let result = self.empty(py)?;
        for (name, value) in [
            (intern!(py, "url"), canonical.as_any()),
            (intern!(py, "form"), form.as_any()),
            (intern!(py, "key"), key.as_any()),
            (intern!(py, "original"), url),
            (intern!(py, "policy"), self.policy.bind(py)),
            (intern!(py, "fingerprint"), self.fingerprint.bind(py)),
            (intern!(py, "flags"), flags.as_any()),
            (intern!(py, "notes"), notes.as_any()),
        ] {
            // SAFETY: all three are live objects, and the call keeps none it does not own.
            let failed = unsafe {
                ffi::PyObject_GenericSetAttr(result.as_ptr(), name.as_ptr(), value.as_ptr())
            };
            if failed != 0 {
                return Err(PyErr::fetch(py));
            }
        }
        Ok(result)
    }

    fn empty<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let class = self.result.bind(py).as_type_ptr();
        // SAFETY: the class is a plain one of Python's, which object.__new__ would fill the same way.
        unsafe { Bound::from_owned_ptr_or_err(py, ffi::PyType_GenericAlloc(class, 0)) }
    }
}
