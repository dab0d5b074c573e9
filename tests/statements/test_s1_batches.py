"""KIP-98's drafted message format, as far as the shipped format 2 shows it: producers, cleaning, sizes.

The draft's own bytes are shown in tests/emulator/records/drafts.
"""

from struct import Struct

import pytest
from fakekafka import FakeKafka
from fakekafka.binary import crc32c
from fakekafka.errors import ErrorCode
from fakekafka.ids import Magic
from fakekafka.pieces import joined
from fakekafka.records import control, v0, v1, v2
from fakekafka.records.attributes import CONTROL, TRANSACTIONAL
from fakekafka.records.compression import GZIP
from fakekafka.records.drafts.kip98 import DraftMessage, DraftSet, encode
from fakekafka.records.record import Record
from fakekafka.records.scan import units_of_any_magic
from fakekafka.records.v2 import HEADER_BYTES, RecordBatch
from fakekafka.wire.apis.fetch import FetchPartition, FetchRequest, FetchResponse, FetchTopic

from tests.support.brokers import answer
from tests.support.producing import batch as produced
from tests.support.producing import one
from tests.support.seeded import NOW, batch, booted, partition_of, store


def stored(kafka: FakeKafka) -> list[RecordBatch]:
    units = [unit for segment in partition_of(kafka).log.segments for unit in segment.batches()]
    return [unit for unit in units if isinstance(unit, RecordBatch)]


def of_producer(first: int, *keys: bytes, sequence: int = 0, codec: int = 0) -> bytes:
    rows = [Record(first + n, NOW, 0, key, b"v") for n, key in enumerate(keys)]
    return v2.build(rows, codec=codec, leader_epoch=0, producer_id=7, producer_epoch=3, base_sequence=sequence)


def compacted(*sets: bytes, release: str = "2.8") -> list[RecordBatch]:
    kafka = booted(release, cleanup_policy="compact")
    store(kafka, *sets)
    kafka.compact("t", roll=True)
    return stored(kafka)


KEY, VALUE = bytes(100), bytes(1024)
"""The sizes that the draft assumes."""


@pytest.mark.statement("S1-1", "S1-7", "S1-8", "S1-9", "S1-10", "S1-11", "S1-33", "S1-39")
def test_the_shipped_header_has_61_bytes_the_largest_timestamp_and_the_producer() -> None:
    """The draft's header has 45 bytes in another order, without leader epoch, first timestamp and count."""
    rows = [Record(20, NOW + 5, 0, b"k", b"v"), Record(21, NOW + 9, 0, b"k", b"v"), Record(22, NOW, 0, b"k", b"v")]
    data = v2.build(rows, leader_epoch=6, producer_id=7, producer_epoch=3, base_sequence=40)
    fields = Struct(">qiibIhiqqqhii")
    base_offset, length, epoch, magic, crc, attributes, delta, first, largest, *producer = fields.unpack_from(data)
    assert fields.size == HEADER_BYTES == 61
    assert (base_offset, length, epoch, magic, attributes) == (20, len(data) - 12, 6, 2, 0)
    assert (base_offset + delta, first, largest) == (22, NOW + 5, NOW + 9)
    assert producer == [7, 3, 40, 3]
    assert crc == crc32c(data[21:])


@pytest.mark.statement("S1-13")
def test_the_next_sequence_is_known_from_the_header_alone() -> None:
    header = of_producer(20, b"a", b"b", b"c", sequence=40)[:HEADER_BYTES]
    assert RecordBatch(header).last_sequence + 1 == 43


@pytest.mark.statement(
    "S1-21", "S1-22", "S1-23", "S1-24", "S1-25", "S1-26", "S1-28", "S1-35", "S1-36", "S1-37", "S1-38"
)  # fmt: skip
def test_a_shipped_record_has_zigzag_lengths_minus_one_for_null_and_no_checksum() -> None:
    """The draft has unsigned lengths, bits for null, whole timestamps and a checksum; both begin with the size."""
    rows = [Record(20, NOW, 0, b"k", b"val"), Record(21, NOW + 1, 0, None, None), Record(23, NOW - 1, 0, b"", b"")]
    size, flags, none = b"\x14\x0c\x0c", b"\0", b"\1"
    assert v2.build(rows)[HEADER_BYTES:] == (
        size[:1] + flags + b"\0" + b"\0" + b"\2k" + b"\6val" + b"\0"  # sizes, deltas and lengths: doubled
        + size[1:2] + flags + b"\2" + b"\2" + none + none + b"\0"
        + size[2:] + flags + b"\1" + b"\6" + b"\0" + b"\0" + b"\0"
    )  # fmt: skip


@pytest.mark.statement("S1-27")
def test_control_is_a_bit_of_the_shipped_batch_and_not_of_its_record() -> None:
    marker = control.end_transaction(
        commit=True, producer_id=7, producer_epoch=3, coordinator_epoch=1, timestamp=NOW, offset=20
    )
    assert int.from_bytes(marker[21:23], "big") == CONTROL | TRANSACTIONAL
    assert marker[HEADER_BYTES + 1] == 0


@pytest.mark.statement("S1-43")
def test_a_shipped_batch_adds_61_bytes_and_about_10_for_each_record() -> None:
    """Format 1 adds 34 for each message; the draft of format 2 adds 45, and about 17 for each record."""
    added = {}
    for count in (1, 3, 10, 50, 100):
        data = v2.build([Record(n, NOW, 0, KEY, VALUE) for n in range(count)])
        added[count] = len(data) - count * (len(KEY) + len(VALUE))
    assert added == {1: 71, 3: 91, 10: 161, 50: 561, 100: 1061 + 36}  # from the 65th on, the offset delta takes two


