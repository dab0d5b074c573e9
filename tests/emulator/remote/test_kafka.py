"""One suite for a cluster in this process and one behind the control API: the same methods do the same on both."""

import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fakekafka import BrokerWillNotStart, FakeKafka, ManualClock, UsageError
from fakekafka.control.http_server import ControlServer
from fakekafka.faults.faults import Faults
from fakekafka.remote import RemoteKafka
from kafka import KafkaConsumer, KafkaProducer

NOT_REMOTE = {
    "aio",  # coroutines of this process
    "boot",  # without sockets there is nothing to reach
    "connect",
    "plugins",  # they run in the other process
    "counted_requests",  # the page's
    "load",  # restore does it in place
    "oauth",  # keys stay where they are
    "tls",  # as well
    "upgrade_along",  # of rehearsals, which make their own brokers
    "wait_for_more_requests",
}


@pytest.fixture(params=["in process", "remote"])
def kafka(request: pytest.FixtureRequest) -> Iterator[Any]:
    with FakeKafka("3.9", topics={"orders": 2}, clock=ManualClock()) as served:
        if request.param == "in process":
            yield served
        else:
            with ControlServer(served) as control, RemoteKafka(control.url) as remote:
                yield remote


def test_every_method_is_there_or_has_a_reason_not_to_be() -> None:
    public = {name for name in dir(FakeKafka) if not name.startswith("_")}
    assert public - set(dir(RemoteKafka)) <= NOT_REMOTE
    assert {name for name in dir(RemoteKafka) if not name.startswith("_")} <= public


def test_every_fault_is_there_but_functions() -> None:
    methods = {name for name in dir(Faults) if not name.startswith("_")}
    with FakeKafka("3.9") as served, ControlServer(served) as control:
        remote = RemoteKafka(control.url).faults
        assert {name for name in methods if not hasattr(remote, name)} == {"intercept", "rules_so_far"}


@pytest.mark.parametrize(
    "name", ["create_topic", "send", "records", "wait_for_commit", "restart", "kill_broker", "save"]
)
def test_a_method_takes_the_same_arguments(name: str) -> None:
    here, there = (list(inspect.signature(getattr(cls, name)).parameters) for cls in (FakeKafka, RemoteKafka))
    assert here == there


def test_topics_are_created_configured_and_deleted(kafka: Any) -> None:
    kafka.create_topic("a/b".replace("/", "."), 3, {"retention.ms": 60_000})
    assert kafka.topics() == {"orders": 2, "a.b": 3}
    kafka.configure_topic("a.b", {"retention.ms": None, "cleanup.policy": "compact"})
    assert kafka.describe_topics()["a.b"].config == {"cleanup.policy": "compact"}
    assert [done.partition for done in kafka.compact("a.b", roll=True)] == [0, 1, 2]
    kafka.delete_topic("a.b")
    assert kafka.topics() == {"orders": 2}


def test_records_come_back_as_they_were_sent(kafka: Any) -> None:
    assert kafka.send("orders", b"\xff\x00", key=b"anna", headers=[("trace", b"1"), ("none", None)], partition=1) == 0
    assert kafka.send("orders", None, key="ключ".encode(), timestamp=kafka.clock.now_ms - 5, partition=1) == 1
    first, second = kafka.records("orders", 1)
    assert (first.value, first.key, first.headers) == (b"\xff\x00", b"anna", (("trace", b"1"), ("none", None)))
    assert (second.value, second.key, second.timestamp) == (None, "ключ".encode(), kafka.clock.now_ms - 5)
    assert kafka.records("orders", partition=0) == []
    assert [record.offset for record in kafka.last_records("orders", 1)] == [1]
    assert kafka.wait_for_records("orders", 2, timeout=5)[0] == first


def test_a_wrong_call_raises_the_same_words(kafka: Any) -> None:
    with pytest.raises(UsageError, match="no topic 'nothing'; there are: orders"):
        kafka.records("nothing")
    with pytest.raises(UsageError, match="orders has no partition 7"):
        kafka.send("orders", b"1", partition=7)
    with pytest.raises(TimeoutError, match="orders has 0 of 1 records"):
        kafka.wait_for_records("orders", 1, timeout=0.01)


