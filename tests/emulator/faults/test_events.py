"""Faults that happen at a time: `faults/events.py`, without sockets. With sockets: `runtime/test_event_stage.py`."""

from typing import Any

import pytest
from fakekafka import FakeKafka, ManualClock, UsageError
from fakekafka.errors import ErrorCode
from fakekafka.faults.plan import read_plan, write_plan
from fakekafka.wire.apis.api_versions import ApiVersionsRequest
from fakekafka.wire.apis.fetch import FetchResponse
from fakekafka.wire.apis.find_coordinator import FindCoordinatorRequest, FindCoordinatorResponse
from fakekafka.wire.apis.metadata import MetadataRequest, MetadataResponse
from fakekafka.wire.apis.produce import ProduceResponse

from tests.support.faults import NOW, Client, fetch, fetched, produce, produced

PRODUCE, FETCH = 7, 11
REPLICATED = {"default.replication.factor": 3, "offsets.topic.replication.factor": 3}


def cluster(**options: Any) -> tuple[FakeKafka, ManualClock]:
    clock = ManualClock(NOW)
    kafka = FakeKafka("2.3", brokers=3, topics={"orders": 2}, config=REPLICATED, clock=clock, **options)
    return kafka.boot(), clock


def metadata(kafka: FakeKafka, node_id: int = 0) -> MetadataResponse:
    return Client(kafka, node_id=node_id).ask(MetadataRequest(topics=None), 5, MetadataResponse)


# ---- connections


def test_disconnecting_ends_the_matching_connections_and_names_the_others() -> None:
    kafka, _ = cluster()
    svc, other = Client(kafka, "svc-1"), Client(kafka, "other")
    for client in (svc, other):
        client.send(MetadataRequest(topics=None), 5)
    rule = kafka.faults.disconnect(client_id="svc-*")
    for client in (svc, other):
        client.memory.receive()
    assert (svc.memory.closed, other.memory.closed, rule.hits, rule.active) == (True, False, 1, False)
    assert list(rule.near_misses) == ["connection 2 of 'other' to broker 0"]


def test_software_that_names_itself_can_be_disconnected() -> None:
    kafka = FakeKafka("2.4", clock=ManualClock(NOW)).boot()
    client = Client(kafka)
    client.send(ApiVersionsRequest(client_software_name="librdkafka", client_software_version="2.3"), 3)
    assert kafka.faults.disconnect(software_name="apache-*").hits == 0
    assert kafka.faults.disconnect(software_name="librd*").hits == 1


def test_rules_for_requests_match_by_the_name_of_the_software() -> None:
    kafka = FakeKafka("2.4", topics={"orders": 1}, clock=ManualClock(NOW)).boot()
    rule = kafka.faults.fail("Produce", "NOT_ENOUGH_REPLICAS", software_name="librdkafka")
    named, unnamed = Client(kafka), Client(kafka)
    named.send(ApiVersionsRequest(client_software_name="librdkafka", client_software_version="2.3"), 3)
    answers = [client.ask(produce(("orders", 0)), PRODUCE, ProduceResponse) for client in (named, unnamed)]
    assert [produced(answer)["orders", 0] for answer in answers] == [ErrorCode.NOT_ENOUGH_REPLICAS, 0]
    assert rule.near_misses[-1] == "Produce v7 by 'test': software name ''"


def test_a_half_open_connection_is_neither_answered_nor_closed() -> None:
    kafka, clock = cluster()
    client = Client(kafka)
    client.send(fetch(("orders", 0), max_wait_ms=1000), FETCH)
    kafka.faults.disconnect(how="silence")
    clock.advance(5000)
    assert client.memory.receive() == b""
    assert not client.memory.closed
    assert kafka.faults.disconnect(how="silence").hits == 0


def test_a_cut_off_client_is_answered_by_some_brokers_only_until_the_rule_ends() -> None:
    kafka, clock = cluster()
    rule = kafka.faults.cut_off(client_id="svc-1", broker=(0, 1), for_ms=1000)
    answered = [bool(Client(kafka, "svc-1", node).send(MetadataRequest(topics=None), 5)) for node in range(3)]
    assert answered == [False, False, True]
    assert Client(kafka, "svc-2").send(MetadataRequest(topics=None), 5)
    clock.advance(1000)
    assert Client(kafka, "svc-1").send(MetadataRequest(topics=None), 5)
    assert (rule.hits, rule.active) == (2, False)


# ---- brokers


@pytest.mark.parametrize("clean", [False, True])
def test_a_broker_that_is_down_comes_back_when_its_time_is_over(clean: bool) -> None:
    kafka, clock = cluster()
    kafka.faults.down(broker=1, after_ms=100, for_ms=500, clean=clean)
    seen = [sorted(kafka.brokers())]
    for ms in (100, 499, 1):
        clock.advance(ms)
        seen.append(sorted(kafka.brokers()))
    assert seen == [[0, 1, 2], [0, 2], [0, 2], [0, 1, 2]]


