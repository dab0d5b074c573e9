import pytest
from fakekafka import FakeKafka
from fakekafka.cluster.internal_topics import Producer
from fakekafka.pieces import joined

from tests.support.group_clients import Member, clock_of, coordinator_of, grouped, settled
from tests.support.seeded import partition_of

TRANSACTION = Producer(id=7, epoch=0, sequence=0)


def batch_sizes(kafka: FakeKafka) -> list[int]:
    """How many records each batch of the offsets topic holds."""
    log = partition_of(kafka, 0, "__consumer_offsets").log
    found = log.read(0, 1 << 20, log.log_end_offset, min_one=True)
    assert not isinstance(found, int)
    data = bytes(joined(found.buffers))
    sizes, at = [], 0
    while at < len(data):
        sizes.append(int.from_bytes(data[at + 57 : at + 61], "big"))
        at += 12 + int.from_bytes(data[at + 8 : at + 12], "big")
    return sizes


def test_records_that_nobody_waits_for_share_a_batch_with_the_next_ones() -> None:
    """4.0.0 group_classic: "two9", "e9"."""
    kafka = grouped("4.0")
    member = Member(kafka)
    member.join()
    assert batch_sizes(kafka) == []
    member.sync({member: b""})
    member.commit(1)
    assert batch_sizes(kafka) == [2, 1]


@pytest.mark.parametrize(("release", "linger_ms"), [("4.0", 5), ("4.1", 5)])
def test_a_batch_does_not_wait_longer_than_the_linger(release: str, linger_ms: int) -> None:
    kafka = grouped(release)
    Member(kafka).join()
    Member(kafka, "h").join()
    clock_of(kafka).advance(linger_ms - 1)
    assert batch_sizes(kafka) == []
    clock_of(kafka).advance(1)
    assert batch_sizes(kafka) == [2]


@pytest.mark.parametrize(("release", "linger_ms"), [("4.0", 0), ("4.3", -1), ("3.9", 10)])
def test_without_a_linger_time_records_are_written_at_once(release: str, linger_ms: int) -> None:
    """From 4.2 on a batch ends by default when there is nothing more to fill it."""
    kafka = grouped(release, group_coordinator_append_linger_ms=linger_ms)
    settled(Member(kafka))
    assert set(batch_sizes(kafka)) == {1}


def test_a_longer_linger_can_be_set() -> None:
    kafka = grouped("4.0", group_coordinator_append_linger_ms=50)
    Member(kafka).join()
    clock_of(kafka).advance(49)
    assert batch_sizes(kafka) == []


def test_lingering_records_are_lost_with_the_leadership() -> None:
    kafka = grouped("4.0")
    Member(kafka).join()
    on = coordinator_of(kafka)
    on.unload(0)
    assert on.lingering.count(0) == 0
    clock_of(kafka).advance(10)
    assert batch_sizes(kafka) == []


def test_a_transaction_is_written_after_lingering_records() -> None:
    kafka = grouped("4.0")
    on = coordinator_of(kafka)
    on.append_soon("g", [(b"\0\1k", b"v")])
    assert on.lingering.count(0) == 1
    partition = on.partition(0)
    assert partition is not None
    done = on.append_to(partition, [(b"\0\1k", b"w")], TRANSACTION)
    assert (done.base_offset, batch_sizes(kafka)) == (1, [1, 1])
