"""Taking bodies apart: what goes in comes out, and never more than was allowed."""

from __future__ import annotations

import gzip
import zlib

from hypothesis import given
from hypothesis import strategies as st

from sameas.net.inflate import Broken, TooLarge, inflate

PACK = {"gzip": lambda data: gzip.compress(data, mtime=0), "deflate": zlib.compress}


@given(st.binary(max_size=500), st.lists(st.sampled_from(sorted(PACK)), max_size=4))
def test_what_was_packed_comes_out_layer_by_layer(data: bytes, layers: list[str]):
    packed = data
    for layer in layers:
        packed = PACK[layer](packed)
    assert inflate(packed, ", ".join(layers), 10_000) == data


@given(st.lists(st.binary(max_size=50), min_size=1, max_size=9))
def test_members_are_one_body(pieces: list[bytes]):
    assert inflate(b"".join(map(gzip.compress, pieces)), "gzip", 10_000) == b"".join(pieces)


@given(st.integers(0, 300), st.integers(0, 300), st.sampled_from(sorted(PACK)))
def test_the_limit_holds_to_the_byte(size: int, limit: int, layer: str):
    try:
        assert len(inflate(PACK[layer](b"x" * size), layer, limit)) == size
    except TooLarge:
        assert size > limit
    else:
        assert size <= limit


@given(st.binary(max_size=200), st.text(alphabet="gzip deflate,x-", max_size=20))
def test_any_bytes_give_a_body_or_a_reason(data: bytes, encoding: str):
    try:
        assert len(inflate(data, encoding, 1_000)) <= 1_000
    except (Broken, TooLarge):
        pass


@given(st.binary(min_size=1, max_size=300), st.data())
def test_a_packed_body_that_is_cut_is_never_taken_for_whole(data: bytes, draw: st.DataObject):
    packed = gzip.compress(data)
    cut = packed[: draw.draw(st.integers(1, len(packed) - 1))]
    try:
        inflate(cut, "gzip", 10_000)
    except Broken:
        return
    raise AssertionError("it was taken for whole")
