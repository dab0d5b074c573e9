"""Format 2: vectors, recorded batches, the client libraries, stamps in place, broken streams."""

from typing import Any

import pytest
from fakekafka.binary import crc32c
from fakekafka.errors import UsageError
from fakekafka.records import hot, scan, v2
from fakekafka.records.compression import GZIP, LZ4, ZSTD, compress
from fakekafka.records.malformed import (
    CorruptUnit,
    InvalidRecord,
    PayloadEndsEarly,
    RecordsEndEarly,
    UndecodablePayload,
    UnknownCodec,
)
from fakekafka.records.record import Record
from fakekafka.records.v2 import RecordBatch
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.emulator.records.clients import BUILDERS, READABLE, READERS, built_by, plain, read_by
from tests.emulator.records.recorded import Sample, rebuilt, samples
from tests.emulator.records.strategies import records

KV = Record(0, 1000, 0, b"k", b"v")
VECTOR = bytes.fromhex(
    "0000000000000000 0000003a ffffffff 02 716a6189 0000 00000000 00000000000003e8 00000000000003e8"
    "ffffffffffffffff ffff ffffffff 00000001 10 00 00 00 02 6b 02 76 00"
)
EMPTY = bytes.fromhex(
    "0000000000000005 00000031 00000007 02 b61737ad 0000 00000001 ffffffffffffffff 00000000000003ed"
    "0000000000000004 0002 0000000a 00000000"
)
ROWS = [Record(100 + i, 1000 + i % 7, 0, b"k%d" % i, b"value %d " % i * 5, (("h", b"x"),)) for i in range(20)]


def patched(data: bytes, at: int, new: bytes) -> bytes:
    """The batch with bytes replaced and its CRC corrected."""
    out = bytearray(data)
    out[at : at + len(new)] = new
    out[17:21] = crc32c(out[21:]).to_bytes(4, "big")
    out[8:12] = (len(out) - 12).to_bytes(4, "big")
    return bytes(out)


def with_payload(payload: bytes, codec: int, count: int) -> RecordBatch:
    """A batch whose records are the bytes given."""
    header = bytearray(v2.build(ROWS)[:61])
    header[22] = codec
    header[57:61] = count.to_bytes(4, "big", signed=True)
    return RecordBatch(patched(bytes(header) + payload, 0, b""))


@pytest.mark.statement("S1-1")
@pytest.mark.statement("S1-9")
@pytest.mark.statement("S1-10")
def test_the_vector_is_built_and_read() -> None:
    assert v2.build([KV]) == VECTOR
    batch = RecordBatch(VECTOR)
    assert (batch.base_offset, batch.last_offset, batch.count, batch.size) == (0, 0, 1, 70)
    assert (batch.max_timestamp, batch.timestamp_type, batch.leader_epoch) == (1000, 0, -1)
    assert batch.crc_ok()
    assert list(batch.records()) == [KV]


@pytest.mark.statement("S1-16")
def test_an_empty_batch_is_built_and_read_as_the_vector() -> None:
    rows = [KV._replace(offset=5, timestamp=1005), KV._replace(offset=6)]
    full = v2.build(rows, producer_id=4, producer_epoch=2, base_sequence=10, leader_epoch=7, codec=1)
    assert v2.empty(RecordBatch(full)) == EMPTY
    batch = RecordBatch(EMPTY)
    assert (batch.base_offset, batch.last_offset, batch.last_sequence, batch.count) == (5, 6, 11, 0)
    assert list(batch.records()) == []


def test_an_empty_batch_keeps_type_and_kind_and_loses_the_delete_horizon() -> None:
    full = v2.build([KV], append_time=7, transactional=True, control=True, delete_horizon_ms=3)
    batch = RecordBatch(v2.empty(RecordBatch(full)))
    assert (batch.timestamp_type, batch.is_transactional, batch.is_control) == (1, True, True)
    assert not batch.has_delete_horizon
    assert (batch.max_timestamp, batch.base_timestamp) == (7, -1)


