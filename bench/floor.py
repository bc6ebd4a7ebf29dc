"""The floor under every engine: a bare parse in C++ and a bare hash, without a word of Python.

It decides how bench/floor, a crate of its own, is built and called; what it does stands there.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

CRATE = Path(__file__).parent / "floor"
BUILT = Path(__file__).parent.parent / ".cache" / "floor"


def library() -> ctypes.CDLL:
    """Built where it is not up to date; without a toolchain it is missing, as a package can be."""
    if shutil.which("cargo") is None:
        raise ImportError("no Rust toolchain")
    command = ["cargo", "build", "--release", "-q", "--manifest-path", str(CRATE / "Cargo.toml")]
    subprocess.run(command, env={**os.environ, "CARGO_TARGET_DIR": str(BUILT)}, check=True)
    return ctypes.CDLL(str(BUILT / "release" / "libfloor.so"))


def over(column: Any, name: str) -> Callable[[], int]:
    """`parse`, `hash` or `parse_and_hash` of a column of large strings, read where it lies."""
    return _called(column, name)


def over_by_openssl(column: Any) -> Callable[[], int]:
    """`parse_and_hash` with the hash that C and C++ programs have from OpenSSL."""
    found = ctypes.util.find_library("crypto")
    if found is None:
        raise ImportError("no OpenSSL")
    sha256 = ctypes.cast(ctypes.CDLL(found).SHA256, ctypes.c_void_p)
    return _called(column, "parse_and_hash_by", sha256)


def _called(column: Any, name: str, *more: ctypes.c_void_p) -> Callable[[], int]:
    function = getattr(library(), name)
    pointers = [ctypes.c_void_p, ctypes.c_void_p]
    function.argtypes = [*pointers, ctypes.c_size_t, *(ctypes.c_void_p for _ in more)]
    function.restype = ctypes.c_uint64
    _, offsets, data = column.buffers()
    return lambda: int(function(data.address, offsets.address, len(column), *more))