def test_a_refused_start_raises_the_broker_s_words(kafka: Any) -> None:
    with pytest.raises(BrokerWillNotStart, match="Invalid value 0 for configuration num"):
        kafka.restart(config={"num.partitions": 0})
    assert kafka.release == "3.9.2"


def test_clients_connect_commit_and_are_waited_for(kafka: Any) -> None:
    kafka.send("orders", b"1", partition=0)
    settings = kafka.client_config("kafka-python", quick=True)
    consumer = KafkaConsumer("orders", group_id="shop", auto_offset_reset="earliest", client_id="till", **settings)
    assert next(consumer).value == b"1"
    consumer.commit()
    assert kafka.wait_for_commit("shop", "orders", 0, 1).offset == 1
    assert kafka.committed("shop")["orders", 0].offset == 1
    assert kafka.wait_for_group("shop", "Stable", 1).kind == "classic"
    group = kafka.settle("shop", members=1)
    assert (group.members[0].client_id, group.offsets[0].lag) == ("till", 0)
    assert kafka.groups()["shop"].members == group.members
    kafka.evict("shop", "till")
    assert kafka.groups()["shop"].members == []
    consumer.close()
    assert kafka.commit_if("shop", "orders", 0, 0, 1)
    assert not kafka.commit_if("shop", "orders", 0, 5, None)
    assert "Fetch" in kafka.versions_used


def test_requests_are_seen_decoded(kafka: Any) -> None:
    producer = KafkaProducer(**kafka.client_config("kafka-python"), client_id="svc-1", acks=1, enable_idempotence=False)
    producer.send("orders", b"two apples", partition=1).get(timeout=20)
    producer.close()
    last = kafka.requests.where(api="Produce", topic="orders")[-1]
    assert (last.api, last.client_id, last.error, last.request.acks) == ("Produce", "svc-1", None, 1)
    assert last.response.responses[0].partition_responses[0].base_offset == 0
    assert b"two apples" in bytes(last.request.topic_data[0].partition_data[0].records)
    assert kafka.requests.where(api="Produce", client_id="other") == []
    assert len(kafka.wait_for_request("Produce", client_id="svc-*", timeout=5)) == 1


def test_a_barrier_is_waited_for_looked_at_and_released(kafka: Any) -> None:
    producer = KafkaProducer(**kafka.client_config("kafka-python"))
    with kafka.faults.hold("Produce", times=1, topic="orders") as held:
        sent = producer.send("orders", b"1", partition=1)
        (request,) = held.wait(timeout=20)
        assert request.topic_data[0].name == held.requests[0].topic_data[0].name == "orders"
        assert kafka.records("orders") == []
        with pytest.raises(TimeoutError, match="1 of 2 requests were held"):
            held.wait(2, timeout=0.01)
        held.release()
        assert sent.get(timeout=20).offset == 0
        assert [request.topic_data[0].name for request in held.requests] == ["orders"]
    producer.close()


def test_rules_print_as_a_plan_and_tell_their_near_misses(kafka: Any) -> None:
    rule = kafka.faults.delay("Produce", ms=5, topic="order")
    assert str(kafka.faults.rules) == '[[fault]]\ndelay = 5\napi = "Produce"\ntopic = "order"\n'
    producer = KafkaProducer(**kafka.client_config("kafka-python"))
    producer.send("orders", b"1", partition=1).get(timeout=20)
    producer.close()
    assert [text.split(": ")[1] for text in rule.near_misses] == ["topic orders-1"]


