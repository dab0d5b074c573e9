"""Produce as a client sees it: answers, refusals, silence, waiting.

The file is long, since tests mirror modules and Produce behaves in many ways: each kind has a section.
"""

import gc
import tracemalloc
from collections.abc import Iterable
from random import Random

import pytest
from fakekafka import FakeKafka, ManualClock
from fakekafka.cluster.broker import Broker
from fakekafka.coordinators.transactions import verification
from fakekafka.coordinators.transactions.transaction import ProducerIdAndEpoch
from fakekafka.coordinators.transactions.verification import Verification
from fakekafka.errors import ErrorCode, UsageError
from fakekafka.handlers.produce_verification import Unverified
from fakekafka.ids import ApiKey, TopicPartition
from fakekafka.records import v0, v1, v2
from fakekafka.records.record import Record
from fakekafka.storage.partition import Partition
from fakekafka.wire.apis.produce import PartitionProduceData
from fakekafka.wire.frames import request_frame

from tests.support.group_clients import coordinator_is_there
from tests.support.producing import (
    T0,
    batch,
    errors,
    messages,
    one,
    parts,
    produce,
    raw,
    request,
    split,
    timed,
)
from tests.support.seeded import NOW, booted, broker_of, partition_of

BATCH_RELEASES = ["0.11.0.3", "1.1.1", "2.3.1", "2.8.2", "3.5.2", "3.9.1", "4.0.0"]
INVALID = ErrorCode.INVALID_RECORD


def newest(kafka: FakeKafka) -> int:
    """The newest version that names topics."""
    return min(12, broker_of(kafka).advertised[ApiKey.PRODUCE][1])


# ---- appending


@pytest.mark.parametrize(
    ("release", "version"), [("0.8.0", 0), ("0.8.2.2", 0), ("0.9.0.1", 1), ("0.10.2.2", 1), ("2.3.1", 0), ("3.9.1", 1)]
)
def test_messages_of_format_0_are_appended(release: str, version: int) -> None:
    kafka = booted(release)
    assert [one(kafka, messages(), version).base_offset for _ in range(2)] == [0, 2]
    assert [(r.offset, r.key, r.value) for r in kafka.records("t")] == [(n, b"k", b"v") for n in range(4)]


@pytest.mark.parametrize("release", BATCH_RELEASES)
def test_batches_of_format_2_are_appended(release: str) -> None:
    kafka = booted(release)
    part = one(kafka, batch(), newest(kafka))
    assert (part.error_code, part.base_offset, part.log_append_time_ms) == (0, 0, -1)
    assert [(r.offset, r.timestamp) for r in kafka.records("t")] == [(0, NOW), (1, NOW)]


def test_the_log_start_offset_is_reported_from_version_5_on() -> None:
    kafka = booted("2.8.2")
    assert [one(kafka, batch(), version).log_start_offset for version in (4, 5)] == [-1, 0]


def test_the_append_time_is_reported_from_version_2_on() -> None:
    kafka = booted("2.8.2", message_timestamp_type="LogAppendTime")
    assert [one(kafka, timed(), version).log_append_time_ms for version in (1, 2)] == [-1, NOW]


def test_each_partition_has_its_own_outcome() -> None:
    kafka = booted("2.8.2", 2)
    sent = request({("t", 0): batch(), ("t", 1): batch(sequence=5, producer=-1)[:-1], ("no", 0): batch()})
    assert errors(produce(kafka, sent, 8)) == {("t", 0): 0, ("t", 1): INVALID, ("no", 0): 3}
    assert len(kafka.records("t")) == 2


def test_a_request_without_partitions_gets_an_empty_answer() -> None:
    assert produce(booted("2.8.2"), request({}), 8).responses == []


def test_topics_may_be_named_by_their_ids_from_version_13_on() -> None:
    kafka = booted("4.1.0")
    topic = kafka.connect().core.cluster.topics["t"]
    sent = request({("", 0): batch()})
    sent.topic_data[0].topic_id = topic.id
    (answered,) = produce(kafka, sent, 13).responses
    assert (answered.topic_id, answered.partition_responses[0].error_code) == (topic.id, 0)
    sent.topic_data[0].topic_id = b"?" * 16
    (answered,) = produce(kafka, sent, 13).responses
    assert answered.partition_responses[0].error_code == ErrorCode.UNKNOWN_TOPIC_ID


# ---- what Produce refuses


