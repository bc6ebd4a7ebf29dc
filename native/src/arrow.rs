//! A column of URLs in Arrow's C data interface, read where it lies and never copied.
//! It decides which bytes a row has; what they mean is the engine's business.

use std::ffi::{CStr, c_char, c_void};
use std::marker::PhantomData;
use std::slice::from_raw_parts;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyCapsuleMethods};

use crate::batch::Rows;

/// The beginning of `struct ArrowSchema`: more of it is not read here.
#[repr(C)]
struct Schema {
    format: *const c_char,
}

/// The beginning of `struct ArrowArray`.
#[repr(C)]
struct Array {
    length: i64,
    null_count: i64,
    offset: i64,
    n_buffers: i64,
    n_children: i64,
    buffers: *const *const c_void,
}

/// How the bytes of a row are found.
enum Layout {
    Offsets32(*const i32, *const u8),
    Offsets64(*const i64, *const u8),
    Views(*const [u8; VIEW], *const *const u8),
}

const VIEW: usize = 16;
const LONGEST_INLINE: usize = 12;

/// A column whose memory belongs to its capsule.
pub struct Column<'a> {
    length: usize,
    offset: usize,
    valid: *const u8,
    layout: Layout,
    capsule: PhantomData<&'a PyCapsule>,
}

// SAFETY: the memory is read and never written, by its producer neither, while the capsule lives.
unsafe impl Send for Column<'_> {}
unsafe impl Sync for Column<'_> {}

impl<'a> Column<'a> {
    /// The column that two capsules of the Arrow PyCapsule interface describe.
    pub fn new(
        schema: &Bound<'_, PyCapsule>,
        array: &'a Bound<'_, PyCapsule>,
    ) -> PyResult<Column<'a>> {
        let schema = schema.pointer_checked(Some(c"arrow_schema"))?.cast::<Schema>();
        let array = array.pointer_checked(Some(c"arrow_array"))?.cast::<Array>();
        // SAFETY: the names of the capsules say what they hold; the producer answers for the rest.
        unsafe {
            let (format, array) = (CStr::from_ptr(schema.as_ref().format), array.as_ref());
            let buffer = |number: usize| *array.buffers.add(number);
            let layout = match format.to_bytes() {
                b"u" | b"z" => Layout::Offsets32(buffer(1).cast(), buffer(2).cast()),
                b"U" | b"Z" => Layout::Offsets64(buffer(1).cast(), buffer(2).cast()),
                b"vu" | b"vz" => Layout::Views(buffer(1).cast(), array.buffers.add(2).cast()),
                _ => {
                    let told = format!("no column of text or bytes: its format is {format:?}");
                    return Err(PyTypeError::new_err(told));
                }
            };
            Ok(Column {
                length: array.length as usize,
                offset: array.offset as usize,
                valid: buffer(0).cast(),
                layout,
                capsule: PhantomData,
            })
        }
    }

    /// Where a row's bytes begin, and how many they are.
    unsafe fn place(&self, at: usize) -> (*const u8, usize) {
        // SAFETY: `at` is a row of the column. Nobody promises that what is read is aligned.
        unsafe {
            match self.layout {
                Layout::Offsets32(offsets, data) => {
                    let start = offsets.add(at).read_unaligned() as usize;
                    let end = offsets.add(at + 1).read_unaligned() as usize;
                    (data.add(start), end.saturating_sub(start))
                }
                Layout::Offsets64(offsets, data) => {
                    let start = offsets.add(at).read_unaligned() as usize;
                    let end = offsets.add(at + 1).read_unaligned() as usize;
                    (data.add(start), end.saturating_sub(start))
                }
                Layout::Views(views, buffers) => {
                    let view = views.add(at);
                    let number = |from: usize| view.cast::<u8>().add(from).cast::<i32>();
                    let length = number(0).read_unaligned() as usize;
                    if length <= LONGEST_INLINE {
                        return (view.cast::<u8>().add(4), length);
                    }
                    let buffer = *buffers.add(number(8).read_unaligned() as usize);
                    (buffer.add(number(12).read_unaligned() as usize), length)
                }
            }
        }
    }
}

impl Rows for Column<'_> {
    fn count(&self) -> usize {
        self.length
    }

    fn row(&self, number: usize) -> Option<&[u8]> {
        let at = self.offset + number;
        // SAFETY: there is a bit and a place for each row up to the offset and the length.
        unsafe {
            if !self.valid.is_null() && *self.valid.add(at / 8) >> (at % 8) & 1 == 0 {
                return None;
            }
            let (start, length) = self.place(at);
            Some(if length == 0 { b"" } else { from_raw_parts(start, length) })
        }
    }
}
