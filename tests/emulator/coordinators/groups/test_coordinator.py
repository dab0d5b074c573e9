import pytest
from fakekafka import FakeKafka, ManualClock
from fakekafka.coordinators.groups.classic.group import State
from fakekafka.coordinators.groups.records import GroupKey, read_group, read_key
from fakekafka.coordinators.hosted import coordinators_of
from fakekafka.errors import ErrorCode
from fakekafka.wire.internal.consumer_offsets import GroupMetadataValue

from tests.support.group_clients import SMALL, Member, coordinator_is_there, coordinator_of, grouped, settled, simple
from tests.support.seeded import NOW, partition_of

E = ErrorCode


def group_records(kafka: FakeKafka) -> list[tuple[int, GroupMetadataValue] | None]:
    """The version and value of every group's record; None for tombstones."""
    found: list[tuple[int, GroupMetadataValue] | None] = []
    for record in kafka.records("__consumer_offsets"):
        assert record.key is not None
        if isinstance(read_key(record.key), GroupKey):
            found.append(None if record.value is None else read_group(record.value, 4))
    return found


@pytest.mark.parametrize(
    ("release", "version"), [("0.9.0", 0), ("0.10.0", 0), ("0.10.1", 1), ("2.1", 2), ("2.3", 3), ("3.8", 3), ("4.3", 3)]
)
def test_a_generation_is_written_in_the_record_version_of_the_release(release: str, version: int) -> None:
    kafka = grouped(release)
    member = Member(kafka)
    settled(member)
    last = group_records(kafka)[-1]
    assert last is not None
    found, value = last
    assert (found, value.protocol_type, value.generation, value.protocol) == (version, "consumer", 1, "range")
    assert [(m.member_id, m.assignment) for m in value.members] == [(member.id, b"0")]


@pytest.mark.parametrize(("release", "count"), [("3.8", 1), ("4.0", 2)])
def test_4_0_writes_a_record_of_a_group_before_it_has_members(release: str, count: int) -> None:
    kafka = grouped(release)
    settled(Member(kafka))
    records = group_records(kafka)
    assert len(records) == count
    first = records[0]
    assert first is not None
    assert bool(first[1].members) == (count == 1)


@pytest.mark.parametrize("release", ["0.10.0", "0.10.1", "4.3"])
def test_a_group_without_members_is_deleted_or_recorded_as_empty(release: str) -> None:
    kafka = grouped(release)
    member = Member(kafka)
    settled(member)
    member.leave()
    last = group_records(kafka)[-1]
    if release == "0.10.0":
        assert last is None
    else:
        assert last is not None
        assert (last[1].generation, last[1].members, last[1].leader) == (2, [], None)


def test_a_group_is_coordinated_only_by_the_leader_of_its_partition() -> None:
    kafka = grouped()
    client = simple(kafka)
    client.commit(5)
    coordinator = coordinator_of(kafka)
    coordinator.on_leadership(0, leads=False)
    assert client.commit(5) == [E.NOT_COORDINATOR]
    assert list(coordinator.may_have_offsets()) == []


def test_a_waiting_member_gets_not_coordinator_when_the_partition_moves() -> None:
    kafka = grouped()
    one, two = Member(kafka), Member(kafka)
    settled(one)
    two.join()
    coordinator_of(kafka).unload(0)
    kafka._runtime.tick()
    told = two.joined()
    assert told is not None
    assert told.error_code == E.NOT_COORDINATOR


def test_groups_are_forgotten_when_the_topic_is_deleted() -> None:
    kafka = grouped()
    settled(Member(kafka))
    group = coordinator_of(kafka).classic_groups.groups["g"]
    kafka.delete_topic("__consumer_offsets")
    assert group.state is State.DEAD
    assert coordinator_of(kafka).classic_groups.groups == {}
    coordinator_is_there(kafka)
    assert simple(kafka).commit(5) == [E.NONE]


def test_a_reset_forgets_groups() -> None:
    kafka = grouped()
    settled(Member(kafka))
    simple(kafka, "other").commit(5)
    kafka.reset()
    assert coordinator_of(kafka).may_have_offsets() == []


def test_each_broker_coordinates_its_partitions() -> None:
    kafka = FakeKafka("3.8", brokers=2, config=SMALL | {"offsets.topic.num.partitions": 4}, clock=ManualClock(NOW))
    kafka.boot()
    coordinator_is_there(kafka)
    brokers = kafka.connect().core.cluster.brokers.values()
    assert sorted(index for broker in brokers for index in coordinators_of(broker).groups.led) == [0, 1, 2, 3]
    for group in ("a", "b", "c", "d", "e"):
        states = [coordinators_of(broker).groups.status(group) for broker in brokers]
        assert sorted(states) == [E.NONE, E.NOT_COORDINATOR]
        (other,) = (broker for broker in brokers if coordinators_of(broker).groups.status(group) is not E.NONE)
        assert coordinators_of(other).groups.append(group, [(b"k", b"v")]).error is E.NOT_LEADER_OR_FOLLOWER


def test_the_offsets_topic_can_be_compressed() -> None:
    kafka = grouped("3.8", offsets_topic_compression_codec=1)
    simple(kafka).commit(*range(8))
    (batch,) = partition_of(kafka, topic="__consumer_offsets").log.segments[-1].batches()
    assert batch.codec == 1
    kafka.restart()
    assert simple(kafka).fetch(7) == [7]