@pytest.mark.statement("S1-2")
def test_a_batch_has_one_producer_and_one_epoch() -> None:
    kafka = booted("2.3")
    assert one(kafka, produced(3, producer=7, epoch=3), 7).error_code == 0
    (unit,) = stored(kafka)
    assert (unit.producer_id, unit.producer_epoch, unit.base_sequence, unit.last_sequence) == (7, 3, 0, 2)
    assert [record.sequence for record in unit.records()] == [0, 1, 2]


@pytest.mark.statement("S1-12")
def test_a_batch_is_found_without_looking_at_its_records() -> None:
    """All records are garbage but the first, which the helper that stores them reads."""
    kafka = booted("2.3")
    garbage = bytearray(batch(2, 5))
    second = HEADER_BYTES + 1 + (garbage[HEADER_BYTES] >> 1)
    garbage[second:] = b"\xff" * (len(garbage) - second)
    store(kafka, batch(0), bytes(garbage), batch(7))
    found = partition_of(kafka).log.read(4, 10_000, 9, False)
    assert not isinstance(found, ErrorCode)
    assert joined(found.buffers) == bytes(garbage) + batch(7)


@pytest.mark.statement("S1-14", "S1-15")
def test_the_cleaner_takes_records_and_leaves_offsets_and_sequences_of_a_batch() -> None:
    first = of_producer(0, b"a", b"b", b"c", codec=GZIP)
    second = of_producer(3, b"a", b"c", sequence=3)
    kept = compacted(first, second, of_producer(5, b"x", sequence=5))[0]
    sent = RecordBatch(first)
    assert [record.key for record in kept.records()] == [b"b"]
    for field in ("base_offset", "last_offset", "base_sequence", "last_sequence", "producer_id", "producer_epoch"):
        assert getattr(kept, field) == getattr(sent, field), field
    assert [record.offset for record in kept.records()] == [1]


@pytest.mark.statement("S1-15", "S1-16")
@pytest.mark.parametrize("release", ["0.11.0", "2.3", "2.8", "4.3"])
def test_an_empty_batch_is_removed_unless_it_is_its_producers_last(release: str) -> None:
    sets = of_producer(0, b"a"), of_producer(1, b"a", sequence=1), batch(2, 1), batch(3, 1)
    units = compacted(*sets, release=release)
    assert [(unit.base_offset, unit.count, unit.size) for unit in units if unit.producer_id == 7] == [
        (1, 1, RecordBatch(of_producer(1, b"a")).size)
    ]
    lost = compacted(of_producer(0, b"k"), batch(1, 1), batch(2, 1), release=release)
    assert [(unit.base_offset, unit.count, unit.size) for unit in lost if unit.producer_id == 7] == [(0, 0, 61)]


@pytest.mark.statement("S1-19")
@pytest.mark.parametrize("codec", [0, GZIP])
@pytest.mark.parametrize("release", ["0.11.0", "1.1", "2.3", "3.9", "4.3"])
def test_the_limit_of_a_message_is_that_of_a_batch(release: str, codec: int) -> None:
    """The limit holds for a batch, compressed or not, as it comes and as it is stored; no record counts by itself."""
    sent = produced(20, codec=codec)
    for limit, error in ((len(sent), 0), (len(sent) - 1, ErrorCode.MESSAGE_TOO_LARGE)):
        assert one(booted(release, max_message_bytes=str(limit)), sent, 3).error_code == error
    plain = len(produced(20))
    broker = booted(release, max_message_bytes=str(plain - 1), compression_type="uncompressed")
    error = one(broker, produced(20, codec=GZIP), 3).error_code
    assert error == ErrorCode.MESSAGE_TOO_LARGE


@pytest.mark.statement("S1-19")
@pytest.mark.parametrize("codec", [0, GZIP])
def test_the_limit_of_a_message_is_that_of_a_set_of_the_draft(codec: int) -> None:
    rows = tuple(DraftMessage(n, NOW, b"k", b"v") for n in range(20))
    sent = encode(DraftSet(rows, attributes=codec))
    for limit, error in ((len(sent), 0), (len(sent) - 1, ErrorCode.MESSAGE_TOO_LARGE)):
        kafka = FakeKafka("3.9", drafts=["KIP-98-draft"]).boot()
        kafka.create_topic("t", config={"max.message.bytes": str(limit)})
        assert one(kafka, bytearray(sent), 7).error_code == error


@pytest.mark.statement("S1-20")
def test_a_single_record_takes_more_room_than_a_message_did_and_many_take_less() -> None:
    sizes = {}
    for count in (1, 2, 3, 100):
        rows = [Record(n, NOW, 0, b"k", b"v") for n in range(count)]
        sizes[count] = [len(v0.build(rows)), len(v1.build(rows)), len(v2.build(rows))]
    assert sizes[1] == [28, 36, 70]
    assert sizes[2][2] > sizes[2][1]
    assert sizes[3][2] < sizes[3][1]
    assert sizes[100][2] < sizes[100][1] / 3


@pytest.mark.statement("S1-44")
@pytest.mark.parametrize(("version", "magic"), [(0, 0), (1, 0), (2, 1), (3, 1), (4, 2)])
def test_an_older_fetch_version_gets_an_older_format(version: int, magic: Magic) -> None:
    kafka = booted("0.11.0")
    store(kafka, batch(0, 3))
    asked = FetchPartition(partition=0, fetch_offset=0, partition_max_bytes=1 << 20)
    sent = FetchRequest(max_wait_ms=0, min_bytes=1, topics=[FetchTopic(topic="t", partitions=[asked])])
    (topic,) = answer(kafka, sent, version, FetchResponse).responses
    found = list(units_of_any_magic(bytes(topic.partitions[0].records or b"")))
    assert {unit.magic for unit in found} == {magic}
    assert len(found) == (1 if magic == 2 else 3)
