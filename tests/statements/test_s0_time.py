"""What older drafts of KIP-31 say about time and indexes. KIP-33 (S2) is what was built."""

import pytest
from fakekafka.ids import TimestampMs
from fakekafka.log import names, offset_index, retention, time_index
from fakekafka.log.config import LogConfig
from fakekafka.log.memory_files import MemoryDirectory
from fakekafka.log.segment import Segment

from tests.emulator.log.batches import Set, messages, rules
from tests.support.seeded import NOW, booted, partition_of

MINUTE_MS = 60_000
DAY_S = 86_400
PARTITIONS = 3500
GIB, MIB = 1 << 30, 1 << 20


def segment_of(release: str, *sets: Set) -> tuple[Segment, MemoryDirectory]:
    """A segment in which every set after the first has an index entry."""
    directory = MemoryDirectory()
    config = LogConfig(index_interval_bytes=0, segment_index_bytes=1200)
    segment = Segment(directory, 0, rules(release), config, now=NOW)
    segment.make_files(indexes=True)
    for data, info in sets:
        segment.append(data, info, info.first_offset, now=NOW)
    return segment, directory


def timed(*timestamps: TimestampMs) -> list[Set]:
    return [messages(1, n, timestamp) for n, timestamp in enumerate(timestamps)]


@pytest.mark.statement("S0-9", "S0-24")
def test_timestamps_have_their_own_index_to_the_millisecond() -> None:
    segment, directory = segment_of("0.10.1", *timed(NOW + 1, NOW + 2, NOW + 3))
    segment.close(NOW)
    assert directory.names() == sorted(segment.name(suffix) for suffix in (names.LOG, names.OFFSET_INDEX, ".timeindex"))
    assert directory.read_all(segment.name(".timeindex")).hex() == "".join(
        f"{time:016x}{offset:08x}" for time, offset in ((NOW + 2, 1), (NOW + 3, 2))
    )
    assert names.TIME_INDEX not in [name[20:] for name in segment_of("0.10.0", *timed(NOW))[1].names()]


@pytest.mark.statement("S0-25")
def test_an_entry_is_made_whenever_the_largest_timestamp_grew() -> None:
    """The draft wants at most one entry a minute."""
    segment, _ = segment_of("0.10.1", *timed(NOW, NOW + 1, NOW + 1, NOW, NOW + 2, NOW + MINUTE_MS))
    assert segment.load_time_index().entries() == [(NOW + 1, 1), (NOW + 2, 4), (NOW + MINUTE_MS, 5)]


@pytest.mark.statement("S0-22")
@pytest.mark.parametrize(("release", "segments"), [("0.10.0", 1), ("0.10.1", 2), ("2.3", 2)])
def test_a_segment_ends_by_the_time_of_its_first_message(release: str, segments: int) -> None:
    kafka = booted(release, segment_ms="1000")
    for n in range(3):
        kafka.send("t", b"v", timestamp=NOW + 600 * n)
    assert len(partition_of(kafka).log.segments) == segments


@pytest.mark.statement("S0-23")
def test_a_segment_is_as_old_as_its_youngest_message_and_not_as_its_last() -> None:
    segment, _ = segment_of("0.10.1", *timed(NOW, NOW - 5000))
    for limit, expired in ((4000, 0), (3000, 1)):
        now = NOW + 3500
        assert retention.too_old([segment, segment], 99, 99, rules("0.10.1"), limit, now) == 2 * expired


@pytest.mark.statement("S0-26")
def test_the_sizes_that_the_draft_calculates_with() -> None:
    entry = time_index.ENTRY_SIZE
    assert round(DAY_S * entry * PARTITIONS / GIB, 2) == 3.38
    assert round(DAY_S // 60 * entry * PARTITIONS / MIB, 1) == 57.7


@pytest.mark.statement("S0-60")
def test_an_entry_of_the_offset_index_stayed_half_as_long_as_was_proposed() -> None:
    segment, directory = segment_of("2.3", *timed(NOW, NOW, NOW))
    segment.close(NOW)
    assert directory.size_of(segment.name(names.OFFSET_INDEX)) == 2 * 8
    assert offset_index.ENTRY_SIZE == 8
    assert 16 * GIB // offset_index.ENTRY_SIZE * 16 == 32 * GIB
