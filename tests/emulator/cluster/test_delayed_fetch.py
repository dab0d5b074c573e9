import gc

import pytest
from fakekafka import FakeKafka
from fakekafka.cluster.delayed_fetch import DelayedFetch
from fakekafka.cluster.reading import Read, Reader, Wanted, read_all
from fakekafka.cluster.untried_read import LostRead
from fakekafka.errors import ErrorCode
from fakekafka.ids import ZERO_UUID
from fakekafka.server.memory import MemoryClient
from fakekafka.wire.apis.fetch import FetchPartition, FetchRequest, FetchResponse
from fakekafka.wire.frames import SIZE, read_response, request_frame

from tests.support.fetching import data_of, errors, partitions, places, request
from tests.support.seeded import (
    batch,
    booted,
    broker_of,
    in_transaction,
    marker,
    messages,
    partition_of,
    store,
    with_topics,
)

UNIT = len(batch(0))
CONSUMER, COMMITTED = Reader(), Reader(read_committed=True)


def delayed(
    kafka: FakeKafka,
    min_bytes: int,
    *offsets: int,
    reader: Reader = CONSUMER,
    max_bytes: int = 1 << 20,
    epoch: int = -1,
    last_epoch: int = -1,
) -> DelayedFetch:
    """A fetch of partition 0 at the first of `offsets`, of partition 1 at the second, and so on."""
    wants = [
        Wanted(
            "t",
            ZERO_UUID,
            FetchPartition(
                partition=index,
                fetch_offset=offset,
                partition_max_bytes=max_bytes,
                current_leader_epoch=epoch,
                last_fetched_epoch=last_epoch,
            ),
        )
        for index, offset in enumerate(offsets)
    ]
    broker = broker_of(kafka)
    return DelayedFetch(broker, read_all(broker, wants, reader, 1 << 20), reader, min_bytes)


def test_a_fetch_waits_until_there_are_enough_bytes() -> None:
    kafka = booted("2.3")
    fetch = delayed(kafka, UNIT + 1, 0)
    assert not fetch.is_complete()
    store(kafka, batch(0))
    assert not fetch.is_complete()
    store(kafka, batch(2))
    assert fetch.is_complete()


def test_partitions_count_together() -> None:
    kafka = booted("2.3", 2)
    fetch = delayed(kafka, 2 * UNIT, 0, 0)
    store(kafka, batch(0), index=0)
    assert not fetch.is_complete()
    store(kafka, batch(0), index=1)
    assert fetch.is_complete()


@pytest.mark.parametrize(("release", "is_enough"), [("0.8.2", True), ("0.9.0", False), ("2.3", False)])
def test_a_partition_counts_for_no_more_than_its_limit_since_0_9(release: str, is_enough: bool) -> None:
    kafka = booted(release)
    sent = messages(0, 0)
    fetch = delayed(kafka, len(sent), 0, max_bytes=len(sent) - 1)
    store(kafka, sent)
    assert fetch.is_complete() is is_enough


def test_bytes_are_counted_from_the_unit_that_holds_the_offset() -> None:
    kafka = booted("2.3")
    store(kafka, batch(0))
    assert not delayed(kafka, UNIT + 1, 1).is_complete()
    assert delayed(kafka, UNIT, 1).is_complete()


def test_a_fetch_waits_under_the_keys_of_existing_partitions() -> None:
    kafka = booted("2.3")
    assert delayed(kafka, 1, 0, 0).keys == (("log", "t", 0, 0),)


def test_a_new_leader_epoch_ends_the_wait_of_a_client_that_names_one() -> None:
    kafka = booted("2.3")
    named, careless = delayed(kafka, 1, 0, epoch=0), delayed(kafka, 1, 0)
    kafka.elect_leader("t", 0)
    assert named.is_complete()
    assert not careless.is_complete()


def test_a_new_leader_ends_the_wait() -> None:
    kafka = booted("2.4")
    leader_only, any_replica = delayed(kafka, 1, 0), delayed(kafka, 1, 0, reader=Reader(any_replica=True))
    partition_of(kafka).state.leader = 1
    assert leader_only.is_complete()
    assert not any_replica.is_complete()


def test_deleting_the_topic_ends_the_wait() -> None:
    kafka = booted("2.3")
    fetch = delayed(kafka, 1, 0)
    kafka.delete_topic("t")
    assert fetch.is_complete()


def test_a_new_segment_with_records_ends_the_wait() -> None:
    kafka = booted("2.3", segment_bytes="100")
    fetch = delayed(kafka, 10 * UNIT, 0)
    store(kafka, batch(0))
    assert not fetch.is_complete()
    store(kafka, batch(2))
    assert len(partition_of(kafka).log.segments) == 2
    assert fetch.is_complete()


def test_a_new_segment_without_records_does_not_end_the_wait() -> None:
    kafka = booted("2.3")
    store(kafka, batch(0))
    fetch = delayed(kafka, 1, 2)
    partition_of(kafka).log.roll(0)
    assert not fetch.is_complete()


def test_a_diverging_epoch_ends_the_wait() -> None:
    kafka = booted("2.8")
    store(kafka, batch(0))
    fetch = delayed(kafka, 1, 2, last_epoch=0)
    assert not fetch.is_complete()
    partition_of(kafka).log.truncate_to(0, 0)
    assert fetch.is_complete()