@pytest.mark.parametrize("sample", [s for s in samples() if s.data[16] == 2], ids=lambda s: s.id)
def test_recorded_batches_are_rebuilt_byte_for_byte(sample: Sample) -> None:
    batch = RecordBatch(sample.data)
    assert rebuilt(batch, sample.level) == sample.data
    if batch.count:
        assert batch.check().keyless == sum(r[2] is None for r in sample.records)


@pytest.mark.statement("S1-6")
@pytest.mark.statement("S1-22")
@given(records(2), st.integers(0, 4))
def test_a_batch_is_read_as_it_was_built(rows: list[Record], codec: int) -> None:
    batch = RecordBatch(v2.build(rows, codec=codec))
    assert list(batch.records()) == rows
    assert (batch.base_offset, batch.last_offset) == (rows[0].offset, rows[-1].offset)
    assert batch.max_timestamp == max(r.timestamp for r in rows)
    assert (batch.codec, batch.count) == (codec, len(rows))
    assert batch.crc_ok()


@pytest.mark.statement("S1-17")
@pytest.mark.statement("S1-18")
@pytest.mark.parametrize(
    ("how", "attributes"),
    [
        ({"codec": 4}, 0x04),
        ({"append_time": 7}, 0x08),
        ({"transactional": True}, 0x10),
        ({"control": True}, 0x20),
        ({"delete_horizon_ms": 7}, 0x40),
        ({"codec": 1, "transactional": True, "control": True}, 0x31),
    ],
)
def test_the_attribute_bits_are_those_of_kafka(how: dict[str, Any], attributes: int) -> None:
    batch = RecordBatch(v2.build([KV], **how))
    assert batch.attributes == attributes
    assert batch.delete_horizon_ms == how.get("delete_horizon_ms")


@pytest.mark.statement("S1-4")
@pytest.mark.statement("S1-13")
def test_sequences_count_with_the_offsets_and_wrap() -> None:
    batch = RecordBatch(v2.build(ROWS[:3], base_sequence=2147483646, producer_id=1, producer_epoch=0))
    assert [r.sequence for r in batch.records()] == [2147483646, 2147483647, 0]
    assert batch.last_sequence == 0


def test_an_append_time_reads_as_every_timestamp_and_leaves_the_deltas() -> None:
    batch = RecordBatch(v2.build(ROWS[:3], append_time=777))
    assert {(r.timestamp, r.timestamp_type) for r in batch.records()} == {(777, 1)}
    outlines: list[hot.Outline] = []
    batch.check(outlines=outlines)
    assert [batch.timestamp(o.timestamp_delta) for o in outlines] == [1000, 1001, 1002]


@pytest.mark.statement("S1-32")
def test_the_first_offset_is_known_before_a_record_has_come() -> None:
    begun = RecordBatch(v2.build(ROWS, codec=GZIP)[: v2.HEADER_BYTES])
    assert (begun.base_offset, begun.last_offset) == (100, 119)
    with pytest.raises(UndecodablePayload):
        list(begun.records())


def test_a_delete_horizon_stands_in_for_the_base_timestamp_and_moves_no_record() -> None:
    batch = RecordBatch(v2.build(ROWS[:3], delete_horizon_ms=5000))
    assert batch.base_timestamp == 5000
    assert [r.timestamp for r in batch.records()] == [1000, 1001, 1002]


def test_compaction_keeps_the_offsets_of_the_header() -> None:
    batch = RecordBatch(v2.build(ROWS[5:6], base_offset=100, last_offset=119))
    assert (batch.base_offset, batch.last_offset) == (100, 119)
    assert next(batch.records()).offset == 105


def test_an_empty_list_of_records_gives_no_bytes() -> None:
    assert v2.build([]) == b""