@pytest.mark.parametrize("place", [("t", 9), ("t", -1), ("no", 0)])
def test_unknown_partitions_are_error_3(place: tuple[str, int]) -> None:
    part = one(booted("2.8.2"), batch(), 8, place=place)
    assert (part.error_code, part.base_offset, part.log_start_offset) == (3, -1, -1)


@pytest.mark.parametrize(("release", "version", "error"), [("1.1.1", 5, 3), ("2.0.1", 6, 6), ("3.9.1", 11, 6)])
def test_a_partition_on_another_broker_is_an_error(release: str, version: int, error: int) -> None:
    kafka = FakeKafka(release, brokers=2, topics={"t": 2}, clock=ManualClock(NOW)).boot()
    broker = broker_of(kafka)
    (elsewhere,) = (index for index in (0, 1) if broker.partition("t", index) is None)
    assert one(kafka, batch(), version, place=("t", elsewhere)).error_code == error


def test_from_version_10_on_a_replica_that_does_not_lead_names_the_leader() -> None:
    config = {"default.replication.factor": 2}
    kafka = FakeKafka("3.9.1", config=config, brokers=2, topics={"t": 1}, clock=ManualClock(NOW)).boot()
    leader = kafka.connect().core.cluster.topics["t"].partitions[0].leader
    other = kafka.connect(1 - leader)
    sent = request_frame(request({T0: batch()}), 10, 1, "c")
    (response,) = split(other.send(sent), 10)
    (part,) = parts(response).values()
    assert (part.error_code, part.current_leader.leader_id, part.current_leader.leader_epoch) == (6, leader, 0)
    assert [endpoint.node_id for endpoint in response.node_endpoints] == [leader]
    (response,) = split(other.send(request_frame(request({T0: batch()}), 9, 1, "c")), 9)
    assert (errors(response), list(response.node_endpoints)) == ({T0: 6}, [])


@pytest.mark.parametrize(
    ("release", "client_id", "error"),
    [
        ("0.8.2.2", "c", 17),
        ("0.8.2.2", "__admin_client", 17),
        ("0.9.0.1", "c", 17),
        ("0.9.0.1", "__admin_client", 0),
        ("3.9.1", "c", 17),
        ("3.9.1", "__admin_client", 0),
    ],
)
def test_internal_topics_are_closed_to_producers(release: str, client_id: str, error: int) -> None:
    kafka = booted(release)
    kafka.create_topic("__consumer_offsets")
    sent = request({("__consumer_offsets", 0): messages()})
    (response,) = split(raw(kafka, sent, 0, client_id)[0], 0)
    assert list(errors(response).values()) == [error]


def test_0_8_0_has_no_internal_topics() -> None:
    kafka = booted("0.8.0")
    kafka.create_topic("__consumer_offsets")
    assert one(kafka, messages(), 0, place=("__consumer_offsets", 0)).error_code == 0


@pytest.mark.parametrize("acks", [2, -2, 99])
def test_unknown_acks_are_refused_from_0_9_on(acks: int) -> None:
    assert one(booted("0.9.0.1"), messages(), 0, acks).error_code == ErrorCode.INVALID_REQUIRED_ACKS


def test_min_insync_replicas_counts_up_to_the_number_of_replicas_from_3_7_on() -> None:
    for release, error in (("2.8.2", 19), ("3.6.2", 19), ("3.7.2", 0)):
        kafka = booted(release, min_insync_replicas="2")
        assert one(kafka, batch(), 9, acks=-1).error_code == error
        assert one(kafka, batch(), 9, acks=1).error_code == 0


@pytest.mark.parametrize("release", BATCH_RELEASES)
def test_a_record_set_above_the_limit_is_error_10(release: str) -> None:
    kafka = booted(release, max_message_bytes="80")
    part = one(kafka, batch(9), newest(kafka))
    assert (part.error_code, part.base_offset, part.log_start_offset) == (10, -1, -1)


@pytest.mark.parametrize(("release", "start"), [("1.1.1", -1), ("2.3.1", -1), ("2.4.1", 0), ("3.9.1", 0)])
def test_newer_releases_report_the_log_start_with_a_bad_timestamp(release: str, start: int) -> None:
    kafka = booted(release, message_timestamp_difference_max_ms="1000")
    late = v2.build([Record(0, 5, 0, b"k", b"v")])
    part = one(kafka, late, min(8, newest(kafka)))
    assert (part.error_code, part.log_start_offset) == (32, start)