def test_a_broker_that_was_started_by_hand_stays_up_when_its_rule_ends() -> None:
    kafka, _ = cluster()
    with kafka.faults.down(broker=1):
        kafka.start_broker(1)
    assert sorted(kafka.brokers()) == [0, 1, 2]


@pytest.mark.parametrize(("unsynced", "left"), [("kept", 1), ("lost", 0)])
def test_a_broker_that_goes_down_may_lose_unflushed_records(unsynced: str, left: int) -> None:
    kafka = FakeKafka("2.3", topics={"orders": 1}, clock=ManualClock(NOW)).boot()
    kafka.send("orders", b"1")
    with kafka.faults.down(broker=0, unsynced=unsynced):  # type: ignore[arg-type]
        assert kafka.brokers() == {}
    assert len(kafka.records("orders")) == left


def test_leaders_coordinators_and_controllers_move() -> None:
    kafka, _ = cluster()
    kafka.faults.move_leader(topic="orders", to=2)
    kafka.faults.move_controller(to=1)
    answer = metadata(kafka)
    assert [p.leader_id for t in answer.topics if t.name == "orders" for p in t.partitions] == [2, 2]
    assert answer.controller_id == 1
    for to in (0, 1, 2):
        kafka.faults.move_coordinator(group="shop", to=to)
        found = Client(kafka).ask(FindCoordinatorRequest(key="shop", key_type=0), 2, FindCoordinatorResponse)
        assert found.node_id == to


def test_a_coordinator_of_transactions_moves_as_well() -> None:
    kafka, _ = cluster()
    for to in (0, 2):
        kafka.faults.move_coordinator(transactional_id="svc", to=to)
        found = Client(kafka).ask(FindCoordinatorRequest(key="svc", key_type=1), 2, FindCoordinatorResponse)
        assert found.node_id == to


# ---- disks


@pytest.mark.parametrize(("release", "error"), [("0.10.2", "UNKNOWN_SERVER_ERROR"), ("2.3", "KAFKA_STORAGE_ERROR")])
def test_a_full_disk_ends_the_broker_and_the_others_go_on(release: str, error: str) -> None:
    kafka = FakeKafka(
        release, brokers=2, topics={"orders": 1}, clock=ManualClock(NOW), faulty_disks=True,
        config={"default.replication.factor": 2},
    ).boot()  # fmt: skip
    leader = kafka._running.cluster.topics["orders"].partitions[0].leader
    kafka.faults.full_disk(broker=leader)
    version = 2 if release == "0.10.2" else PRODUCE
    answer = Client(kafka, node_id=leader).send(_produce_of(version), version)
    assert sorted(kafka.brokers()) == [1 - leader]
    if error == "KAFKA_STORAGE_ERROR":
        assert answer


def _produce_of(version: int) -> Any:
    from fakekafka.records import v1
    from fakekafka.records.record import Record
    from fakekafka.wire.apis.produce import PartitionProduceData, ProduceRequest, TopicProduceData

    records = produce(("orders", 0)).topic_data[0].partition_data[0].records
    old = bytes(v1.build([Record(0, NOW, 0, None, b"value")]))
    data = PartitionProduceData(index=0, records=old if version < 3 else records)
    return ProduceRequest(acks=-1, timeout_ms=1000, topic_data=[TopicProduceData(name="orders", partition_data=[data])])


def test_a_disk_that_has_room_again_takes_records_again() -> None:
    kafka = FakeKafka("2.3", topics={"orders": 1}, clock=ManualClock(NOW), faulty_disks=True).boot()
    rule = kafka.faults.full_disk(free_bytes=100)
    client = Client(kafka)
    assert produced(client.ask(produce(("orders", 0)), PRODUCE, ProduceResponse)) == {("orders", 0): 0}
    rule.remove()
    for _ in range(5):
        assert produced(client.ask(produce(("orders", 0)), PRODUCE, ProduceResponse)) == {("orders", 0): 0}


def test_an_unreadable_file_fails_the_fetch() -> None:
    kafka = FakeKafka("2.3", topics={"orders": 1}, clock=ManualClock(NOW), faulty_disks=True).boot()
    kafka.send("orders", b"1")
    kafka.faults.read_error(files="*.log")
    answer = Client(kafka).ask(fetch(("orders", 0)), FETCH, FetchResponse)
    assert fetched(answer) == {("orders", 0): ErrorCode.KAFKA_STORAGE_ERROR}


def test_a_disk_can_fail_only_if_that_was_requested_before_the_start() -> None:
    kafka, _ = cluster()
    with pytest.raises(UsageError, match=r"start them with FakeKafka\(faulty_disks=True\)"):
        kafka.faults.full_disk(broker=0)
    assert list(kafka.faults.rules) == []
    planned = FakeKafka("2.3", clock=ManualClock(NOW), faults="[[fault]]\nfull_disk = 0\nafter_ms = 5\n").boot()
    assert [rule.active for rule in planned.faults.rules] == [True]


# ---- as rules


def test_an_event_of_a_plan_happens_when_its_time_has_come() -> None:
    plan = "[[fault]]\nmove_controller = 2\nafter_ms = 1000\n"
    kafka, clock = cluster(faults=plan)
    clock.advance(999)
    assert metadata(kafka).controller_id == 0
    clock.advance(1)
    assert metadata(kafka).controller_id == 2


