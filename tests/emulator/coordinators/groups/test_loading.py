import pytest
from fakekafka import FakeKafka
from fakekafka.cluster.internal_topics import Producer, append
from fakekafka.coordinators.groups.classic.group import State
from fakekafka.coordinators.groups.offsets.store import Committed
from fakekafka.coordinators.groups.records import group_key, offset_key, offset_value
from fakekafka.errors import ErrorCode
from fakekafka.records import v2
from fakekafka.records.record import Record
from fakekafka.releases.coordinator_values import ValueVersions
from fakekafka.wire.apis.heartbeat import HeartbeatRequest, HeartbeatResponse
from fakekafka.wire.apis.list_groups import ListGroupsRequest, ListGroupsResponse
from fakekafka.wire.apis.offset_fetch import OffsetFetchRequest, OffsetFetchRequestTopic, OffsetFetchResponse

from tests.support.brokers import answer
from tests.support.group_clients import SMALL, Member, clock_of, coordinator_of, grouped, settled, simple
from tests.support.seeded import NOW, broker_of, marker, partition_of, store

E = ErrorCode
OFFSETS = "__consumer_offsets"
SMALL_STEPS = SMALL | {"offsets.load.buffer.size": 1}


def write(kafka: FakeKafka, *records: tuple[bytes, bytes | None], producer: Producer | None = None) -> None:
    """Put records into the offsets topic without the coordinator noticing it."""
    waiters, partition = broker_of(kafka).waiters, partition_of(kafka, topic=OFFSETS)
    assert append(waiters, partition, records, NOW, producer=producer or Producer()).error is E.NONE


def value(offset: int, version: int = 3, expiry: int | None = None) -> bytes:
    return offset_value(ValueVersions(version, 3), Committed(offset, -1, "", NOW, expiry))


KEY = offset_key(1, "g", "t", 0)


# ---- nothing is lost


@pytest.mark.parametrize("crash", [False, True])
@pytest.mark.parametrize("release", ["0.9.0", "0.10.0", "0.11.0", "2.3", "3.8", "4.3"])
def test_committed_offsets_outlive_the_broker(release: str, crash: bool) -> None:
    kafka = grouped(release)
    client = simple(kafka)
    client.commit(5, 6, 7, metadata="m")
    client.commit(8)
    kafka.restart(crash=crash)
    client.reconnect()
    assert client.fetch(0, 1, 2, 3) == [8, 6, 7, -1]
    committed = kafka.committed("g")
    assert (committed["t", 1].metadata, committed["t", 1].commit_timestamp) == ("m", NOW)


@pytest.mark.parametrize("release", ["0.9.0", "0.11.0", "2.3", "3.8", "4.3"])
def test_members_outlive_the_broker(release: str) -> None:
    kafka = grouped(release)
    one, two = Member(kafka), Member(kafka)
    settled(one, two)
    kafka.restart()
    for member in (one, two):
        member.reconnect()
        assert member.heartbeat() is E.NONE
        assert member.commit(5) == [E.NONE]
    clock_of(kafka).advance(10_000)
    assert one.heartbeat() is E.UNKNOWN_MEMBER_ID


def test_static_members_outlive_the_broker() -> None:
    kafka = grouped()
    old, new = Member(kafka, instance_id="i"), Member(kafka, instance_id="i")
    settled(old)
    kafka.restart()
    new.reconnect()
    joined = new.join()
    assert joined is not None
    assert (joined.error_code, joined.generation_id) == (E.NONE, 1)


@pytest.mark.parametrize(("release", "leaves"), [("2.3", False), ("2.7", False), ("2.8", True), ("4.3", True)])
def test_from_2_3_to_2_7_loaded_members_are_not_removed_for_not_joining(release: str, leaves: bool) -> None:
    kafka = grouped(release)
    loaded = Member(kafka, session_ms=300_000, rebalance_ms=10_000)
    settled(loaded)
    kafka.restart()
    new = Member(kafka, session_ms=300_000, rebalance_ms=10_000)
    assert new.join() is None
    clock_of(kafka).advance(10_000)
    assert new.joined() is not None
    assert (loaded.id not in coordinator_of(kafka).classic_groups.groups["g"].members) == leaves


@pytest.mark.parametrize(
    ("release", "known"), [("2.0", False), ("2.1", True), ("2.6.0", False), ("2.6.1", True), ("3.8", True)]
)
def test_the_time_at_which_a_group_became_empty_outlives_a_restart(release: str, known: bool) -> None:
    kafka = grouped(release)
    member = Member(kafka)
    settled(member)
    member.leave()
    kafka.restart()
    group = coordinator_of(kafka).classic_groups.groups["g"]
    assert (group.state, group.generation, group.state_since) == (State.EMPTY, 2, NOW if known else None)