def test_faults_act_and_are_counted(kafka: Any) -> None:
    with kafka.faults.fail("Produce", "NOT_LEADER_OR_FOLLOWER", times=1, topic="orders") as rule:
        producer = KafkaProducer(**kafka.client_config("kafka-python", quick="producer"), retries=5)
        assert producer.send("orders", b"1", partition=0).get(timeout=20).offset == 0
        producer.close()
        assert (rule.hits, rule.active) == (1, False)
        assert str(rule).startswith("fail Produce")
    kafka.faults.load("[[fault]]\ndelay = 1\napi = 'Fetch'\n")
    assert len(kafka.faults.rules) == 1
    kafka.faults.clear()
    assert list(kafka.faults.rules) == []
    kafka.faults.disconnect(client_id="nobody")
    kafka.faults.slice("Fetch", bytes=7).remove()
    with pytest.raises(AttributeError):
        kafka.faults.explode  # noqa: B018
    with pytest.raises(UsageError, match="no API 'Produze'"):
        kafka.faults.fail("Produze", "NOT_LEADER_OR_FOLLOWER")


def test_time_is_moved(kafka: Any) -> None:
    before = kafka.clock.now_ms
    kafka.clock.advance(1_500)
    assert (kafka.clock.now_ms, kafka.clock.elapsed_ms) == (before + 1_500, 1_500)
    kafka.clock.set(before)
    assert kafka.clock.now_ms == before


def test_the_cluster_stops_starts_and_becomes_another_release(kafka: Any) -> None:
    servers = kafka.bootstrap_servers
    assert servers == f"{kafka.host}:{kafka.port}"
    kafka.send("orders", b"1")
    kafka.stop()
    assert not kafka.is_running
    with pytest.raises(UsageError, match="not started"):
        kafka.bootstrap_servers  # noqa: B018
    assert kafka.start() is kafka
    assert kafka.restart("4.0").release == "4.0.2"
    assert (kafka.bootstrap_servers, kafka.brokers()) == (servers, {0: "4.0.2"})
    assert len(kafka.records("orders")) == 1
    kafka.reset()
    assert kafka.records("orders") == []
    assert kafka.failures in ((), [])


def test_single_brokers_stop_and_start() -> None:
    with FakeKafka("2.3", brokers=2, topics={"t": 1}) as served, ControlServer(served) as control:
        kafka = RemoteKafka(control.url)
        kafka.kill_broker(1)
        assert kafka.brokers() == {0: "2.3.1"}
        kafka.start_broker(1, "2.4")
        kafka.pause_replication(1)
        kafka.resume_replication(1)
        assert kafka.brokers() == {0: "2.3.1", 1: "2.4.1"}
        assert kafka.elect_leader("t", 0) > 0
        with pytest.raises(UsageError):
            kafka.stop_broker(5)


def test_a_snapshot_is_taken_and_restored(kafka: Any, tmp_path: Path) -> None:
    kafka.send("orders", b"before")
    kafka.save(tmp_path / "snapshot")
    servers = kafka.bootstrap_servers
    kafka.send("orders", b"after")
    kafka.restore(tmp_path / "snapshot")
    assert [record.value for record in kafka.records("orders")] == [b"before"]
    assert (kafka.bootstrap_servers, kafka.topics()) == (servers, {"orders": 2})
    with pytest.raises(UsageError, match="is not empty"):
        kafka.save(tmp_path / "snapshot")


def test_texts_and_tables_are_the_same(kafka: Any) -> None:
    kafka.send("orders", b"1")
    assert "orders" in kafka.summary()
    assert any(difference.what == "group.initial.rebalance.delay.ms" for difference in kafka.explain())
    assert [(held.name, [units.magic for units in held.units]) for held in kafka.stored_formats()] == [("orders", [2])]
    assert kafka.why_denied() == []
    assert isinstance(kafka.conversions(), list)
    assert kafka.transactions() == {}
    assert (kafka.refused_connections, kafka.unused_faults(), kafka.still_open()) == ([], [], [])
    assert kafka.open_listeners() == ["PLAINTEXT"]
    assert kafka.damage("orders", how="bad crc") == 0


def test_an_upgrade_goes_step_by_step(kafka: Any) -> None:
    steps = kafka.upgrade(to="4.0")
    names = [step.name for step in steps]
    assert len(steps) == len(names) > 1
    steps[names[0]].apply()
    assert kafka.release == "4.0.2"
    assert kafka.phase.name == names[0]
    steps[0].rollback()
    assert kafka.release == "3.9.2"
    with pytest.raises(UsageError, match="no step 'x'"):
        kafka.upgrade(to="4.0")["x"]