def test_records_that_a_topic_does_not_take_are_reported_from_version_8_on() -> None:
    kafka = booted("2.8.2", cleanup_policy="compact")
    keyless = v2.build([Record(0, NOW, 0, b"k", b"v"), Record(1, NOW, 0, None, b"v")])
    part = one(kafka, keyless, 8)
    text = "Compacted topic cannot accept message without key in topic partition t-0."
    assert part.error_message == "One or more records have been rejected"
    assert [(e.batch_index, e.batch_index_error_message) for e in part.record_errors] == [(1, text)]
    assert one(kafka, keyless, 7).error_code == INVALID


def test_in_2_4_0_refused_records_fail_an_old_answer_as_a_whole() -> None:
    kafka = booted("2.4.0", 2)
    kafka.create_topic("c", config={"cleanup.policy": "compact"})
    keyless = v2.build([Record(0, NOW, 0, None, b"v")])
    sent = request({("t", 0): batch(), ("c", 0): keyless})
    assert set(errors(produce(kafka, sent, 7)).values()) == {-1}
    assert errors(produce(kafka, sent, 8)) == {("t", 0): 0, ("c", 0): INVALID}
    assert len(kafka.records("t")) == 4


# ---- sets that make no sense


@pytest.mark.parametrize("release", ["0.8.2.2", "0.10.2.2", "2.7.2"])
def test_null_records_close_the_connection(release: str) -> None:
    assert raw(booted(release), request({T0: None}), 0) == (b"", True)


def test_0_9_does_not_answer_a_partition_without_records() -> None:
    kafka = booted("0.9.0.1")
    client = kafka.connect()
    assert client.send(request_frame(request({T0: None}), 0, 1, "c")) == b""
    assert not client.closed
    assert client.send(request_frame(request({T0: messages()}), 0, 2, "c")) != b""


@pytest.mark.parametrize("release", ["2.8.2", "3.6.2", "3.7.2"])
def test_a_partition_without_records_is_answered_a_second_time_from_2_8_to_3_7(release: str) -> None:
    kafka = booted(release, 2)
    data, closed = raw(kafka, request({("t", 0): batch(), ("t", 1): None}), 9)
    first, second = split(data, 9)
    assert (errors(first), second.responses, closed) == ({("t", 0): 0, ("t", 1): -1}, [], True)
    assert len(kafka.records("t")) == 2


def test_from_3_8_on_a_partition_without_records_hangs_the_connection() -> None:
    kafka = booted("3.9.1")
    client = kafka.connect()
    assert client.send(request_frame(request({T0: None}), 9, 1, "c")) == b""
    with pytest.raises(UsageError, match="the request that waits"):
        client.send(request_frame(request({T0: batch()}), 9, 2, "c"))
    assert not client.closed


@pytest.mark.parametrize("release", ["2.8.2", "3.9.1", "4.1.1"])
def test_a_unit_of_impossible_size_fails_the_whole_request(release: str) -> None:
    kafka = booted(release, 2)
    impossible = bytes(8) + (5).to_bytes(4, "big") + bytes(40)
    answered = parts(produce(kafka, request({("t", 0): batch(), ("t", 1): impossible}), 9))
    text = "Record size 5 is less than the minimum record overhead (14)"
    assert [(p.error_code, p.error_message) for p in answered.values()] == [(2, text)] * 2
    assert kafka.records("t") == []


@pytest.mark.parametrize("release", ["1.1.1", "2.3.1"])
def test_a_unit_of_impossible_size_closes_the_connection_in_1_1_and_2_3(release: str) -> None:
    kafka = booted(release, 2)
    impossible = bytes(8) + (5).to_bytes(4, "big") + bytes(40)
    assert raw(kafka, request({("t", 0): batch(), ("t", 1): impossible}), 5) == (b"", True)
    assert kafka.records("t") == []


@pytest.mark.parametrize(
    ("release", "no_topic", "no_partition"),
    [("0.9.0", 21, 21), ("0.10.0", 21, 21), ("0.10.1", 3, 21), ("1.1", 3, 21), ("2.0", 3, 3), ("3.9", 3, 3)],
)
def test_odd_acks_are_refused_before_what_is_missing_is_noticed(release: str, no_topic: int, no_partition: int) -> None:
    """Recorded from 0.10.0.1 to 2.0.0: odd_requests."""
    sent = request({T0: messages(), ("t", 9): messages(), ("no", 0): messages()}, acks=2)
    found = errors(produce(booted(release), sent, 0))
    assert found == {T0: 21, ("t", 9): no_partition, ("no", 0): no_topic}