@pytest.mark.parametrize(("release", "kind"), [("0.11.0", None), ("1.0", "consumer"), ("4.3", "consumer")])
def test_the_protocol_type_of_an_empty_group_is_known_since_1_0(release: str, kind: str | None) -> None:
    kafka = grouped(release)
    member = Member(kafka)
    settled(member)
    member.leave()
    kafka.restart()
    assert coordinator_of(kafka).classic_groups.groups["g"].protocol_type == kind


def test_deleted_offsets_and_groups_stay_deleted_after_a_restart() -> None:
    kafka = grouped(offsets_retention_minutes=1, offsets_retention_check_interval_ms=1_000)
    client = simple(kafka)
    client.commit(5)
    clock_of(kafka).advance(61_000)
    kafka.restart()
    client.reconnect()
    assert client.fetch(0) == [-1]
    assert coordinator_of(kafka).classic_groups.find("g") is None


def test_a_group_that_outlived_its_offsets_is_loaded_again() -> None:
    kafka = grouped("4.3")
    kafka.create_topic("u")
    simple(kafka).commit(6, topic="u")
    kafka.delete_topic("u")
    kafka.restart()
    assert coordinator_of(kafka).classic_groups.find("g") is not None


# ---- while it is read


@pytest.mark.statement("S4-18")
def test_requests_about_groups_that_are_being_loaded_get_an_error() -> None:
    kafka = grouped()
    member = Member(kafka)
    settled(member)
    member.commit(5)
    kafka.restart(config=SMALL_STEPS)
    member.reconnect()
    assert member.commit(6) == [E.COORDINATOR_LOAD_IN_PROGRESS]
    asked = [OffsetFetchRequestTopic(name="t", partition_indexes=[0])]
    fetched = answer(kafka, OffsetFetchRequest(group_id="g", topics=asked), 5, OffsetFetchResponse)
    assert fetched.error_code == E.COORDINATOR_LOAD_IN_PROGRESS
    assert answer(kafka, ListGroupsRequest(), 4, ListGroupsResponse).error_code == E.COORDINATOR_LOAD_IN_PROGRESS
    synced = member.sync()
    assert synced is not None
    assert (synced.error_code, member.heartbeat()) == (E.REBALANCE_IN_PROGRESS, E.NONE)
    new = Member(kafka)
    joined = new.start_joining()
    assert joined is not None
    assert (joined.error_code, member.leave()) == (E.COORDINATOR_LOAD_IN_PROGRESS, E.COORDINATOR_LOAD_IN_PROGRESS)
    while coordinator_of(kafka).loading:
        kafka._runtime.tick()
    assert member.commit(6) == [E.NONE]
    assert member.fetch(0) == [6]
    assert answer(kafka, ListGroupsRequest(), 4, ListGroupsResponse).error_code == E.NONE


def test_loading_ends_when_the_leadership_is_lost() -> None:
    kafka = grouped()
    simple(kafka).commit(5)
    simple(kafka).commit(6)
    kafka.restart(config=SMALL_STEPS)
    coordinator = coordinator_of(kafka)
    coordinator.unload(0)
    kafka._runtime.tick()
    assert not coordinator.loading
    assert list(coordinator.offsets.groups()) == []


# ---- what cannot be read


@pytest.mark.parametrize(("release", "known"), [("0.10.0", [5]), ("0.10.1", [-1]), ("3.8", [-1])])
def test_an_unreadable_record_ends_the_loading(release: str, known: list[int]) -> None:
    kafka = grouped(release)
    write(kafka, (KEY, value(5, 1, NOW + 10**9)))
    write(kafka, (KEY, bytes.fromhex("7fff")))
    write(kafka, (KEY, value(6, 1, NOW + 10**9)))
    kafka.restart()
    assert simple(kafka).fetch(0) == known


def test_the_java_coordinator_fails_at_an_unreadable_record() -> None:
    """Recorded from 4.0.0: unreadable_commit."""
    kafka = grouped("4.0")
    write(kafka, (KEY, bytes.fromhex("7fff")))
    kafka.restart()
    assert simple(kafka).commit(6) == [E.NOT_COORDINATOR]


def test_a_record_without_a_key_cannot_be_read() -> None:
    kafka = grouped()
    simple(kafka).commit(5)
    store(kafka, v2.build([Record(1, NOW, 0, None, b"value")], leader_epoch=0), topic=OFFSETS)
    kafka.restart()
    assert simple(kafka).fetch(0) == [-1]


