"""A compressed batch is judged alike whether its records are looked at together or in parts, however small."""

from collections.abc import Callable, Iterator

import pytest
from fakekafka.binary import crc32c
from fakekafka.errors import MalformedBytes
from fakekafka.records import hot, inflating, v2
from fakekafka.records.compression import GZIP, LZ4, SNAPPY, ZSTD, compress, decompress_part
from fakekafka.records.hot import Summary
from fakekafka.records.inflating import Inflating
from fakekafka.records.malformed import RecordsEndEarly, UndecodablePayload
from fakekafka.records.parts import checked_parts
from fakekafka.records.record import Record
from fakekafka.records.v2 import HEADER_BYTES, RecordBatch
from hypothesis import given
from hypothesis import strategies as st

RECORDS = st.lists(
    st.tuples(st.integers(0, 300), st.none() | st.binary(max_size=4), st.integers(0, 200)), min_size=1, max_size=60
)


def batch_of(
    drawn: list[tuple[int, bytes | None, int]], codec: int, changes: list[tuple[int, int]], cut: int, torn: bool
) -> RecordBatch:
    """A batch whose records were changed or cut before they were compressed, or whose stream is torn."""
    rows = [Record(n, 1000 + later, 0, key, bytes(size), (), -1) for n, (later, key, size) in enumerate(drawn)]
    plain = bytearray(v2.build(rows))
    for at, byte in changes:
        plain[HEADER_BYTES + at % (len(plain) - HEADER_BYTES)] = byte
    stream = compress(codec, plain[HEADER_BYTES : len(plain) - (0 if torn else cut)])
    unit = plain[:HEADER_BYTES] + stream[: len(stream) - (cut if torn else 0)]
    unit[v2.ATTRIBUTES_AT + 1] |= codec
    unit[8:12] = (len(unit) - 12).to_bytes(4, "big")
    unit[v2.CRC_AT : v2.CRC_AT + 4] = crc32c(unit[v2.ATTRIBUTES_AT :]).to_bytes(4, "big")
    return RecordBatch(bytes(unit))


def together(batch: RecordBatch, lengths: bool) -> Summary:
    """What a check says that has all records in memory."""
    payload, failure = decompress_part(batch.codec, batch.data[HEADER_BYTES:])
    try:
        found, _, _ = hot.check_records(payload, batch.count, lengths)
    except RecordsEndEarly:
        if failure is not None:
            raise failure from None
        raise
    if failure is not None:
        raise failure
    return found


def in_parts(batch: RecordBatch, lengths: bool, size: int) -> Summary:
    def small(pieces: Iterator[bytes]) -> Inflating:
        return Inflating(piece[at : at + size] for piece in pieces for at in range(0, len(piece), size))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(inflating, "PART_BYTES", size)
        patch.setattr(inflating, "Inflating", small)
        return batch.check(lengths=lengths)


def outcome(judge: Callable[[], Summary]) -> Summary | type[Exception]:
    try:
        return judge()
    except MalformedBytes as wrong:
        return type(wrong)


@given(
    RECORDS,
    st.sampled_from([GZIP, SNAPPY, LZ4, ZSTD]),
    st.lists(st.tuples(st.integers(0, 10_000), st.integers(0, 255)), max_size=2),
    st.integers(0, 30),
    st.booleans(),
    st.booleans(),
    st.integers(1, 400),
)
def test_parts_of_any_size_make_no_difference(
    drawn: list[tuple[int, bytes | None, int]],
    codec: int,
    changes: list[tuple[int, int]],
    cut: int,
    torn: bool,
    lengths: bool,
    size: int,
) -> None:
    batch = batch_of(drawn, codec, changes, cut, torn)
    expected = outcome(lambda: together(batch, lengths))
    assert outcome(lambda: in_parts(batch, lengths, size)) == expected


def test_parts_say_where_their_records_end_and_how_many_they_are() -> None:
    rows = [Record(n, 1000, 0, None, bytes(30_000), (), -1) for n in range(10)]
    batch = RecordBatch(v2.build(rows, codec=LZ4))
    parts = list(checked_parts(batch.inflating(), batch.count, lengths=True))
    assert sum(part.number for part in parts) == len(rows)
    assert len(parts) > 1
    whole = b"".join(part.data[: part.end] for part in parts)
    assert whole == v2.build(rows)[HEADER_BYTES:]


def test_bytes_after_the_last_record_are_counted_to_their_end() -> None:
    rows = [Record(0, 1000, 0, None, bytes(10), (), -1)]
    payload = Inflating(iter([v2.build(rows)[HEADER_BYTES:], bytes(100_000), bytes(100_000)]))
    with pytest.raises(MalformedBytes, match="200000 bytes after the last of 1 records"):
        list(checked_parts(payload, 1, lengths=True))


def test_a_fault_behind_the_last_record_is_a_fault() -> None:
    def torn() -> Iterator[bytes]:
        yield v2.build([Record(0, 1000, 0, None, bytes(10), (), -1)])[HEADER_BYTES:]
        raise UndecodablePayload("torn")

    with pytest.raises(UndecodablePayload, match="torn"):
        list(checked_parts(Inflating(torn()), 1, lengths=True))
