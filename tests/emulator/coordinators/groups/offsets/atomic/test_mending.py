"""What a broker writes after a truncated commit or a deletion cannot be refused, and does not change the offsets."""

import pytest
from fakekafka import FakeKafka, ManualClock
from fakekafka.coordinators.groups.offsets.atomic.entries import Entry, Value, message_of
from fakekafka.errors import ErrorCode
from fakekafka.log.append_info import Origin
from fakekafka.state.topics import COMMIT_LOG
from fakekafka.wire.apis.offset_commit import (
    OffsetCommitRequest,
    OffsetCommitRequestPartition,
    OffsetCommitRequestTopic,
    OffsetCommitResponse,
)

from tests.support.brokers import answer
from tests.support.group_clients import SMALL, clock_of, coordinator_is_there, coordinator_of, simple
from tests.support.seeded import NOW, partition_of

RELEASES = ["0.8.2", "0.10.2", "2.3", "4.3"]
MINUTE_MS = 60_000
LONG = "m" * 400
"""Metadata that makes a message longer than `LIMIT`."""
LIMIT = "200"


def drafted(release: str, **config: object) -> FakeKafka:
    given = {name.replace("_", "."): value for name, value in config.items()}
    kafka = FakeKafka(
        release, config=SMALL | given, clock=ManualClock(NOW), topics={"t": 8}, drafts=["atomic-offset-log"]
    ).boot()
    coordinator_is_there(kafka)
    return kafka


def restart(kafka: FakeKafka) -> None:
    kafka.restart(crash=True)
    clock_of(kafka).advance(1)


def cut(kafka: FakeKafka, *partitions: int) -> None:
    """Write the beginning of a commit, as a leader that stops in the middle of it does."""
    partition = partition_of(kafka, 0, COMMIT_LOG)
    for index in partitions:
        entry = Entry(0, f"g-t-{index}", Value(100, 9, len(partitions) + 1, ""), clock_of(kafka).now_ms)
        message = message_of(entry, partition.log.config.message_format)
        assert partition.append_from(Origin.COORDINATOR, bytearray(message), NOW).error is ErrorCode.NONE


def compacted(kafka: FakeKafka) -> None:
    kafka.compact(COMMIT_LOG, roll=True)


def committed_at(kafka: FakeKafka, index: int) -> int:
    committed = coordinator_of(kafka).offsets.get("g", "t", index)
    assert committed is not None
    return committed.commit_timestamp


@pytest.mark.statement("S4-34", "S4-36")
@pytest.mark.parametrize("release", ["2.3", "4.3"])
def test_a_lowered_limit_does_not_keep_the_valid_offsets_from_being_written(release: str) -> None:
    """The true values are longer than the commit that was refused, and than the limit."""
    kafka = drafted(release)
    simple(kafka).commit(5, metadata=LONG)
    kafka.configure_topic(COMMIT_LOG, {"max.message.bytes": LIMIT})
    partitions = [
        OffsetCommitRequestPartition(partition_index=index, committed_offset=100, committed_metadata=metadata)
        for index, metadata in ((0, ""), (1, LONG))
    ]
    topics = [OffsetCommitRequestTopic(name="t", partitions=partitions)]
    request = OffsetCommitRequest(group_id="g", generation_id_or_member_epoch=-1, member_id="", topics=topics)
    done = answer(kafka, request, 2, OffsetCommitResponse)
    assert {p.error_code for p in done.topics[0].partitions} == {ErrorCode.INVALID_COMMIT_OFFSET_SIZE}
    for _ in range(2):
        compacted(kafka)
        restart(kafka)
        assert simple(kafka).fetch(0, 1) == [5, -1]


@pytest.mark.statement("S4-34", "S4-36")
@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize("config", [{"max.message.bytes": LIMIT}, {"min.insync.replicas": "2"}])
def test_the_valid_offsets_are_written_at_a_start_whatever_the_configuration_says(
    release: str, config: dict[str, str]
) -> None:
    kafka = drafted(release)
    simple(kafka).commit(5, 6, metadata=LONG)
    cut(kafka, 0, 7)
    kafka.configure_topic(COMMIT_LOG, config)
    for _ in range(2):
        restart(kafka)
        assert simple(kafka).fetch(0, 1, 7) == [5, 6, -1]
        if release != "0.8.2":  # 0.8.2 cannot compact the topic while it runs
            compacted(kafka)


@pytest.mark.parametrize("release", RELEASES)
def test_a_deletion_is_permanent_whatever_the_configuration_says(release: str) -> None:
    kafka = drafted(release)
    simple(kafka).commit(5, 6)
    kafka.configure_topic(COMMIT_LOG, {"min.insync.replicas": "2", "max.message.bytes": "30"})
    coordinator_of(kafka).expiry.clean_up({"g": [("t", 0)]})
    restart(kafka)
    assert simple(kafka).fetch(0, 1) == [-1, 6]


@pytest.mark.parametrize("release", ["0.10.2", "2.3", "4.3"])
def test_offsets_keep_the_time_at_which_they_were_committed(release: str) -> None:
    kafka = drafted(release)
    simple(kafka).commit(5, 6)
    clock_of(kafka).advance(5 * MINUTE_MS)
    simple(kafka).commit(7)
    cut(kafka, 1)
    clock_of(kafka).advance(5 * MINUTE_MS)
    restart(kafka)
    assert [committed_at(kafka, index) for index in (0, 1)] == [NOW + 5 * MINUTE_MS, NOW]
    restart(kafka)  # now the second offset is read from its second copy
    assert [committed_at(kafka, index) for index in (0, 1)] == [NOW + 5 * MINUTE_MS, NOW]


def test_a_truncated_commit_does_not_prolong_the_life_of_an_offset() -> None:
    kafka = drafted("2.8", offsets_retention_minutes=10, offsets_retention_check_interval_ms=MINUTE_MS)
    simple(kafka).commit(5)
    clock_of(kafka).advance(8 * MINUTE_MS)
    cut(kafka, 0)
    restart(kafka)
    clock_of(kafka).advance(MINUTE_MS)
    assert simple(kafka).fetch(0) == [5]
    clock_of(kafka).advance(2 * MINUTE_MS)
    assert simple(kafka).fetch(0) == [-1]


@pytest.mark.parametrize("release", ["0.8.2", "0.9.0"])
def test_in_format_0_the_time_of_a_commit_is_that_of_the_start(release: str) -> None:
    """Its messages have no timestamps: offsets would expire at once."""
    kafka = drafted(release, offsets_retention_minutes=30)
    simple(kafka).commit(5)
    restart(kafka)
    clock_of(kafka).advance(11 * MINUTE_MS)
    assert simple(kafka).fetch(0) == [5]
    clock_of(kafka).advance(30 * MINUTE_MS)
    assert simple(kafka).fetch(0) == [-1]