def test_a_newer_message_format_cannot_be_read() -> None:
    kafka = grouped("0.10.2")
    simple(kafka).commit(5)
    record = Record(1, NOW, 0, KEY, value(6, 1, NOW + 10**9))
    store(kafka, v2.build([record], leader_epoch=0), topic=OFFSETS)
    kafka.restart()
    assert simple(kafka).fetch(0) == [-1]


@pytest.mark.parametrize(("release", "offset"), [("3.4.0", -1), ("3.4.1", 6), ("3.8", 6)])
def test_records_of_other_kinds_are_left_out_since_3_4_1(release: str, offset: int) -> None:
    kafka = grouped(release)
    write(kafka, (bytes.fromhex("0064"), b"something new"))
    write(kafka, (KEY, value(6)))
    kafka.restart()
    assert simple(kafka).fetch(0) == [offset]


def test_a_record_of_a_consumer_group_does_not_end_the_loading() -> None:
    kafka = grouped("3.8")
    write(kafka, (bytes.fromhex("0003 0000"), b"a consumer group"), (KEY, value(6)))
    kafka.restart()
    assert simple(kafka).fetch(0) == [6]


@pytest.mark.parametrize(("release", "kept"), [("2.0", True), ("2.1.1", False), ("2.2", True)])
def test_an_expiry_of_minus_one_had_passed_in_2_1(release: str, kept: bool) -> None:
    kafka = grouped(release, offsets_retention_check_interval_ms=1_000)
    write(kafka, (KEY, value(6, 1, -1)))
    kafka.restart()
    clock_of(kafka).advance(2_000)
    assert simple(kafka).fetch(0) == [6 if kept else -1]


def test_a_tombstone_of_a_group_leaves_its_offsets() -> None:
    kafka = grouped("3.8")
    member = Member(kafka)
    settled(member)
    member.commit(5)
    write(kafka, (group_key("g"), None))
    kafka.restart()
    assert coordinator_of(kafka).classic_groups.groups == {}
    assert simple(kafka).fetch(0) == [5]


# ---- transactions


IN_TRANSACTION = Producer(id=1, epoch=0, sequence=0)


@pytest.mark.parametrize(("commit", "offset"), [(True, 6), (False, 5)])
def test_a_transactions_offsets_count_when_it_was_committed(commit: bool, offset: int) -> None:
    kafka = grouped("3.8")
    simple(kafka).commit(5)
    write(kafka, (KEY, value(6)), producer=IN_TRANSACTION)
    store(kafka, marker(2, commit), topic=OFFSETS)
    kafka.restart()
    assert simple(kafka).fetch(0) == [offset]
    assert not coordinator_of(kafka).pending


def test_offsets_of_an_open_transaction_stay_pending() -> None:
    kafka = grouped("3.8")
    write(kafka, (KEY, value(6)), producer=IN_TRANSACTION)
    kafka.restart()
    assert simple(kafka).fetch(0) == [-1]
    assert coordinator_of(kafka).pending.has("g", "t", 0)


def test_a_tombstone_removes_pending_offsets_too() -> None:
    kafka = grouped("3.8")
    write(kafka, (KEY, value(6)), producer=IN_TRANSACTION)
    write(kafka, (KEY, None), producer=IN_TRANSACTION._replace(sequence=1))
    kafka.restart()
    assert not coordinator_of(kafka).pending


def test_heartbeats_are_answered_while_members_are_loaded() -> None:
    kafka = grouped()
    simple(kafka).commit(5)
    simple(kafka).commit(6)
    kafka.restart(config=SMALL_STEPS)
    request = HeartbeatRequest(group_id="g", generation_id=1, member_id="m")
    assert answer(kafka, request, 3, HeartbeatResponse).error_code == E.NONE


def test_control_records_of_other_kinds_mean_nothing() -> None:
    kafka = grouped("3.8")
    write(kafka, (KEY, value(6)), producer=IN_TRANSACTION)
    unknown = Record(1, NOW, 0, bytes.fromhex("0000 0005"), b"")
    data = v2.build([unknown], leader_epoch=0, producer_id=1, producer_epoch=0, transactional=True, control=True)
    store(kafka, data, topic=OFFSETS)
    kafka.restart()
    assert coordinator_of(kafka).pending.has("g", "t", 0)


def test_a_leader_that_stays_leader_does_not_load_again() -> None:
    kafka = grouped("3.8")
    client = simple(kafka)
    client.commit(5)
    write(kafka, (KEY, value(6)))
    kafka.elect_leader(OFFSETS, 0)
    assert client.fetch(0) == [5]