def test_offsets_that_do_not_fit_are_refused() -> None:
    for rows, how in ((ROWS[::-1], {}), (ROWS, {"base_offset": 101}), (ROWS, {"last_offset": 100 + 2**31})):
        with pytest.raises(UsageError):
            v2.build(rows, **how)  # type: ignore[arg-type]


@settings(deadline=None)
@pytest.mark.parametrize("codec", [c for magic, c in READABLE if magic == 2])
@pytest.mark.parametrize("client", READERS)
@given(rows=records(2))
def test_clients_read_what_we_build(client: str, codec: int, rows: list[Record]) -> None:
    assert read_by(client, v2.build(rows, codec=codec)) == plain(rows)


@settings(deadline=None)
@pytest.mark.parametrize("codec", [c for magic, c in READABLE if magic == 2])
@pytest.mark.parametrize("client", BUILDERS)
@given(rows=records(2, start=0, gaps=False))
def test_we_read_what_clients_build(client: str, codec: int, rows: list[Record]) -> None:
    rows = [r._replace(timestamp=max(r.timestamp, 0)) for r in rows]  # producers send timestamps
    data = built_by(client, 2, codec, rows)
    (batch,) = scan.batches(data)
    assert isinstance(batch, RecordBatch)
    assert batch.crc_ok()
    assert list(batch.records()) == rows
    assert batch.check().sequential
    if not batch.codec:
        assert data[21:35] == v2.build(rows)[21:35]
        assert data[43:] == v2.build(rows)[43:]


# ---- in place


@pytest.mark.statement("S1-34")
def test_the_crc_covers_all_from_the_attributes_on() -> None:
    for at in range(len(VECTOR)):
        flipped = VECTOR[:at] + bytes([VECTOR[at] ^ 1]) + VECTOR[at + 1 :]
        assert RecordBatch(flipped).crc_ok() == (at < 17)


@pytest.mark.statement("S1-33")
def test_offset_and_leader_epoch_are_written_without_touching_the_crc() -> None:
    unit = bytearray(v2.build(ROWS))
    before = bytes(unit)
    v2.set_base_offset(memoryview(unit), 1000)
    v2.set_leader_epoch(memoryview(unit), 7)
    batch = RecordBatch(unit)
    assert (batch.base_offset, batch.last_offset, batch.leader_epoch) == (1000, 1019, 7)
    assert batch.crc_ok()
    assert unit[16:] == before[16:]
    v2.set_base_offset(unit, 100)
    v2.set_leader_epoch(unit, -1)
    assert unit == before


@pytest.mark.statement("S1-33")
def test_stamping_gives_the_bytes_of_building() -> None:
    unit = bytearray(v2.build(ROWS, codec=1))
    v2.set_max_timestamp(unit, 1, 777)
    assert unit == v2.build(ROWS, codec=1, append_time=777)


def test_an_equal_timestamp_changes_nothing_not_even_unknown_bits() -> None:
    unit = bytearray(patched(VECTOR, 21, b"\x81\x00"))
    before = bytes(unit)
    v2.set_max_timestamp(unit, 0, 1000)
    assert unit == before


def test_another_timestamp_clears_the_bits_that_the_broker_does_not_know() -> None:
    unit = bytearray(patched(VECTOR, 21, b"\xff\xf0"))
    v2.set_max_timestamp(unit, 1, 5)
    assert unit[21:23] == b"\x00\x78"
    unit = bytearray(patched(VECTOR, 21, b"\xff\xf0"))
    v2.set_max_timestamp(unit, 1, 5, known=0x3F)
    assert unit[21:23] == b"\x00\x38"
    unit = bytearray(patched(VECTOR, 21, b"\xff\xf0"))
    v2.set_max_timestamp(unit, 0, 5, known=0xFFFF)
    assert unit[21:23] == b"\xff\xf0"
    batch = RecordBatch(unit)
    assert batch.crc_ok()
    assert batch.max_timestamp == 5


