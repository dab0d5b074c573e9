"""Messages for tests: random ones for hypothesis, and one sample of each with every field filled.

Messages are made without looking at versions; `restricted` takes away what a version does not have.
"""

import os
from functools import cache
from typing import Any

from fakekafka.wire.message import FieldSpec, Struct
from hypothesis import strategies as st

EXAMPLES = int(os.environ.get("WIRE_EXAMPLES", "3"))
"""Examples per message. Set it to 200 after a change to the codec: that takes some minutes."""

INTEGERS = {"int8": (-(2**7), 2**7 - 1), "int16": (-(2**15), 2**15 - 1), "int32": (-(2**31), 2**31 - 1),
            "int64": (-(2**63), 2**63 - 1), "uint16": (0, 2**16 - 1), "uint32": (0, 2**32 - 1)}  # fmt: skip

STRINGS = st.one_of(st.text(max_size=4), st.sampled_from(["x" * 126, "x" * 127, "ü" * 64, "x" * 16383, "x" * 32767]))
BUFFERS = st.one_of(st.binary(max_size=4), st.sampled_from([b"x" * 126, b"x" * 127, bytes(16384)]))
SINGLE: dict[str, st.SearchStrategy[Any]] = {
    **{kind: st.one_of(st.integers(*ends), st.sampled_from(ends)) for kind, ends in INTEGERS.items()},
    "boolean": st.booleans(),
    "float64": st.floats(allow_nan=False),
    "uuid": st.one_of(st.just(bytes(16)), st.binary(min_size=16, max_size=16)),
    "string": STRINGS,
    "binary": BUFFERS,
    "records": st.one_of(BUFFERS, st.lists(BUFFERS, max_size=3)),
}


@cache
def instances(cls: type[Struct]) -> st.SearchStrategy[Any]:
    """Any `cls`, with any of its fields set."""
    return st.fixed_dictionaries({}, optional={name: _values(s) for name, s in cls.FIELDS.items()}).map(
        lambda values: cls(**values)
    )


def _values(spec: FieldSpec) -> st.SearchStrategy[Any]:
    single = instances(spec.struct) if spec.struct else SINGLE[spec.kind]  # type: ignore[arg-type]
    values = st.lists(single, max_size=2) if spec.is_array else single
    if spec.is_array and not spec.struct:
        values = st.one_of(values, st.lists(single, min_size=1, max_size=1).map(lambda one: one * 127))
    return st.one_of(st.none(), values) if spec.nullable.high >= 0 else values


def restricted(value: Any, version: int) -> Any:
    """`value` without what `version` does not have, and without nulls where it does not allow them."""
    fields = value.FIELDS.items()
    return type(value)(**{n: _kept(value, n, s, version) for n, s in fields if version in s.versions})


def _kept(value: Any, name: str, spec: FieldSpec, version: int) -> Any:
    own = getattr(value, name)
    if own is None and version not in spec.nullable:
        return [] if spec.is_array else _filled_single(spec)
    if own is None or spec.struct is None:
        return own if spec.kind != "records" or not isinstance(own, list) else b"".join(own)
    return [restricted(x, version) for x in own] if spec.is_array else restricted(own, version)


FILLED = {
    "boolean": True,
    "float64": 0.5,
    "uuid": bytes(range(16)),
    "string": "ab",
    "binary": b"abc",
    "records": b"abcd",
}


def filled(cls: type[Struct]) -> Any:
    """A `cls` with no field at its default, and one element in each array."""
    return cls(**{name: [_filled_single(s)] if s.is_array else _filled_single(s) for name, s in cls.FIELDS.items()})


def _filled_single(spec: FieldSpec) -> Any:
    return filled(spec.struct) if spec.struct else FILLED.get(spec.kind, 7)