def test_committed_data_count_up_to_the_last_stable_offset() -> None:
    kafka = booted("2.3")
    fetch = delayed(kafka, 1, 0, reader=COMMITTED)
    store(kafka, in_transaction(0))
    assert not fetch.is_complete()
    store(kafka, marker(2))
    assert fetch.is_complete()


@pytest.mark.parametrize(("release", "at_once"), [("3.7", False), ("3.8", True)])
def test_an_offset_beyond_the_last_stable_one_waits_or_is_answered_at_once(release: str, at_once: bool) -> None:
    kafka = booted(release)
    store(kafka, in_transaction(0))
    assert delayed(kafka, 1, 1, reader=COMMITTED).is_complete() is at_once


def test_a_fetch_that_has_waited_is_forgotten_without_the_garbage_collector() -> None:
    def kept() -> int:
        return sum(isinstance(one, FetchRequest) for one in gc.get_objects())

    kafka = booted("2.3")
    consumer = kafka.connect()
    gc.collect()
    gc.disable()
    try:
        before = kept()
        assert consumer.send(request_frame(request(("t", 0, 0), max_wait_ms=1000), 11, 1, None)) == b""
        assert kept() == before + 1
        store(kafka, batch(0))
        assert consumer.receive()
        assert kept() == before
    finally:
        gc.enable()


def test_a_partition_that_goes_ends_the_wait_and_its_read_is_told_from_others() -> None:
    kafka = booted("2.3", 2)
    fetch = delayed(kafka, 1, 0, 0)
    assert not fetch.has_lost
    kafka.delete_topic("t")
    assert fetch.is_complete()
    assert fetch.has_lost
    broker = broker_of(kafka)
    wanted = [Wanted("t", ZERO_UUID, status.asked) for status in fetch._statuses]
    assert [type(read) for read in fetch.noting_lost(read_all(broker, wanted, CONSUMER, 1))] == [LostRead, LostRead]
    other = [Wanted("t", ZERO_UUID, FetchPartition(partition=0))]
    assert [type(read) for read in fetch.noting_lost(read_all(broker, other, CONSUMER, 1))] == [Read]


def test_a_partition_that_is_there_again_is_waited_for() -> None:
    kafka = booted("2.3")
    store(kafka, batch(0))
    fetch = delayed(kafka, 1, 2)
    kafka.delete_topic("t")
    kafka.create_topic("t", 1)
    assert not fetch.is_complete()
    fetch = delayed(kafka, UNIT, 0)
    kafka.delete_topic("t")
    kafka.create_topic("t", 1)
    assert not fetch.is_complete()
    store(kafka, batch(0))
    assert fetch.is_complete()


# ---- waiting while topics come and go


def asked_for(kafka: FakeKafka, *places_: tuple[str, int, int]) -> MemoryClient:
    client = kafka.connect()
    assert client.send(request_frame(request(*places_, max_wait_ms=500), 11, 1, None)) == b""
    return client


@pytest.mark.parametrize(("release", "at_once"), [("2.3", False), ("2.4", True), ("3.9", True), ("4.3", True)])
def test_since_2_4_a_fetch_is_answered_when_one_of_its_partitions_is_deleted(release: str, at_once: bool) -> None:
    """Recorded from 1.1.1 to 4.3.1: random_deletions."""
    kafka = with_topics(release, "a", "b")
    client = asked_for(kafka, ("b", 0, 0), ("a", 0, 0))
    kafka.delete_topic("b")
    assert bool(kafka.requests[-1].response) is at_once
    kafka.send("a", b"v")
    found = read_response(FetchResponse, 11, client.receive()[SIZE.size :])[1]
    assert places(found) == [("b", 0), ("a", 0)], "where it was asked for"
    assert errors(found) == [ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, 0]
    assert [part.aborted_transactions for part in partitions(found)] == [None, None]
    assert bool(data_of(partitions(found)[1])) is not at_once


@pytest.mark.parametrize("release", ["2.3", "4.3"])
def test_what_was_missing_when_a_fetch_came_stays_missing_for_it(release: str) -> None:
    kafka = with_topics(release, "a")
    client = asked_for(kafka, ("b", 0, 0), ("a", 0, 0))
    kafka.create_topic("b", 1)
    kafka.send("b", b"v")
    assert client.receive() == b""
    kafka.send("a", b"v")
    found = read_response(FetchResponse, 11, client.receive()[SIZE.size :])[1]
    assert places(found) == [("a", 0), ("b", 0)], "and comes last"
    assert errors(found) == [0, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION]


@pytest.mark.parametrize(("release", "deleted"), [("2.4", [2]), ("2.6", [2]), ("2.7", [0, 1, 2]), ("4.3", [0, 1, 2])])
def test_up_to_2_6_the_first_partition_that_is_deleted_ends_a_wait_for_several(
    release: str, deleted: list[int]
) -> None:
    """Recorded from 2.6.3: random_deletions."""
    kafka = booted(release, 3)
    client = asked_for(kafka, ("t", 0, 0), ("t", 1, 0), ("t", 2, 0))
    kafka.delete_topic("t")
    found = read_response(FetchResponse, 11, client.receive()[SIZE.size :])[1]
    assert [part.partition_index for part in partitions(found) if part.error_code] == deleted
