//! The compiled engine of sameas: the door to Python.
//! It only makes faster what the Python engine decides.

mod answers;
mod arrow;
mod authority;
mod batch;
mod columns;
mod data;
pub mod engine;
mod hashing;
mod host;
mod hosts;
mod letters;
mod lines;
mod many;
mod names;
mod notes;
mod operations;
pub mod outcome;
mod overrides;
mod parts;
mod path;
mod plan;
mod python;
mod query;
mod redirector;
mod scan;
mod sites;
mod suffixes;
mod title_indel;
mod title_letters;
mod title_marks;
mod title_scan;
mod titles;
mod tk;
mod tk_read;
mod triplets;
mod values;

use pyo3::prelude::*;

#[pymodule]
fn sameas_native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("SEMANTICS", plan::SEMANTICS)?;
    module.add_class::<python::Engine>()?;
    module.add_class::<python::Door>()?;
    module.add_class::<titles::Titles>()?;
    module.add_function(wrap_pyfunction!(columns::column, module)?)?;
    module.add_function(wrap_pyfunction!(lines::urls_of_lines, module)?)?;
    module.add_function(wrap_pyfunction!(lines::keys_of_lines, module)?)?;
    module.add_function(wrap_pyfunction!(many::many, module)?)
}
