"""Followers: what they fetch, with which version, and what they store; including KIP-31's canary."""

from collections.abc import Iterator
from typing import Any

import pytest
from fakekafka import FakeKafka
from fakekafka.cluster.broker import Broker
from fakekafka.ids import BrokerId
from fakekafka.wire.apis.fetch import FetchRequest
from fakekafka.wire.apis.list_offsets import (
    ListOffsetsPartition,
    ListOffsetsRequest,
    ListOffsetsResponse,
    ListOffsetsTopic,
)
from fakekafka.wire.message import Request, Response

from tests.support.brokers import answer
from tests.support.clusters import advance, cluster_of, ends, fetched, formed, magics, replica, state_of, values
from tests.support.producing import batch, errors, messages, produce, request, timed


def lagging(release: str = "2.8", **config: Any) -> FakeKafka:
    """A cluster whose broker 2 stopped fetching before a record came."""
    kafka = formed(release, **config)
    kafka.pause_replication(2)
    kafka.send("t", b"a")
    return kafka


@pytest.mark.parametrize("release", ["2.6", "3.1"])
def test_the_high_watermark_waits_for_a_lagging_follower_until_its_time_is_up(release: str) -> None:
    kafka = lagging(release, replica_lag_time_max_ms=5000)
    advance(kafka, 4999)
    assert state_of(kafka).isr == [0, 1, 2]
    assert ends(kafka) == {0: (0, 1), 1: (0, 1), 2: (0, 0)}
    advance(kafka, 1)
    assert state_of(kafka).isr == [0, 1]
    assert ends(kafka) == {0: (1, 1), 1: (1, 1), 2: (0, 0)}


def test_from_2_7_to_3_0_the_high_watermark_moves_only_with_the_next_append() -> None:
    kafka = lagging("2.8", replica_lag_time_max_ms=5000)
    advance(kafka, 60_000)
    assert state_of(kafka).isr == [0, 1]
    assert ends(kafka) == {0: (0, 1), 1: (0, 1), 2: (0, 0)}
    kafka.send("t", b"b")
    assert ends(kafka) == {0: (2, 2), 1: (2, 2), 2: (0, 0)}


@pytest.mark.parametrize(("release", "isr"), [("0.8.2", [0, 1, 2]), ("1.1", [0, 1]), ("2.8", [0, 1, 2])])
def test_a_follower_that_has_everything_leaves_the_set_in_sync_if_it_no_longer_asks(
    release: str, isr: list[int]
) -> None:
    kafka = formed(release, replica_lag_time_max_ms=5000)
    kafka.pause_replication(2)
    advance(kafka, 60_000)
    assert state_of(kafka).isr == isr
    kafka.resume_replication(2)
    assert state_of(kafka).isr == [0, 1, 2]


def test_a_follower_that_asks_again_in_time_does_not_lag() -> None:
    kafka = formed("1.1", replica_lag_time_max_ms=5000)
    kafka.pause_replication(2)
    advance(kafka, 4999)
    kafka.resume_replication(2)
    advance(kafka, 60_000)
    assert state_of(kafka).isr == [0, 1, 2]


def test_a_follower_that_catches_up_in_time_stays() -> None:
    kafka = lagging(replica_lag_time_max_ms=5000)
    advance(kafka, 4000)
    kafka.resume_replication(2)
    advance(kafka, 60_000)
    assert state_of(kafka).isr == [0, 1, 2]
    assert ends(kafka) == {0: (1, 1), 1: (1, 1), 2: (1, 1)}


def test_a_follower_that_catches_up_later_is_in_sync_again() -> None:
    kafka = lagging()
    advance(kafka, 60_000)
    kafka.send("t", b"b")
    assert state_of(kafka).isr == [0, 1]
    kafka.resume_replication(2)
    assert state_of(kafka).isr == [0, 1, 2]
    assert values(kafka, 2) == [b"a", b"b"]


def test_a_follower_without_anything_to_fetch_does_not_lag() -> None:
    kafka = formed()
    kafka.send("t", b"a")
    kafka.pause_replication(2)
    advance(kafka, 3_600_000)
    assert state_of(kafka).isr == [0, 1, 2]


@pytest.mark.parametrize(("release", "epoch"), [("2.8", 0), ("3.5", 1), ("3.6", 0)])
def test_a_smaller_set_makes_a_new_epoch_in_early_kraft(release: str, epoch: int) -> None:
    kafka = lagging(release)
    advance(kafka, 60_000)
    assert state_of(kafka).isr == [0, 1]
    assert state_of(kafka).leader_epoch == epoch
    kafka.resume_replication(2)
    assert (state_of(kafka).isr, state_of(kafka).leader_epoch) == ([0, 1, 2], epoch)


OLD = {"inter.broker.protocol.version": "0.9.0", "log.message.format.version": "0.9.0"}
CANARY = {"inter.broker.protocol.version": "0.10.0", "log.message.format.version": "0.10.0"}
ROLLED_BACK = {"inter.broker.protocol.version": "0.10.0", "log.message.format.version": "0.9.0"}


