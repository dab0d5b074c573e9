"""KIP-31's first text: brokers give the time, and new messages are stored as they came."""

import pytest
from fakekafka import ErrorCode, FakeKafka, ManualClock
from fakekafka.log import retention
from fakekafka.log.drafts.minute_index import minute_of
from fakekafka.log.drafts.minute_segment import MinuteSegment
from fakekafka.records import v0, v1
from fakekafka.records.compression import GZIP
from fakekafka.records.message import Message
from fakekafka.records.record import Record
from fakekafka.records.scan import batches

from tests.emulator.log.batches import with_info
from tests.support import fetching
from tests.support.group_clients import clock_of
from tests.support.producing import one
from tests.support.seeded import NOW, partition_of

RELEASES = ["0.10.0", "0.10.1", "0.10.2"]
OLD = {"log.message.format.version": "0.9.0"}
LONG_AGO = NOW - 1_000_000


def cluster(release: str, *more: str, **config: object) -> FakeKafka:
    given = {name.replace("_", "."): value for name, value in config.items()}
    drafts = ["KIP-31-draft", *more]
    return FakeKafka(release, drafts=drafts, config=given, clock=ManualClock(NOW), topics={"t": 1}).boot()


def rows(count: int = 3) -> list[Record]:
    return [Record(n, LONG_AGO + n, 0, b"k%d" % n, b"value" * 20) for n in range(count)]


def stored(kafka: FakeKafka) -> list[Message]:
    found = [batch for segment in partition_of(kafka).log.segments for batch in segment.batches()]
    return [unit for unit in found if isinstance(unit, Message)]


@pytest.mark.statement("S0-8", "S0-11")
@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize("codec", [0, GZIP])
def test_the_broker_gives_the_time_and_the_mirrored_one_is_lost(release: str, codec: int) -> None:
    kafka = cluster(release)
    assert one(kafka, bytearray(v1.build(rows(), codec=codec)), 2).error_code == ErrorCode.NONE
    found = kafka.records("t")
    assert {(record.timestamp, record.timestamp_type) for record in found} == {(NOW, "LogAppendTime")}
    assert [record.offset for record in found] == [0, 1, 2]  # contiguous, and with one timestamp
    mirror = cluster(release)
    assert isinstance(mirror.clock, ManualClock)
    mirror.clock.advance(5)
    copied = [Record(record.offset, record.timestamp, 0, record.key, record.value) for record in found]
    assert one(mirror, bytearray(v1.build(copied, codec=codec)), 2).error_code == ErrorCode.NONE
    assert [record.timestamp for record in mirror.records("t")] == [NOW + 5] * 3


@pytest.mark.statement("S0-38")
@pytest.mark.parametrize("release", RELEASES)
def test_in_phase_1_a_new_wrapper_gets_its_outer_offset_and_is_not_compressed_again(release: str) -> None:
    config = {name.replace(".", "_"): value for name, value in OLD.items()}
    sent = v1.build(rows(), codec=GZIP)
    (before,) = batches(sent)
    assert isinstance(before, Message)
    kafka = cluster(release, **config)
    for _ in range(2):
        assert one(kafka, bytearray(sent), 2).error_code == ErrorCode.NONE
    first, second = stored(kafka)
    assert (first.magic, first.last_offset, second.last_offset) == (1, 2, 5)
    assert bytes(first.data)[26:] == bytes(before.data)[26:]  # everything after the stamp is as it came
    shipped = FakeKafka(release, config=OLD, clock=ManualClock(NOW), topics={"t": 1}).boot()
    assert one(shipped, bytearray(sent), 2).error_code == ErrorCode.NONE
    assert {unit.magic for unit in stored(shipped)} == {0}


@pytest.mark.statement("S0-48")
def test_old_consumers_meet_messages_that_they_cannot_read() -> None:
    """The text lets them throw. Nothing is converted, as the log says that it has format 0."""
    kafka = cluster("0.10.2", log_message_format_version="0.9.0")
    assert one(kafka, bytearray(v1.build(rows())), 2).error_code == ErrorCode.NONE
    found = fetching.only(fetching.fetch(kafka, ("t", 0, 0), version=1))
    assert {unit.magic for unit in batches(fetching.data_of(found))} == {1}
    assert one(kafka, bytearray(v0.build(rows())), 1).error_code == ErrorCode.NONE
    assert stored(kafka)[-1].magic == 0


