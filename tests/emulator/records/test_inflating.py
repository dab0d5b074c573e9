"""A payload that moves on while it is inflated."""

from collections.abc import Iterator

import pytest
from fakekafka.records import inflating
from fakekafka.records.inflating import Inflating
from fakekafka.records.malformed import UndecodablePayload
from hypothesis import given
from hypothesis import strategies as st


def broken_after(*pieces: bytes) -> Iterator[bytes]:
    yield from pieces
    raise UndecodablePayload("torn")


def test_a_broken_payload_gives_what_came_before_the_fault() -> None:
    payload = Inflating(broken_after(b"abc", b"def"))
    assert payload.move(0)
    assert payload.data == b"abcdef"
    with pytest.raises(UndecodablePayload, match="torn"):
        payload.move(2)
    assert payload.data == b"cdef"


@given(
    st.lists(st.binary(max_size=20), max_size=30),
    st.lists(st.tuples(st.integers(0, 40), st.integers(0, 60))),
    st.integers(1, 30),
    st.integers(1, 50),
)
def test_nothing_is_lost_or_doubled_while_it_moves(
    pieces: list[bytes], moves: list[tuple[int, int]], part: int, joined: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(inflating, "PART_BYTES", part)
        patch.setattr(inflating, "JOINED_BYTES", joined)
        payload, seen = Inflating(iter(pieces)), b""
        for wanted, needed in moves:
            used = min(wanted, len(payload.data))
            before = len(payload.data) - used
            seen += payload.data[:used]
            came = payload.move(used, needed)
            assert came == (len(payload.data) > before)
            assert came or seen + payload.data == b"".join(pieces)
            assert len(payload.data) >= max(needed, part) or seen + payload.data == b"".join(pieces)
        assert b"".join(pieces).startswith(seen + payload.data)