def underscored(config: dict[str, str]) -> dict[str, Any]:
    """Broker properties as `formed` takes them."""
    return {name.replace(".", "_"): value for name, value in config.items()}


def listening(kafka: FakeKafka) -> list[tuple[BrokerId, int]]:
    """Record which Fetch versions go to which broker, from now on."""
    seen: list[tuple[BrokerId, int]] = []
    cluster = cluster_of(kafka)
    ask = cluster.exchange

    def heard(broker: Broker, request: Request, version: int, client_id: str) -> Response | None:
        if isinstance(request, FetchRequest):
            seen.append((broker.node_id, version))
        return ask(broker, request, version, client_id)

    cluster.exchange = heard
    return seen


# ---- copying


@pytest.mark.parametrize(
    "release", ["0.8.0", "0.8.2", "0.9.0", "0.10.0", "0.10.2", "0.11.0", "1.1", "2.3", "2.8", "3.9", "4.3"]
)
def test_every_replica_gets_every_record(release: str) -> None:
    kafka = formed(release, partitions=3)
    for n in range(9):
        kafka.send("t", str(n).encode(), partition=n % 3)
    assert values(kafka, 0) == values(kafka, 1) == values(kafka, 2)
    assert len(values(kafka, 0)) == 9
    assert ends(kafka) == dict.fromkeys(range(3), (3, 3))
    assert not kafka.failures


def test_large_logs_are_copied_in_several_fetches() -> None:
    kafka = formed("2.8", replica_fetch_max_bytes=2000)
    kafka.stop_broker(2)
    for _ in range(20):
        kafka.send("t", bytes(500))
    kafka.start_broker(2)
    assert ends(kafka)[2] == (20, 20)
    assert state_of(kafka).isr == [0, 1, 2]


def test_acks_minus_1_is_answered_when_all_replicas_in_sync_have_the_records() -> None:
    kafka = formed("2.8")
    assert errors(produce(kafka, request({("t", 0): batch()}, acks=-1), 8)) == {("t", 0): 0}
    assert ends(kafka) == dict.fromkeys(range(3), (2, 2))


def test_acks_minus_1_is_refused_with_too_few_replicas_in_sync() -> None:
    kafka = formed("2.8", min_insync_replicas=2)
    kafka.stop_broker(1)
    assert errors(produce(kafka, request({("t", 0): batch()}, acks=-1), 8)) == {("t", 0): 0}
    kafka.stop_broker(2)
    assert errors(produce(kafka, request({("t", 0): batch()}, acks=-1), 8)) == {("t", 0): 19}
    assert errors(produce(kafka, request({("t", 0): batch()}, acks=1), 8)) == {("t", 0): 0}


def test_a_follower_starts_over_if_the_leaders_log_begins_after_its_end() -> None:
    kafka = formed("2.8")
    kafka.send("t", b"a")
    kafka.stop_broker(2)
    kafka.send("t", b"b")
    kafka.send("t", b"c")
    replica(kafka, 0).log.advance_log_start(2)
    kafka.start_broker(2)
    assert values(kafka, 2) == [b"c"]
    assert replica(kafka, 2).log_start_offset == 2


def test_followers_follow_the_start_of_the_log() -> None:
    kafka = formed("2.8")
    for value in (b"a", b"b", b"c"):
        kafka.send("t", value)
    replica(kafka, 0).log.advance_log_start(2)
    kafka.send("t", b"d")
    assert [replica(kafka, n).log_start_offset for n in range(3)] == [2, 2, 2]


def test_consumers_of_a_follower_wait_for_its_high_watermark() -> None:
    kafka = formed("2.8")
    kafka.pause_replication(2)
    kafka.send("t", b"a")
    assert fetched(kafka, 0, 11, node_id=1).high_watermark == 0
    kafka.resume_replication(2)
    data = fetched(kafka, 0, 11, node_id=1)
    assert data.high_watermark == 1
    assert len(data.records)


def test_followers_answer_that_they_do_not_lead() -> None:
    kafka = formed("2.8")
    asked = ListOffsetsTopic(name="t", partitions=[ListOffsetsPartition(partition_index=0, timestamp=-1)])
    found = answer(kafka, ListOffsetsRequest(replica_id=-1, topics=[asked]), 5, ListOffsetsResponse, 1)
    assert found.topics[0].partitions[0].error_code == 6


# ---- versions


@pytest.mark.parametrize(
    ("release", "version"), [("0.8.2", 0), ("0.9.0", 1), ("0.10.0", 2), ("0.10.2", 3), ("2.3", 11), ("2.8", 12)]
)
def test_the_newest_version_is_used_by_default(release: str, version: int) -> None:
    kafka = formed(release, brokers=2)
    seen = listening(kafka)
    kafka.send("t", b"a")
    assert set(seen) == {(0, version)}