def test_an_event_that_cannot_happen_when_it_is_due_says_why() -> None:
    kafka, clock = cluster()
    rule = kafka.faults.move_leader(topic="orders", to=1, after_ms=1000)
    kafka.kill_broker(1)
    clock.advance(1000)
    assert (rule.hits, rule.active, kafka.failures) == (0, False, ())
    assert "broker 1 cannot lead orders-0: in sync are" in rule.near_misses[0]


def test_an_event_that_is_removed_in_time_does_not_happen() -> None:
    kafka, clock = cluster()
    kafka.faults.move_controller(to=2, after_ms=1000).remove()
    clock.advance(2000)
    assert metadata(kafka).controller_id == 0


def test_lasting_events_go_on_after_a_restart() -> None:
    kafka, clock = cluster()
    kafka.faults.down(broker=2, for_ms=1000)
    kafka.restart()
    assert sorted(kafka.brokers()) == [0, 1]
    clock.advance(1000)
    assert sorted(kafka.brokers()) == [0, 1, 2]


@pytest.mark.parametrize(
    ("method", "arguments", "says"),
    [
        ("disconnect", {"topic": "orders"}, "disconnect has no use for topic=: it takes client_id, software_name"),
        ("disconnect", {"how": "loudly"}, "'close', 'reset', 'silence'"),
        ("refuse_connections", {"how": "loudly"}, "'refused', 'close', 'reset', 'silence'"),
        ("refuse_connections", {"broker": 7, "how": "close"}, "broker 7 does not run: 0, 1, 2 do"),
        ("refuse_connections", {}, r"start\(\) the broker instead of boot\(\)"),
        ("down", {"broker": 7}, "broker 7 does not run"),
        ("down", {"broker": "1"}, "broker='1': it is a whole number"),
        ("down", {"unsynced": "gone"}, "'kept', 'lost', 'some'"),
        ("down", {"unsynced": "lost", "clean": True}, "a clean stop flushes everything"),
        ("move_leader", {"to": 1}, "move_leader: say topic="),
        ("move_leader", {"to": 7, "topic": "orders"}, "broker 7 cannot lead orders-0: in sync are"),
        ("move_leader", {"to": 1, "topic": "nope"}, "no topic 'nope'"),
        ("move_coordinator", {"to": 1}, "say group= or transactional_id="),
        ("move_controller", {"to": 7}, "7"),
        ("throttle", {"bytes_per_s": 0}, "at least 1"),
        ("slice", {"bytes": 0}, "at least 1"),
    ],
)
def test_impossible_events_are_refused_with_a_reason(method: str, arguments: Any, says: str) -> None:
    kafka, _ = cluster()
    with pytest.raises(UsageError, match=says):
        getattr(kafka.faults, method)(**arguments)
    assert list(kafka.faults.rules) == []


PLAN = """
[[fault]]
disconnect = "reset"
client_id = "svc-*"
after_ms = 100

[[fault]]
refuse_connections = "silence"
broker = [0, 2]
after_ms = 100
until_ms = 600

[[fault]]
cut_off = true
principal = "User:alice"

[[fault]]
down = true
clean = true
broker = 1

[[fault]]
down = true
unsynced = "lost"
broker = 2

[[fault]]
full_disk = 1000

[[fault]]
read_error = "*.index"

[[fault]]
move_leader = 2
topic = "orders"

[[fault]]
move_coordinator = 1
group = "shop"

[[fault]]
move_controller = 2

[[fault]]
throttle = 1000
api = "Fetch"

[[fault]]
throttle = true
api = "Produce"
time_ms = 200

[[fault]]
slice = 1
api = "Metadata"
gap_ms = 5
"""


def test_events_are_written_as_they_are_read() -> None:
    assert write_plan(read_plan(PLAN)) == PLAN.lstrip()


def test_an_event_may_have_a_length_instead_of_an_end() -> None:
    (rule,) = read_plan("[[fault]]\ndown = true\nbroker = 1\nafter_ms = 100\nfor_ms = 50\n")
    assert rule.match.until_ms == 150


@pytest.mark.parametrize(
    ("plan", "says"),
    [
        ("[[fault]]\nthrottle = true\n", "throttle: say bytes_per_s= or time_ms="),
        ("[[fault]]\nslice = 1\nbytes = 2\n", "slice: bytes is given twice"),
        ("[[fault]]\ndown = true\ntimes = 2\n", "down has no use for times="),
        ('[[fault]]\ndrop = true\ntimes = "2"\n', "times='2': it is a whole number"),
        ("[[fault]]\ndrop = true\ntopic = 5\n", "topic=5: it is a text"),
        ('[[fault]]\ndrop = true\nwhere = "x"\n', "a function, which cannot be written down"),
    ],
)
def test_impossible_events_of_a_plan_are_refused(plan: str, says: str) -> None:
    with pytest.raises(UsageError, match=says):
        read_plan(plan + "\n")
