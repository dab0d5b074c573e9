"""KIP-33 where message formats meet the time index: sets without timestamps, and clients that do not know about
them.
"""

import pytest
from fakekafka import FakeKafka
from fakekafka.errors import ErrorCode
from fakekafka.records import v0, v1
from fakekafka.records.record import Record
from fakekafka.wire.apis.list_offsets import (
    ListOffsetsPartition,
    ListOffsetsPartitionResponse,
    ListOffsetsRequest,
    ListOffsetsResponse,
    ListOffsetsTopic,
)

from tests.support.brokers import answer
from tests.support.producing import errors, one, produce, request
from tests.support.seeded import NOW, booted, partition_of

OLD = "0.9.0"
HOUR_MS = 3_600_000


def timed(timestamp: int) -> bytes:
    return v1.build([Record(0, timestamp, 0, b"k", b"v")])


def untimed() -> bytes:
    return v0.build([Record(0, -1, -1, b"k", b"v")])


def offset_of(kafka: FakeKafka, timestamp: int, version: int) -> ListOffsetsPartitionResponse:
    asked = ListOffsetsPartition(partition_index=0, timestamp=timestamp, max_num_offsets=9)
    sent = ListOffsetsRequest(replica_id=-1, topics=[ListOffsetsTopic(name="t", partitions=[asked])])
    (topic,) = answer(kafka, sent, version, ListOffsetsResponse).topics
    return topic.partitions[0]


@pytest.mark.statement("S2-14")
@pytest.mark.parametrize(("timestamp", "error"), [(NOW - 1000, 0), (NOW - 1001, 32), (NOW + 1001, 32)])
def test_a_timestamp_beyond_the_limit_is_refused_and_other_sets_are_appended(timestamp: int, error: int) -> None:
    kafka = booted("0.10.1", 2, message_timestamp_difference_max_ms="1000")
    sent = request({("t", 0): timed(timestamp), ("t", 1): timed(NOW)})
    assert errors(produce(kafka, sent, 2)) == {("t", 0): error, ("t", 1): ErrorCode.NONE}


@pytest.mark.statement("S2-16")
def test_messages_without_timestamps_have_no_entries() -> None:
    kafka = booted("0.10.1", message_format_version=OLD, index_interval_bytes="0")
    for _ in range(3):
        assert one(kafka, untimed(), 1).error_code == 0
    (segment,) = partition_of(kafka).log.segments
    assert len(segment.load_offset_index().entries()) == 2
    assert segment.load_time_index().entries() == []
    assert segment.find_max_timestamp() == (-1, segment.find_max_timestamp()[1])


@pytest.mark.statement("S2-22")
def test_the_largest_timestamp_is_read_from_the_index_whatever_the_format_is_now() -> None:
    """The document wants this only where the format has timestamps."""
    kafka = booted("0.10.1")
    assert one(kafka, timed(NOW + 5), 2).error_code == 0
    kafka.configure_topic("t", {"message.format.version": OLD})
    kafka.restart()
    (segment,) = partition_of(kafka).log.segments
    assert segment.find_max_timestamp() == (NOW + 5, 0)
    assert segment.load_time_index().entries() == [(NOW + 5, 0)]


@pytest.mark.statement("S2-54")
@pytest.mark.parametrize(("first", "segments"), [(untimed(), 1), (timed(NOW), 3)])
def test_the_first_message_of_a_segment_decides_whether_times_end_it(first: bytes, segments: int) -> None:
    """It does not matter whether a later one has a timestamp."""
    kafka = booted("0.10.1", segment_ms="1000", message_format_version=OLD if first == untimed() else "0.10.1")
    assert one(kafka, first, 1 if first == untimed() else 2).error_code == 0
    kafka.configure_topic("t", {"message.format.version": "0.10.1"})
    for hours in (1, 2):
        assert one(kafka, timed(NOW + hours * HOUR_MS), 2).error_code == 0
    assert len(partition_of(kafka).log.segments) == segments


@pytest.mark.statement("S2-56")
def test_old_clients_ask_for_offsets_as_before() -> None:
    """Version 0 uses the times of files, and ignores timestamps."""
    kafka = booted("0.10.1")
    assert one(kafka, timed(NOW - HOUR_MS), 2).error_code == 0
    assert list(offset_of(kafka, NOW + 1, 0).old_style_offsets or []) == [1, 0]
    assert list(offset_of(kafka, NOW - HOUR_MS, 0).old_style_offsets or []) == []
    new = offset_of(kafka, NOW - HOUR_MS, 1)
    assert (new.offset, new.timestamp) == (0, NOW - HOUR_MS)
