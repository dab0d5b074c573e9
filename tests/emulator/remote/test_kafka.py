"""One suite for a cluster in this process and one behind the control API: the same methods do the same on both."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fakekafka import BrokerWillNotStart, FakeKafka, ManualClock, UsageError
from fakekafka.control.http_server import ControlServer
from fakekafka.faults.actions import Drop
from fakekafka.faults.events import Disconnect
from fakekafka.faults.match import Match
from fakekafka.faults.rule import Rule
from fakekafka.ids import ApiKey
from fakekafka.inspection.journal_lines import read_journal
from fakekafka.remote import RemoteKafka
from fakekafka.watching.capture import FILE_HEADER
from kafka import KafkaConsumer, KafkaProducer


@pytest.fixture(params=["in process", "remote"])
def kafka(request: pytest.FixtureRequest) -> Iterator[Any]:
    with FakeKafka("3.9", topics={"orders": 2}, clock=ManualClock()) as served:
        if request.param == "in process":
            yield served
        else:
            with ControlServer(served) as control, RemoteKafka(control.url) as remote:
                yield remote


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
    assert kafka.wait_for_records("orders", 2, timeout=20)[0] == first


def test_a_wrong_call_raises_the_same_message(kafka: Any) -> None:
    with pytest.raises(UsageError, match="no topic 'nothing'; there are: orders"):
        kafka.records("nothing")
    with pytest.raises(UsageError, match="orders has no partition 7"):
        kafka.send("orders", b"1", partition=7)
    with pytest.raises(TimeoutError, match="orders has 0 of 1 records"):
        kafka.wait_for_records("orders", 1, timeout=0.01)


def test_a_refused_start_raises_the_broker_s_message(kafka: Any) -> None:
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
    assert len(kafka.wait_for_request("Produce", client_id="svc-*", timeout=20)) == 1
    (waited,) = kafka.wait_for_request(("Produce", 1), topic="orders", broker=(0, 1), answered=True, timeout=20)
    assert (waited.request.acks, waited.broker, waited.fault) == (1, 0, None)
    assert waited.took_ms == waited.response.throttle_time_ms == 0


def test_requests_are_selected_by_every_field(kafka: Any) -> None:
    producer = KafkaProducer(**kafka.client_config("kafka-python"), client_id="svc-1", enable_idempotence=False)
    producer.send("orders", b"1", partition=1).get(timeout=20)
    producer.close()
    (entry,) = kafka.requests.where(0)
    of_it = {"version": (0, 99), "partition": 1, "principal": "User:*", "connection": entry.connection}
    assert len(kafka.requests.where(("Produce", "Fetch"), answered=True, **of_it)) == 1
    assert kafka.requests.where("Produce", version=entry.version + 1) == []
    assert kafka.requests.where("Produce", answered=False) == []
    assert kafka.requests.where("Metadata").where("Produce") == []
    assert [each.api for each in kafka.requests.where(client_id="svc-*").where("Produce")] == ["Produce"]
    with pytest.raises(UsageError, match="did you mean Produce"):
        kafka.requests.where("Prodouce")
    with pytest.raises(UsageError, match="no field 'topics': did you mean topic="):
        kafka.wait_for_request("Produce", topics="orders")


def test_requests_are_written_for_tools(kafka: Any, tmp_path: Path) -> None:
    producer = KafkaProducer(**kafka.client_config("kafka-python"), enable_idempotence=False)
    producer.send("orders", b"two apples", partition=1).get(timeout=20)
    producer.close()
    kafka.requests.where("Produce").to_jsonl(tmp_path / "journal.jsonl")
    (line,) = read_journal((tmp_path / "journal.jsonl").read_text("utf-8").splitlines())
    assert (line.api, line.request["topic_data"][0]["name"]) == ("Produce", "orders")
    for requests, carries in ((kafka.requests, True), (kafka.requests.where("Metadata"), False)):
        requests.to_pcap(tmp_path / "journal.pcap")
        capture = (tmp_path / "journal.pcap").read_bytes()
        assert capture.startswith(FILE_HEADER)
        assert (b"two apples" in capture) is carries


def test_more_requests_are_written_than_fit_into_a_url(kafka: Any, tmp_path: Path) -> None:
    if isinstance(kafka, FakeKafka):
        return
    KafkaProducer(**kafka.client_config("kafka-python")).close()
    requests = kafka.requests
    (tmp_path / "once").mkdir()
    requests.to_jsonl(tmp_path / "once" / "journal.jsonl")
    requests *= 40_000
    requests.to_jsonl(tmp_path / "journal.jsonl")
    assert (tmp_path / "journal.jsonl").read_bytes() == (tmp_path / "once" / "journal.jsonl").read_bytes() != b""


async def waits(kafka: Any) -> None:
    waiting = asyncio.create_task(kafka.aio.wait_for_records("orders", 1, timeout=20))
    kafka.send("orders", b"1")
    assert [record.value for record in await waiting] == [b"1"]
    assert kafka.commit_if("shop", "orders", 0, 1, None)
    assert (await kafka.aio.wait_for_commit("shop", "orders", 0, 1, timeout=20)).offset == 1
    assert (await kafka.aio.wait_for_group("shop", "Empty", 0, timeout=20)).members == ()
    with pytest.raises(TimeoutError, match="svc"):
        await kafka.aio.wait_for_transaction("svc", "Ongoing", timeout=0.01)
    with pytest.raises(TimeoutError, match="0 of 1 requests came"):
        await kafka.aio.wait_for_request("Produce", timeout=0.01)


def test_every_wait_is_a_coroutine_as_well(kafka: Any) -> None:
    asyncio.run(waits(kafka))


def test_a_barrier_is_waited_for_inspected_and_released(kafka: Any) -> None:
    producer = KafkaProducer(**kafka.client_config("kafka-python"))
    with kafka.faults.hold("Produce", times=1, topic="orders") as held:
        assert (held.hits, held.active, str(held)) == (0, True, "hold Produce: topic='orders', times=1 (never acted)")
        sent = producer.send("orders", b"1", partition=1)
        (request,) = held.wait(timeout=20)
        assert request.topic_data[0].name == held.requests[0].topic_data[0].name == "orders"
        assert kafka.records("orders") == []
        with pytest.raises(TimeoutError, match="1 of 2 requests were held"):
            held.wait(2, timeout=0.01)
        held.release()
        assert sent.get(timeout=20).offset == 0
        assert [request.topic_data[0].name for request in held.requests] == ["orders"]
        assert (held.hits, held.active) == (1, False)
    producer.close()


def test_actions_and_rules_can_be_added_as_objects(kafka: Any) -> None:
    with kafka.faults.add(Drop(), "Produce", topic="orders", times=3, expected=False) as dropped:
        assert repr(dropped) == "<Rule drop Produce: topic='orders', times=3 (never acted)>"
        assert kafka.unused_faults() == []
    added = kafka.faults.add(Rule(Match(api=(ApiKey.FETCH,)), Drop()))
    assert list(map(str, kafka.faults.rules)) == [str(added)] == ["drop Fetch (never acted)"]


def test_an_event_that_is_over_at_once_is_added_like_any_rule(kafka: Any) -> None:
    producer = KafkaProducer(**kafka.client_config("kafka-python"))
    assert producer.partitions_for("orders") == {0, 1}
    disconnected = kafka.faults.add(Disconnect())
    assert disconnected.hits >= 1
    assert not disconnected.active
    producer.close()
    loaded = kafka.faults.load('[[fault]]\nmove_leader = 0\ntopic = "orders"\n[[fault]]\ndrop = true\napi = "Fetch"\n')
    assert [(str(rule).split()[0], rule.active) for rule in loaded] == [("move_leader:", False), ("drop", True)]


def test_a_function_is_refused_where_it_cannot_go(kafka: Any) -> None:
    if isinstance(kafka, FakeKafka):
        assert kafka.faults.drop("Produce", where=lambda request: False).active
        return
    for ask in (kafka.faults.drop, kafka.requests.where, kafka.wait_for_request):
        with pytest.raises(UsageError, match="function"):
            ask("Produce", where=lambda request: False)


def test_rules_print_as_a_plan_and_report_their_near_misses(kafka: Any) -> None:
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


def test_time_goes_on_until_something_is_true(kafka: Any) -> None:
    kafka.configure_topic("orders", {"retention.ms": 60_000})
    kafka.send("orders", b"1")
    took_ms = kafka.clock.run_until(lambda: not kafka.records("orders"))
    assert 60_000 < took_ms < 10 * 60_000
    assert kafka.clock.elapsed_ms == took_ms
    with pytest.raises(TimeoutError, match="not true within 100 ms"):
        kafka.clock.run_until(lambda: False, within_ms=100)
    with pytest.raises(UsageError, match="cannot go back"):
        kafka.clock.to_next_timer(-1)


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