# ---- broken batches

PAYLOAD, _ = hot.write_records(ROWS, 100, 1000)


def outcome(batch: RecordBatch, lengths: bool = True) -> type[Exception] | None:
    """The error that checking the batch raises; reading it whole must raise the same error."""
    caught: list[type[Exception] | None] = []
    for ask in (lambda: list(batch.records()), lambda: batch.check(lengths=lengths)):
        try:
            ask()
            caught.append(None)
        except (InvalidRecord, UndecodablePayload) as e:
            caught.append(type(e))
    assert not lengths or caught[0] == caught[1]
    return caught[1]


def test_too_few_bytes_are_not_a_batch() -> None:
    with pytest.raises(CorruptUnit):
        RecordBatch(VECTOR[:60])


@pytest.mark.parametrize("codec", range(5))
def test_a_whole_stream_is_read(codec: int) -> None:
    assert outcome(with_payload(compress(codec, PAYLOAD), codec, 20)) is None


@pytest.mark.parametrize("codec", range(5))
def test_a_wrong_count_is_an_invalid_record(codec: int) -> None:
    for count, kind in ((19, InvalidRecord), (21, RecordsEndEarly), (-1, InvalidRecord)):
        assert outcome(with_payload(compress(codec, PAYLOAD), codec, count)) is kind


def test_a_batch_that_counts_no_records_is_not_read_further() -> None:
    assert list(with_payload(b"not compressed at all", GZIP, 0).records()) == []


# From here on the answers are those of real brokers 0.11.0.3 to 4.3.1 to the same bytes: InvalidRecord is error 2 or
# 87, UndecodablePayload is -1, and PayloadEndsEarly is 2 or 87 up to 3.5 and -1 later.


@pytest.mark.parametrize("codec", range(1, 5))
def test_a_stream_of_another_kind_is_undecodable(codec: int) -> None:
    assert outcome(with_payload(b"not compressed at all", codec, 20)) is UndecodablePayload


@pytest.mark.parametrize("codec", [5, 6, 7])
def test_an_unknown_codec_is_undecodable(codec: int) -> None:
    assert outcome(with_payload(b"", codec, 20)) is UnknownCodec


@pytest.mark.parametrize(
    ("cut", "kind"),
    [(-5000, UndecodablePayload), (40, PayloadEndsEarly), (12, PayloadEndsEarly), (8, UndecodablePayload)],
)
def test_a_cut_gzip_stream_depends_on_whether_the_records_came_out(cut: int, kind: type[Exception]) -> None:
    stream = compress(GZIP, PAYLOAD)
    assert outcome(with_payload(stream[:-cut] if cut > 0 else stream[:5], GZIP, 20)) is kind


def test_an_lz4_frame_without_end_mark_is_undecodable_although_all_records_came_out() -> None:
    assert outcome(with_payload(compress(LZ4, PAYLOAD)[:-4], LZ4, 20)) is UndecodablePayload


def test_a_stream_of_nothing_has_too_few_records() -> None:
    for codec, stream in ((ZSTD, b""), (LZ4, compress(LZ4, b"")), (2, compress(2, b""))):
        assert outcome(with_payload(stream, codec, 20)) is RecordsEndEarly


def test_a_record_longer_than_the_stream_goes_unnoticed_where_lengths_are_not_checked() -> None:
    inside = b"\xc8\x01" + v2.build([KV])[62:]
    batch = with_payload(compress(GZIP, inside), GZIP, 1)
    assert outcome(batch) is RecordsEndEarly
    assert outcome(batch, lengths=False) is None


def test_records_before_a_fault_are_given_first() -> None:
    batch = with_payload(compress(GZIP, PAYLOAD)[:-8], GZIP, 20)
    found = batch.records()
    assert [next(found).offset for _ in range(20)] == [r.offset for r in ROWS]
    with pytest.raises(UndecodablePayload):
        next(found)