@pytest.mark.parametrize(("release", "error"), [("1.1", 17), ("2.0", 3)])
def test_an_internal_topic_is_closed_before_its_missing_partition_is_noticed(release: str, error: int) -> None:
    """Asked of 1.0.1, 1.1.0 and 2.0.0."""
    kafka = booted(release)
    coordinator_is_there(kafka)
    place = "__consumer_offsets", 999
    assert errors(produce(kafka, request({place: messages()}), 0)) == {place: error}


def test_a_set_that_spoils_the_request_does_so_even_if_another_follows_for_its_partition() -> None:
    """Asked of 2.8.2, 3.7.1 and 4.2.0."""
    sent = request({T0: bytes(80), ("no", 0): batch()}, acks=2)
    sent.topic_data[0].partition_data.append(PartitionProduceData(index=0, records=batch()))
    assert errors(produce(booted("3.7"), sent, 9)) == {T0: 2, ("no", 0): 2}


def test_null_records_for_a_missing_partition_are_answered_from_3_8_on() -> None:
    """Asked of 3.8.0: it is their append that fails."""
    kafka = booted("3.8")
    assert errors(produce(kafka, request({("t", 9): None, T0: messages()}), 1)) == {T0: 0, ("t", 9): 3}
    assert raw(kafka, request({T0: None}), 1) == (b"", False)


# ---- acks 0


@pytest.mark.parametrize("release", ["0.8.0", "0.10.2.2", "2.8.2", "3.9.1"])
def test_acks_0_gets_no_answer(release: str) -> None:
    kafka = booted(release)
    assert raw(kafka, request({T0: messages()}, acks=0), 0) == (b"", False)
    assert len(kafka.records("t")) == 2


@pytest.mark.parametrize("release", ["0.8.0", "0.10.2.2", "2.8.2", "3.9.1"])
def test_acks_0_closes_the_connection_on_an_error(release: str) -> None:
    kafka = booted(release, 2)
    sent = request({("t", 0): messages(), ("t", 9): messages()}, acks=0)
    assert raw(kafka, sent, 0) == (b"", True)
    assert len(kafka.records("t")) == 2


# ---- waiting for replicas


def replicated(release: str, **config: object) -> tuple[FakeKafka, Partition, list[int]]:
    """A partition on three brokers: its leader, broker 0, and the followers, which fetch nothing."""
    given = {"default.replication.factor": 3, **config}
    kafka = FakeKafka(release, config=given, brokers=3, topics={"t": 1}, clock=ManualClock(NOW)).boot()
    cluster = kafka.connect().core.cluster
    if cluster.topics["t"].partitions[0].leader != 0:
        cluster.elect(cluster.topics["t"], 0, leader=0)
    for node in (1, 2):
        kafka.pause_replication(node)
    return kafka, partition_of(kafka), [1, 2]


def caught_up(kafka: FakeKafka, partition: Partition, *nodes: int) -> None:
    """Have followers report that they have everything."""

    def tell() -> None:
        for node in nodes:
            partition.note_follower(node, partition.log.log_end_offset)
        broker_of(kafka).waiters.wake(partition.key)

    kafka.connect().core.run(tell)


def test_acks_minus_1_waits_for_all_replicas_in_sync() -> None:
    kafka, partition, nodes = replicated("2.8.2")
    client = kafka.connect()
    assert client.send(request_frame(request({T0: batch()}, acks=-1), 8, 1, "c")) == b""
    caught_up(kafka, partition, nodes[0])
    assert client.receive() == b""
    caught_up(kafka, partition, nodes[1])
    (response,) = split(client.receive(), 8)
    (part,) = parts(response).values()
    assert (part.error_code, part.base_offset, part.log_start_offset) == (0, 0, 0)


def test_acks_minus_1_does_not_wait_for_ever() -> None:
    kafka, _, _ = replicated("2.8.2")
    client = kafka.connect()
    assert client.send(request_frame(request({T0: batch(), ("no", 0): batch()}, acks=-1), 8, 1, "c")) == b""
    (response,) = split(client.expire(), 8)
    assert errors(response) == {T0: ErrorCode.REQUEST_TIMED_OUT, ("no", 0): 3}


