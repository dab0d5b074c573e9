"""Requests that a broker does not throw away at once: hypothesis strategies made from the message classes.

Numbers, names and ids are mostly those that mean something to the broker of `under_fire.py` (its topic is "t"), so that
what is damaged later gets past the first check. Nothing here names the topic "healthy": it belongs to the other client.
"""

from functools import cache, partial
from operator import le
from typing import Any, Final

from fakekafka.ids import ApiKey
from fakekafka.wire.apis import request_class
from fakekafka.wire.codec import encode_bytes
from fakekafka.wire.frames import RequestHeader, request_header_version
from fakekafka.wire.message import FieldSpec, Struct
from hypothesis import strategies as st

from tests.emulator.wire.values import INTEGERS, restricted
from tests.fuzz.record_sets import record_sets

TOPIC_ID: Final = b"-- id of topic t"
"""Stands for the id of the topic "t", which a broker chooses; `under_fire.py` puts it in."""

NAMES = st.sampled_from([
    "t", "t", "t", "g", "tx", "m", "0", "", "consumer", "range", "retention.ms", "cleanup.policy", "compact", "1",
    "-1", "User:ANONYMOUS", "*", "a/b", "__consumer_offsets", "metadata.version", "x" * 250, "ü\u0000",
])  # fmt: skip
SMALL = st.sampled_from([0, 0, 0, 1, 1, -1, -2, 2, 3, 100, 1000])
PROTOCOL_BYTES = st.sampled_from([
    b"", b"\0", b"\0\0\0\0\0\1\0\1t\xff\xff\xff\xff", b"\0\0\x7f\xff\xff\xff", b"\0\1\0\0\0\1\0\1t\0\0\0\1\0\0\0\0",
])  # fmt: skip
"""Subscriptions and assignments of consumers, right and wrong."""


SINGLE: Final[dict[str, st.SearchStrategy[Any]]] = {
    **{kind: SMALL.filter(partial(le, ends[0])) | st.sampled_from(ends) for kind, ends in INTEGERS.items()},
    "boolean": st.booleans(),
    "float64": st.sampled_from([0.0, 1.0, -1.0, 1e300, float("inf"), float("nan")]),
    "uuid": st.sampled_from([bytes(16), TOPIC_ID, TOPIC_ID, b"u" * 16]),
    "string": NAMES,
    "binary": PROTOCOL_BYTES,
    "records": record_sets(),
}
SINGLE["int8"] = st.sampled_from([0, 1, 2, 3, 4, -1, 127, -128])


@cache
def bodies(cls: type[Struct]) -> st.SearchStrategy[Any]:
    """Any instance of `cls`: most fields set, arrays of few elements."""
    fields = {name: _values(spec) for name, spec in cls.FIELDS.items()}
    return st.fixed_dictionaries(fields).map(lambda values: cls(**values))


def _values(spec: FieldSpec) -> st.SearchStrategy[Any]:
    single = bodies(spec.struct) if spec.struct else SINGLE[spec.kind]  # type: ignore[arg-type]  # mypy: is a class hashable?
    values = st.lists(single, min_size=0, max_size=2) if spec.is_array else single
    return st.one_of(values, values, st.none()) if spec.nullable.high >= 0 else values


@st.composite
def frames(draw: st.DrawFn, key: ApiKey, version: int) -> bytes:
    """A request without its size, such as a client might send."""
    cls = request_class(key)
    body = restricted(draw(bodies(cls)), version)  # type: ignore[arg-type]
    header = RequestHeader(
        request_api_key=key,
        request_api_version=version,
        correlation_id=7,
        client_id=draw(st.sampled_from(["fuzz", "fuzz", "", None])),
    )
    shape = request_header_version(cls, version)
    if draw(st.integers(0, 19)) == 0:
        shape = draw(st.integers(0, 2))
    return encode_bytes(header, shape) + encode_bytes(body, version)