@pytest.mark.statement("S0-9")
def test_the_first_text_works_with_an_index_of_append_times_by_minute() -> None:
    kafka = cluster("0.10.2", "KIP-33-option-1", log_index_interval_bytes=0)
    assert isinstance(kafka.clock, ManualClock)
    for _ in range(4):
        assert one(kafka, bytearray(v1.build(rows(), codec=GZIP)), 2).error_code == ErrorCode.NONE
        kafka.clock.advance(60_000)
    (segment,) = partition_of(kafka).log.segments
    assert isinstance(segment, MinuteSegment)
    entries = segment.load_minutes().entries()
    assert [minute for minute, _ in entries] == [minute_of(NOW + 60_000 * n) for n in (1, 2, 3)]
    assert [offset // 3 for _, offset in entries] == [1, 2, 3]  # the entries of the second, third and fourth wrapper
    found = segment.first_at_or_after(NOW + 60_000, 0)
    assert found is not None
    assert (found.offset, found.timestamp) == (3, NOW + 60_000)


@pytest.mark.statement("S0-8", "S0-9")
def test_a_search_by_time_on_a_mirror_finds_other_records() -> None:
    """The text's effect on mirror makers: the second hop has its own times."""
    source, mirror = (cluster("0.10.2", "KIP-33-option-1", log_index_interval_bytes=0) for _ in range(2))
    for _ in range(4):
        assert one(source, bytearray(v1.build(rows(1))), 2).error_code == ErrorCode.NONE
        clock_of(source).advance(60_000)
    clock_of(mirror).advance(600_000)
    for record in source.records("t"):
        copied = v1.build([Record(0, record.timestamp, 0, record.key, record.value)])
        assert one(mirror, bytearray(copied), 2).error_code == ErrorCode.NONE
    found = {}
    for name, kafka in (("source", source), ("mirror", mirror)):
        (segment,) = partition_of(kafka).log.segments
        answer = segment.first_at_or_after(NOW + 120_000, 0)
        found[name] = None if answer is None else answer.offset
    assert found == {"source": 2, "mirror": 0}


@pytest.mark.statement("S0-12")
@pytest.mark.parametrize("release", RELEASES)
def test_a_compacted_wrapper_has_gaps_and_the_time_of_its_last_message(release: str) -> None:
    kafka = cluster(release)
    kafka.configure_topic("t", {"cleanup.policy": "compact"})
    times = []
    for keys in (b"abc", b"b", b"d"):
        sent = [Record(n, LONG_AGO - n, 0, bytes([key]), b"v" * 20) for n, key in enumerate(keys)]
        assert one(kafka, bytearray(v1.build(sent, codec=GZIP)), 2).error_code == ErrorCode.NONE
        times.append(kafka.clock.now_ms)
        clock_of(kafka).advance(10)
    kafka.compact("t", roll=True)
    first = stored(kafka)[0]
    assert [record.offset for record in first.records()] == [0, 2]
    assert first.max_timestamp == list(first.records())[-1].timestamp == times[0]


@pytest.mark.statement("S0-22")
@pytest.mark.parametrize("release", RELEASES)
def test_a_segment_ends_by_the_time_of_its_first_message_even_after_a_restart(release: str) -> None:
    """Releases without a time index use the creation time of the file, which a restart renews."""
    kafka = cluster(release, log_roll_ms=1000)
    assert one(kafka, bytearray(v1.build(rows(1))), 2).error_code == ErrorCode.NONE
    clock_of(kafka).advance(600)
    kafka.restart()
    clock_of(kafka).advance(600)
    assert one(kafka, bytearray(v1.build(rows(1))), 2).error_code == ErrorCode.NONE
    assert [segment.base_offset for segment in partition_of(kafka).log.segments] == [0, 1]


@pytest.mark.statement("S0-23")
@pytest.mark.parametrize("release", RELEASES)
def test_a_segment_is_as_old_as_its_last_message(release: str) -> None:
    """It is not as old as its youngest message: the two differ if a replica has messages from before the draft."""
    old_enough = {}
    for draft in (True, False):
        kafka = cluster(release) if draft else FakeKafka(release, clock=ManualClock(NOW), topics={"t": 1}).boot()
        log = partition_of(kafka).log
        for n, timestamp in enumerate((NOW, NOW - 5000)):
            unit = v1.build([Record(n, timestamp, 0, b"k", b"v")])
            log.append(*with_info(unit), NOW)
        rules = kafka.connect().core.cluster.brokers[0].profile.log
        old_enough[draft] = retention.too_old([*log.segments] * 2, 99, 99, rules, 4000, NOW + 1000)
    assert old_enough == {True: 2, False: 0}