def test_replicas_that_are_lost_during_the_wait_are_an_error() -> None:
    kafka, partition, nodes = replicated("2.8.2", **{"min.insync.replicas": 2})
    client = kafka.connect()
    assert client.send(request_frame(request({T0: batch()}, acks=-1), 8, 1, "c")) == b""
    partition.state.isr = [0]
    caught_up(kafka, partition, *nodes)
    (response,) = split(client.receive(), 8)
    assert errors(response) == {T0: ErrorCode.NOT_ENOUGH_REPLICAS_AFTER_APPEND}


def test_0_8_waits_for_as_many_replicas_as_acks_says() -> None:
    kafka, partition, nodes = replicated("0.8.2.2")
    client = kafka.connect()
    assert client.send(request_frame(request({T0: messages()}, acks=2), 0, 1, "c")) == b""
    caught_up(kafka, partition, nodes[1])
    (response,) = split(client.receive(), 0)
    assert parts(response)[T0].base_offset == 0


def test_after_a_wait_0_8_0_answers_with_the_offset_after_the_set() -> None:
    kafka, partition, nodes = replicated("0.8.0")
    client = kafka.connect()
    assert client.send(request_frame(request({T0: messages()}, acks=-1), 0, 1, "c")) == b""
    caught_up(kafka, partition, *nodes)
    (response,) = split(client.receive(), 0)
    assert parts(response)[T0].base_offset == 2


@pytest.mark.parametrize(("release", "error"), [("0.8.0", 0), ("0.8.2.2", ErrorCode.REQUEST_TIMED_OUT)])
def test_0_8_2_waits_for_a_second_replica_that_does_not_exist_and_0_8_0_does_not(release: str, error: int) -> None:
    assert one(booted(release), messages(), 0, acks=2).error_code == error


# ---- producers that number their records


@pytest.mark.parametrize("release", BATCH_RELEASES)
def test_a_set_that_is_sent_twice_is_stored_once(release: str) -> None:
    kafka = booted(release)
    first = one(kafka, batch(producer=7), newest(kafka))
    again = one(kafka, batch(producer=7), newest(kafka))
    assert (first.base_offset, again.error_code, again.base_offset) == (0, 0, 0)
    assert len(kafka.records("t")) == 2


@pytest.mark.parametrize("release", BATCH_RELEASES)
def test_a_gap_in_the_sequence_numbers_is_error_45(release: str) -> None:
    kafka = booted(release)
    one(kafka, batch(producer=7), newest(kafka))
    assert one(kafka, batch(producer=7, sequence=3), newest(kafka)).error_code == 45


# ---- transactions


