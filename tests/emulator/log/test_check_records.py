"""The check of records that are inflated part by part: where parts end makes no difference."""

import re
from collections.abc import Iterator

import pytest
from fakekafka.binary import crc32, crc32c
from fakekafka.log import check_records
from fakekafka.log.check_records import inside
from fakekafka.records import inflating, v0, v1, v2
from fakekafka.records.batch import Batch
from fakekafka.records.compression import GZIP, NONE, compress
from fakekafka.records.inflating import Inflating
from fakekafka.records.message import Message
from fakekafka.records.record import Record
from fakekafka.records.v2 import HEADER_BYTES, RecordBatch
from hypothesis import given
from hypothesis import strategies as st

RECORDS = st.lists(
    st.tuples(st.integers(0, 3), st.integers(0, 300), st.none() | st.binary(max_size=4), st.integers(0, 200)),
    min_size=1,
    max_size=60,
)
CHANGES = st.lists(st.tuples(st.integers(0, 10_000), st.integers(0, 255)), max_size=2)


def rows(drawn: list[tuple[int, int, bytes | None, int]]) -> list[Record]:
    """Records with gaps between their offsets, or none."""
    made, offset = list[Record](), 0
    for gap, later, key, size in drawn:
        offset += gap + bool(made)
        made.append(Record(offset, 1000 + later, 0, key, bytes(size), (), -1))
    return made


def changed(data: bytes, changes: list[tuple[int, int]], cut: int) -> bytes:
    out = bytearray(data)
    for at, byte in changes:
        out[at % len(out)] = byte
    return bytes(out[: len(out) - cut] if cut < len(out) else out)


def batch_of(records: list[Record], changes: list[tuple[int, int]], cut: int) -> RecordBatch:
    """A batch whose payload was changed before it was compressed, or after it."""
    plain = v2.build(records)
    payload = compress(GZIP, changed(plain[HEADER_BYTES:], changes, cut if cut % 2 else 0))
    head = bytearray(plain[:HEADER_BYTES])
    head[v2.ATTRIBUTES_AT + 1] |= GZIP
    payload = payload[: len(payload) - cut] if cut % 2 == 0 else payload
    head[8:12] = (HEADER_BYTES + len(payload) - 12).to_bytes(4, "big")
    unit = bytes(head) + payload
    unit = unit[: v2.CRC_AT] + crc32c(unit[v2.ATTRIBUTES_AT :]).to_bytes(4, "big") + unit[v2.ATTRIBUTES_AT :]
    return RecordBatch(unit)


def wrapper_of(records: list[Record], changes: list[tuple[int, int]], cut: int, magic: int) -> Message:
    """A wrapper whose messages were changed before they were compressed, or after it."""
    build = v1.build if magic else v0.build
    plain = build(records, codec=NONE)
    stream = compress(GZIP, changed(plain, changes, cut if cut % 2 else 0))
    whole = bytearray(
        build(
            [
                Record(
                    records[-1].offset, 1000, 0, None, stream[: len(stream) - cut] if cut % 2 == 0 else stream, (), -1
                )
            ],
            codec=NONE,
        )
    )
    whole[17] |= GZIP
    whole[12:16] = crc32(bytes(whole[16:])).to_bytes(4, "big")
    return Message(bytes(whole))


def verdicts(batch: Batch, size: int) -> list[tuple[int, str | None]]:
    """What the check says about a batch that is inflated as a whole, and in pieces of `size` bytes; without numbers."""

    def in_pieces(pieces: Iterator[bytes]) -> Inflating:
        return Inflating(piece[at : at + size] for piece in pieces for at in range(0, len(piece), size))

    found = [inside(batch)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(check_records, "Inflating", in_pieces)
        patch.setattr(inflating, "Inflating", in_pieces)
        patch.setattr(inflating, "PART_BYTES", size)
        found.append(inside(batch))
    return [(first, wrong and re.sub(r"-?\d+", "n", wrong.split(", counted from")[0])) for first, wrong in found]


@given(RECORDS, CHANGES, st.integers(0, 5), st.integers(1, 400))
def test_a_batch_is_judged_alike_in_parts_of_any_size(
    drawn: list[tuple[int, int, bytes | None, int]], changes: list[tuple[int, int]], cut: int, size: int
) -> None:
    whole, parts = verdicts(batch_of(rows(drawn), changes, cut), size)
    assert whole == parts


@given(RECORDS, CHANGES, st.integers(0, 5), st.integers(1, 400), st.integers(0, 1))
def test_a_wrapper_is_judged_alike_in_parts_of_any_size(
    drawn: list[tuple[int, int, bytes | None, int]], changes: list[tuple[int, int]], cut: int, size: int, magic: int
) -> None:
    whole, parts = verdicts(wrapper_of(rows(drawn), changes, cut, magic), size)
    assert whole == parts


def test_sound_records_in_small_parts_have_no_findings() -> None:
    records = [Record(n, 1000, 0, b"k", bytes(n % 50), (), -1) for n in range(300)]
    for batch in (batch_of(records, [], 0), wrapper_of(records, [], 0, 0), wrapper_of(records, [], 0, 1)):
        assert verdicts(batch, 7) == [(0, None)] * 2


def test_the_position_of_a_fault_counts_from_a_position_that_is_told() -> None:
    records = [Record(n, 1000, 0, None, bytes(10), (), -1) for n in range(100)]
    wrapper = wrapper_of(records, [(44 * 50 + 11, 1)], 0, 1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(inflating, "PART_BYTES", 440)
        patch.setattr(
            check_records, "Inflating", lambda pieces: Inflating(bytes([b]) for piece in pieces for b in piece)
        )
        _, wrong = inside(wrapper)
    assert wrong == "a message of size 1 at 0, counted from 2200"