def test_without_a_topic_id_names_are_used() -> None:
    kafka = formed("2.8", brokers=2)
    kafka.restart("3.2", {"default.replication.factor": 2})
    seen = listening(kafka)
    kafka.send("t", b"a")
    assert set(seen) == {(0, 13)}
    cluster_of(kafka).topics["t"].id = bytes(16)
    kafka.send("t", b"b")
    assert seen[-1] == (0, 12)


def test_a_leader_that_does_not_know_the_version_is_not_copied_from() -> None:
    kafka = formed("2.3", brokers=2, replica_lag_time_max_ms=1000)
    kafka.stop_broker(1)
    kafka.start_broker(1, "2.8")  # with inter.broker.protocol.version 2.8, too
    kafka.send("t", b"a")
    assert values(kafka, 1) == []
    assert state_of(kafka).isr == [0]
    kafka.stop_broker(1)
    kafka.start_broker(1, "2.8", {"inter.broker.protocol.version": "2.3"})
    assert values(kafka, 1) == [b"a"]
    assert state_of(kafka).isr == [0, 1]


# ---- the canary of KIP-31: broker 1 alone in phase 2


@pytest.fixture
def canary() -> Iterator[FakeKafka]:
    """Broker 0 has protocol and format 0.9, broker 1 both 0.10.0 and leads "t"."""
    kafka = formed("0.10.0", brokers=2, **underscored(OLD))
    kafka.stop_broker(1)
    kafka.start_broker(1, config=CANARY | {"default.replication.factor": 2})
    kafka.elect_leader("t", 0, broker=1)
    yield kafka
    assert not kafka.failures


def put(kafka: FakeKafka, data: bytes, version: int) -> None:
    """Produce to the leader."""
    leader = state_of(kafka).leader
    assert errors(produce(kafka, request({("t", 0): data}, acks=-1), version, leader)) == {("t", 0): 0}


@pytest.mark.statement("S0-55")
def test_the_canary_stores_the_new_format_and_the_others_the_old(canary: FakeKafka) -> None:
    put(canary, timed(), 2)
    put(canary, messages(), 1)
    assert magics(canary, 1) == [1, 1, 1, 1]
    assert magics(canary, 0) == [0, 0, 0, 0]
    assert [r.offset for r in canary.records("t", broker=0)] == [r.offset for r in canary.records("t", broker=1)]
    new, old = fetched(canary, 0, 2, node_id=1), fetched(canary, 0, 1, node_id=1)
    assert [data.records[16] for data in (new, old)] == [1, 0]  # its consumers get either format


@pytest.mark.statement("S0-56")
@pytest.mark.statement("S0-57")
def test_the_canary_fetches_by_its_protocol_and_the_others_by_theirs(canary: FakeKafka) -> None:
    seen = listening(canary)
    put(canary, timed(), 2)
    assert set(seen) == {(1, 1)}  # the other one asks the canary in version 1
    canary.elect_leader("t", 0, broker=0)
    put(canary, timed(), 2)
    assert (0, 2) in seen
    assert magics(canary, 1) == [1, 1, 0, 0]


@pytest.mark.statement("S0-58")
def test_rolled_back_with_its_data_deleted_the_canary_holds_the_old_format(canary: FakeKafka) -> None:
    put(canary, timed(), 2)
    canary.stop_broker(1)
    (directory,) = canary._runtime.storage.directories[1].values()  # type: ignore[union-attr]
    directory.delete_directory("t-0")
    canary.start_broker(1, config=ROLLED_BACK | {"default.replication.factor": 2})
    put(canary, timed(), 2)
    assert magics(canary, 0) == magics(canary, 1) == [0, 0, 0, 0]
    assert state_of(canary).isr == [0, 1]


@pytest.mark.statement("S0-58")
def test_rolled_back_with_its_data_kept_the_canary_gives_old_clients_what_they_cannot_read(canary: FakeKafka) -> None:
    put(canary, timed(), 2)
    canary.stop_broker(1)
    canary.start_broker(1, config=ROLLED_BACK | {"default.replication.factor": 2})
    put(canary, timed(), 2)
    assert magics(canary, 1) == [1, 1, 0, 0]
    assert magics(canary, 0) == [0, 0, 0, 0]
    canary.elect_leader("t", 0, broker=1)
    assert fetched(canary, 0, 1, node_id=1).records[16] == 1  # format 1, raw, in version 1


@pytest.mark.statement("S0-58")
def test_if_the_others_fetch_in_version_2_the_new_format_comes_back() -> None:
    given = ROLLED_BACK | {"default.replication.factor": 2}
    kafka = formed("0.10.0", brokers=2, **underscored(ROLLED_BACK))
    kafka.stop_broker(1)
    kafka.start_broker(1, config=CANARY | {"default.replication.factor": 2})
    kafka.elect_leader("t", 0, broker=1)
    put(kafka, timed(), 2)
    assert magics(kafka, 0) == [1, 1]  # though its own format is 0
    kafka.stop_broker(1)
    (directory,) = kafka._runtime.storage.directories[1].values()  # type: ignore[union-attr]
    directory.delete_directory("t-0")
    kafka.start_broker(1, config=given)
    assert magics(kafka, 1) == [1, 1]
