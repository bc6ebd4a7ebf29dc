//! The compiled engine of sameas: the door to Python.
//! It only makes faster what the Python engine decides.

use pyo3::prelude::*;

/// The version of spec/semantics.md that this crate implements.
const SEMANTICS: u32 = 1;

#[pymodule]
fn sameas_native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("SEMANTICS", SEMANTICS)
}
