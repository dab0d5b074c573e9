"""Records and units for property tests."""

import contextlib
from collections.abc import Callable
from typing import Any

from fakekafka.errors import MalformedBytes
from fakekafka.records import v0, v1, v2
from fakekafka.records.record import Header, Record
from hypothesis import strategies as st

keys = st.none() | st.binary(max_size=80)
values = st.none() | st.binary(max_size=300)
timestamps = st.integers(0, 2**41) | st.sampled_from([-1, 0, 1, 63, 64, 8192, 2**62])
names = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
headers: st.SearchStrategy[tuple[Header, ...]] = st.lists(
    st.tuples(names, st.none() | st.binary(max_size=40)), max_size=3
).map(tuple)


@st.composite
def records(draw: st.DrawFn, magic: int = 2, start: int | None = None, gaps: bool = True) -> list[Record]:
    """Records of one set with ascending offsets, as far as format `magic` can express them."""
    offset = draw(st.integers(0, 2**40)) if start is None else start
    out = []
    for _ in range(draw(st.integers(1, 8))):
        out.append(
            Record(
                offset,
                draw(timestamps) if magic else -1,
                0 if magic else -1,
                draw(keys),
                draw(values),
                draw(headers) if magic == 2 else (),
            )
        )
        offset += 1 + (draw(st.integers(0, 300)) if gaps else 0)
    return out


def build(magic: int, rows: list[Record], codec: int = 0) -> bytes:
    """A set of format `magic`, with the builder's defaults."""
    how: dict[str, Any] = {"codec": codec}
    return (v0.build, v1.build, v2.build)[magic](rows, **how)


@st.composite
def units(draw: st.DrawFn) -> bytes:
    """A set of any format and codec."""
    magic = draw(st.integers(0, 2))
    codec = draw(st.integers(0, 4 if magic == 2 else 3))
    return build(magic, draw(records(magic)), codec)


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    """A set of any format with some bytes changed, added or cut off."""
    data = bytearray(draw(units()))
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(data)))
        kind = draw(st.sampled_from(["set", "insert", "cut", "flip"]))
        if kind == "cut":
            del data[at : at + draw(st.integers(1, 40))]
        elif kind == "insert":
            data[at:at] = draw(st.binary(max_size=12))
        elif at < len(data):
            data[at] = draw(st.integers(0, 255)) if kind == "set" else data[at] ^ 1 << draw(st.integers(0, 7))
    return bytes(data)


def check_raises_only_malformed(call: Callable[[], object]) -> None:
    """Whatever the bytes are, `call` returns or raises `MalformedBytes`."""
    with contextlib.suppress(MalformedBytes):
        call()