class Gate:
    """Stands in for the transaction coordinator, and refuses partitions."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, unverified: Unverified) -> None:
        self.unverified = unverified
        self.asked: list[tuple[str, int, int, list[TopicPartition], Verification]] = []
        monkeypatch.setattr(verification, "refused_records", self)

    def __call__(
        self,
        broker: Broker,
        transactional_id: str,
        producer: ProducerIdAndEpoch,
        places: Iterable[TopicPartition],
        ask: Verification,
    ) -> Unverified:
        self.asked.append((transactional_id, producer.id, producer.epoch, list(places), ask))
        return self.unverified


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Gate:
    """A coordinator that refuses nothing."""
    return Gate(monkeypatch, {})


def test_a_transactional_batch_names_its_transaction() -> None:
    sent = batch(producer=7, transactional=True)
    for release, error in (("1.1.1", 0), ("2.3.1", 53), ("3.5.2", 53)):
        assert one(booted(release), sent, 5).error_code == error
        assert one(booted(release), sent, 5, transactional_id="x").error_code == 0


@pytest.mark.parametrize(("release", "error"), [("3.5.2", 0), ("3.6.2", 49), ("4.0.0", 49)])
def test_from_3_6_on_all_sets_of_a_request_must_have_one_producer(release: str, error: int) -> None:
    kafka = booted(release, 2)
    sets = {("t", n): batch(producer=7 + n, transactional=True) for n in range(2)}
    assert errors(produce(kafka, request(sets, -1, "x"), 9)) == dict.fromkeys(sets, error)


@pytest.mark.parametrize(("release", "asks"), [("2.3.1", False), ("3.5.2", False), ("3.6.2", True), ("4.0.0", True)])
def test_from_3_6_on_the_coordinator_verifies_transactional_sets(gate: Gate, release: str, asks: bool) -> None:
    sent = batch(producer=7, transactional=True)
    assert one(booted(release), sent, 7, transactional_id="x").error_code == 0
    assert gate.asked == ([("x", 7, 0, [("t", 0)], Verification.OLD)] if asks else [])


@pytest.mark.parametrize(("version", "ask"), [(10, Verification.OLD), (11, Verification.CHECK), (12, Verification.ADD)])
def test_what_the_coordinator_is_asked_depends_on_the_version(gate: Gate, version: int, ask: Verification) -> None:
    one(booted("4.0.0"), batch(producer=7, transactional=True), version, transactional_id="x")
    assert [question[-1] for question in gate.asked] == [ask]


def test_the_coordinator_can_refuse_single_partitions(monkeypatch: pytest.MonkeyPatch) -> None:
    gate = Gate(monkeypatch, {("t", 1): (ErrorCode.INVALID_TXN_STATE, "not in it")})
    sets = {("t", n): batch(producer=7, transactional=True) for n in range(2)}
    answered = parts(produce(booted("3.9.1", 2), request(sets, -1, "x"), 9))
    found = {place: (p.error_code, p.error_message) for place, p in answered.items()}
    assert found == {("t", 0): (0, None), ("t", 1): (48, "not in it")}
    assert [question[-2] for question in gate.asked] == [[("t", 0), ("t", 1)]]


def test_the_coordinator_is_not_asked_about_partitions_of_the_open_transaction(gate: Gate) -> None:
    kafka = booted("3.9.1")
    one(kafka, batch(producer=7, transactional=True), 9, transactional_id="x")
    one(kafka, batch(producer=7, sequence=2, transactional=True), 9, transactional_id="x")
    one(kafka, batch(), 9, transactional_id="x")
    assert len(gate.asked) == 1


@pytest.mark.parametrize(("release", "questions"), [("3.9.1", 1), ("4.0.0", 2)])
def test_from_4_0_on_the_transaction_must_be_of_the_same_epoch(gate: Gate, release: str, questions: int) -> None:
    kafka = booted(release)
    for epoch in (0, 1):
        one(kafka, batch(producer=7, epoch=epoch, transactional=True), 9, transactional_id="x")
    assert len(gate.asked) == questions


# ---- large sets


@pytest.mark.parametrize(
    ("release", "version", "magic", "codec", "topic"),
    [
        ("2.3", 2, 1, 0, {}),
        ("2.3", 7, 2, 3, {"compression_type": "gzip"}),
        ("2.3", 7, 2, 0, {"message_format_version": "0.10.2"}),
        ("0.10.2", 1, 0, 1, {}),
    ],
)
def test_a_rebuilt_set_takes_memory_for_itself_only(
    release: str, version: int, magic: int, codec: int, topic: dict[str, str]
) -> None:
    """The incoming set is one batch, or becomes one: its records are objects for a while."""
    kafka = booted(release, 1, {"message.max.bytes": 1 << 30}, **topic)
    chance = Random(0)
    records = [Record(n, NOW, 0, None, chance.randbytes(100)) for n in range(5_000)]
    data = v2.build(records, codec=codec) if magic == 2 else (v1 if magic else v0).build(records, codec=codec)
    sent = request({("t", 0): data})
    gc.collect()
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        assert errors(produce(kafka, sent, version)) == {("t", 0): 0}
        peak = tracemalloc.get_traced_memory()[1] - before
    finally:
        tracemalloc.stop()
    assert peak < 16 * len(data)


@pytest.mark.parametrize("release", ["2.1", "2.3.1", "2.8.2", "4.1.1"])
def test_transactions_without_an_id_are_refused_before_sets_are_examined(release: str) -> None:
    """Asked of eight releases from 2.1.1 to 4.1.1."""
    kafka = booted(release)
    rows = [Record(0, NOW, 0, None, b"v")]
    producer = {"producer_id": 5, "producer_epoch": 0, "base_sequence": 0}
    open_ = v2.build(rows, transactional=True, **producer)  # type: ignore[arg-type]
    packed = v2.build(rows, transactional=True, codec=4, **producer)  # type: ignore[arg-type]
    for data in (open_ + open_, packed):
        assert one(kafka, data, 3).error_code == ErrorCode.TRANSACTIONAL_ID_AUTHORIZATION_FAILED
