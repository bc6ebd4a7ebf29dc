//! The compiled engine of sameas: the door to Python.
//! It only makes faster what the Python engine decides.

mod title_indel;
mod title_letters;
mod title_marks;
mod title_scan;
mod titles;

use pyo3::prelude::*;

/// The version of spec/semantics.md that this crate implements.
const SEMANTICS: u32 = 1;

#[pymodule]
fn sameas_native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<titles::Titles>()?;
    module.add("SEMANTICS", SEMANTICS)
}
