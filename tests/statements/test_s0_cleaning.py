"""KIP-31: what the cleaner makes of wrappers."""

import pytest
from fakekafka.records import v1
from fakekafka.records.compression import GZIP
from fakekafka.records.message import Message
from fakekafka.records.record import Record

from tests.support.seeded import NOW, booted, partition_of, store

RELEASES = ["0.10.1", "0.10.2", "0.11.0", "2.3", "3.9"]


def wrapper(first: int, *records: tuple[bytes, int]) -> bytes:
    """A wrapper of these keys and timestamps."""
    rows = [Record(first + n, time, 0, key, b"v") for n, (key, time) in enumerate(records)]
    return v1.build(rows, codec=GZIP)


def compacted(release: str, *sets: bytes) -> list[Message]:
    kafka = booted(release, cleanup_policy="compact")
    if not release.startswith("0.10"):
        kafka.configure_topic("t", {"message.format.version": "0.10.2"})
    store(kafka, *sets)
    kafka.compact("t", roll=True)
    units = [unit for segment in partition_of(kafka).log.segments for unit in segment.batches()]
    return [unit for unit in units if isinstance(unit, Message)]


def inside(unit: Message) -> list[int]:
    return [message.last_offset for message in unit.inside()]


@pytest.mark.statement("S0-12")
@pytest.mark.parametrize("release", RELEASES)
def test_the_timestamp_of_a_cleaned_wrapper_is_the_largest_that_remains(release: str) -> None:
    """The document wants the timestamp of the last message."""
    times = (b"a", NOW + 9), (b"b", NOW + 5), (b"c", NOW + 7), (b"d", NOW + 6)
    first = compacted(release, wrapper(0, *times), wrapper(4, (b"a", NOW + 1)))[0]
    assert [record.key for record in first.records()] == [b"b", b"c", b"d"]
    assert first.max_timestamp == NOW + 7


@pytest.mark.statement("S0-19", "S0-21")
@pytest.mark.parametrize("release", RELEASES)
def test_offsets_inside_are_relative_to_what_is_kept_first(release: str) -> None:
    sent = wrapper(0, (b"a", NOW), (b"b", NOW), (b"c", NOW), (b"d", NOW)), wrapper(4, (b"a", NOW), (b"c", NOW))
    first = compacted(release, *sent)[0]
    assert (first.last_offset, inside(first)) == (3, [0, 2])
    assert [record.offset for record in first.records()] == [1, 3]


@pytest.mark.statement("S0-20")
@pytest.mark.parametrize("release", RELEASES)
def test_wrappers_are_never_merged(release: str) -> None:
    sent = wrapper(0, (b"a", NOW), (b"b", NOW)), wrapper(2, (b"c", NOW), (b"a", NOW)), wrapper(4, (b"c", NOW))
    assert [[record.offset for record in unit.records()] for unit in compacted(release, *sent)] == [[1], [3], [4]]
