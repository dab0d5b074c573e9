"""`FakeKafka` as its users see it: its life cycle, its clock, its topics, and its messages about wrong calls.

Long, since tests mirror modules and users see all of this: a section for each part.
"""

import asyncio
import socket
import threading
from collections.abc import Callable

import pytest
from fakekafka import FakeKafka, ManualClock, UsageError
from fakekafka.clock import SystemClock, Ticking
from fakekafka.handlers.call import Call, Result, Wait
from fakekafka.ids import ApiKey
from fakekafka.server.journal import JOURNAL_LENGTH
from fakekafka.wire.apis.metadata import MetadataRequest, MetadataRequestTopic, MetadataResponse
from fakekafka.wire.frames import request_frame
from fakekafka.wire.message import Request

from tests.support.brokers import answer, ask

ALL = MetadataRequest(topics=[])
"""Metadata of all topics, in version 0."""


def accepts(address: str) -> bool:
    """Whether the address accepts connections."""
    host, _, port = address.rpartition(":")
    with socket.socket() as client:
        return client.connect_ex((host, int(port))) == 0


# ---- starting and stopping


def test_a_broker_serves_inside_its_with_block() -> None:
    with FakeKafka("2.3") as kafka:
        assert ask(kafka.bootstrap_servers, ALL, 0, MetadataResponse).topics == []
        address = kafka.bootstrap_servers
    assert not accepts(address)


def test_a_broker_serves_inside_its_async_with_block() -> None:
    async def use() -> str:
        async with FakeKafka("2.3") as kafka:
            _, writer = await asyncio.open_connection(kafka.host, kafka.port)
            writer.close()
            await writer.wait_closed()
            return kafka.bootstrap_servers

    assert not accepts(asyncio.run(use()))


def test_start_and_stop_work_without_a_with_block() -> None:
    kafka = FakeKafka("2.3")
    assert kafka.start() is kafka
    assert accepts(kafka.bootstrap_servers)
    kafka.stop()
    assert not kafka.is_running


def test_a_started_broker_may_be_used_in_a_with_block() -> None:
    with FakeKafka("2.3").start() as kafka:
        assert kafka.is_running


def test_a_booted_broker_may_be_used_in_a_with_block() -> None:
    with FakeKafka("2.3", topics={"t": 1}).boot() as kafka:
        assert kafka.topics() == {"t": 1}
        assert not kafka.is_running
    with pytest.raises(UsageError, match="not started"):
        kafka.topics()


def test_stopping_is_allowed_at_any_time() -> None:
    kafka = FakeKafka("2.3")
    kafka.stop()
    assert not kafka.is_running
    with kafka:
        assert kafka.is_running
        kafka.stop()
        assert not kafka.is_running
        kafka.stop()
    assert not kafka.is_running


def test_a_stopped_broker_leaves_no_thread() -> None:
    before = threading.active_count()
    with FakeKafka("2.3", brokers=3):
        assert threading.active_count() == before + 1
    assert threading.active_count() == before


def test_each_of_several_brokers_listens_on_its_own_port() -> None:
    with FakeKafka("2.3", brokers=3) as kafka:
        servers = kafka.bootstrap_servers.split(",")
        assert len(set(servers)) == 3
        assert all(map(accepts, servers))
        assert servers[0] == f"{kafka.host}:{kafka.port}"
        found = ask(servers[2], MetadataRequest(topics=None), 1, MetadataResponse).brokers
        assert sorted(f"{broker.host}:{broker.port}" for broker in found) == sorted(servers)


def test_a_port_that_is_taken_is_reported_and_leaves_nothing_behind() -> None:
    threads = threading.active_count()
    with FakeKafka("2.3") as first:
        second = FakeKafka("2.3", port=first.port)
        with pytest.raises(UsageError, match=rf"cannot listen on 127.0.0.1:{first.port}: .*port=0"):
            second.start()
        assert not second.is_running
    with second:
        assert second.port == first.port
    assert threading.active_count() == threads


def test_a_start_that_fails_may_be_tried_again() -> None:
    kafka = FakeKafka("2.3", topics={"a/b": 1})
    for _ in range(2):
        with pytest.raises(UsageError, match="a/b"):
            kafka.start()
    assert not kafka.is_running


# ---- restarting


def test_a_restart_keeps_port_and_topics() -> None:
    with FakeKafka("2.3", topics={"orders": 3}) as kafka:
        before = kafka.bootstrap_servers
        assert kafka.restart() is kafka
        assert (kafka.bootstrap_servers, kafka.topics()) == (before, {"orders": 3})
        assert accepts(before)


@pytest.mark.parametrize("crash", [False, True])
def test_a_broker_may_be_restarted_after_it_was_stopped(crash: bool) -> None:
    with FakeKafka("2.3", topics={"orders": 3}) as kafka:
        port = kafka.port
        kafka.stop(crash=crash)
        kafka.restart()
        assert (kafka.port, kafka.topics(), kafka.is_running) == (port, {"orders": 3}, True)


def test_a_restart_may_change_the_release() -> None:
    with FakeKafka("2.3", topics={"orders": 3}) as kafka:
        kafka.restart(release="2.8.1", crash=True)
        assert (kafka.release, kafka.topics()) == ("2.8.1", {"orders": 3})


def test_a_restart_may_change_the_config() -> None:
    def created(topic: str) -> int:
        ask(kafka.bootstrap_servers, MetadataRequest(topics=[MetadataRequestTopic(name=topic)]), 0, MetadataResponse)
        return kafka.topics()[topic]

    with FakeKafka("2.3", config={"num.partitions": 4}) as kafka:
        assert created("with-four") == 4
        kafka.restart()
        assert created("with-four-again") == 4
        kafka.restart(config={})
        assert created("with-one") == 1


def test_an_impossible_restart_leaves_the_broker_running() -> None:
    with FakeKafka("2.3") as kafka:
        with pytest.raises(UsageError, match=r"no Kafka release '2\.33'"):
            kafka.restart(release="2.33")
        assert accepts(kafka.bootstrap_servers)


def test_a_booted_broker_restarts_without_sockets() -> None:
    kafka = FakeKafka("2.3", topics={"orders": 3}).boot()
    kafka.restart()
    assert not kafka.is_running
    assert [topic.name for topic in answer(kafka, ALL, 0, MetadataResponse).topics] == ["orders"]
    kafka.stop()


# ---- reset


def test_a_reset_leaves_the_topics_of_the_constructor_only() -> None:
    with FakeKafka("2.3", topics={"orders": 3}) as kafka:
        kafka.create_topic("other")
        kafka.delete_topic("orders")
        address = kafka.bootstrap_servers
        kafka.reset()
        assert (kafka.topics(), kafka.bootstrap_servers) == ({"orders": 3}, address)


def test_a_reset_keeps_connections() -> None:
    kafka = FakeKafka("2.3").boot()
    client = kafka.connect()
    assert client.send(request_frame(ALL, 0, 1, None))
    kafka.reset()
    assert client.send(request_frame(ALL, 0, 2, None))
    kafka.stop()


def test_a_reset_forgets_the_requests() -> None:
    with FakeKafka("2.3") as kafka:
        ask(kafka.bootstrap_servers, ALL, 0, MetadataResponse)
        assert [(entry.call.key, entry.call.client_id) for entry in kafka.requests] == [(ApiKey.METADATA, "test")]
        kafka.reset()
        assert kafka.requests == []
        assert kafka.versions_used == {}


def test_the_versions_used_outlive_the_journal() -> None:
    with FakeKafka("2.3") as kafka:
        for version in (0, *[1] * JOURNAL_LENGTH):
            ask(kafka.bootstrap_servers, ALL, version, MetadataResponse)
        assert {entry.call.version for entry in kafka.requests} == {1}
        assert kafka.versions_used == {"Metadata": [0, 1]}


# ---- the clock


def parked(monkeypatch: pytest.MonkeyPatch, max_wait_ms: int) -> threading.Event:
    """Have every request answered only after `max_wait_ms`; the event is set when one has come."""
    came = threading.Event()

    def handle(request: Request, call: Call) -> Result:
        came.set()
        return Wait((), max_wait_ms, lambda call, expired: MetadataResponse(cluster_id=str(call.now)))

    monkeypatch.setattr("fakekafka.server.router.handler", lambda key: handle)
    return came


def test_the_system_s_clock_is_the_default() -> None:
    assert isinstance(FakeKafka().clock, SystemClock)


def test_a_manual_clock_stands_still_until_it_is_advanced(monkeypatch: pytest.MonkeyPatch) -> None:
    parked(monkeypatch, max_wait_ms=500)
    clock = ManualClock(1_000_000)
    kafka = FakeKafka("2.3", clock=clock).boot()
    assert kafka.clock is clock
    client = kafka.connect()
    assert client.send(request_frame(ALL, 0, 1, None)) == b""
    clock.advance(499)
    assert client.receive() == b""
    clock.advance(1)
    assert client.receive() != b""
    kafka.stop()


def test_one_clock_drives_several_brokers(monkeypatch: pytest.MonkeyPatch) -> None:
    parked(monkeypatch, max_wait_ms=500)
    clock = ManualClock()
    brokers = [FakeKafka(release, clock=clock).boot() for release in ("2.3", "4.0")]
    clients = [kafka.connect() for kafka in brokers]
    assert [client.send(request_frame(ALL, 0, 1, None)) for client in clients] == [b"", b""]
    clock.advance(60_000)
    assert all(client.receive() for client in clients)
    for kafka in brokers:
        kafka.stop()


def test_a_manual_clock_reaches_a_broker_with_sockets(monkeypatch: pytest.MonkeyPatch) -> None:
    came = parked(monkeypatch, max_wait_ms=3_600_000)
    clock = ManualClock(1_000_000)
    with FakeKafka("2.3", clock=clock) as kafka, socket.create_connection((kafka.host, kafka.port)) as client:
        client.settimeout(20)
        client.sendall(request_frame(MetadataRequest(topics=None), 2, 1, None))
        assert came.wait(20)
        clock.advance(3_600_000)
        assert b"4600000" in client.recv(1000)


def test_a_stopped_broker_lets_go_of_the_clock() -> None:
    attached: list[Ticking] = []

    class Watched(ManualClock):
        def attach(self, listener: Ticking) -> None:
            attached.append(listener)
            super().attach(listener)

        def detach(self, listener: Ticking) -> None:
            attached.remove(listener)
            super().detach(listener)

    with FakeKafka("2.3", clock=Watched()):
        assert attached
    assert not attached


# ---- topics


def test_topics_are_reported_with_their_number_of_partitions() -> None:
    with FakeKafka("2.3", topics={"orders": 3}) as kafka:
        kafka.create_topic("one")
        assert kafka.topics() == {"orders": 3, "one": 1}
        kafka.delete_topic("orders")
        assert kafka.topics() == {"one": 1}


def test_an_election_begins_a_new_leader_epoch() -> None:
    with FakeKafka("2.3", topics={"orders": 2}) as kafka:
        first = kafka.elect_leader("orders", 1)
        assert kafka.elect_leader("orders", 1) == first + 1


@pytest.mark.parametrize("release", ["0.8.0", "0.10.2", "2.3", "4.3"])
def test_the_topics_of_the_constructor_are_there_at_the_start(release: str) -> None:
    with FakeKafka(release, topics={"orders": 3}) as kafka:
        (topic,) = ask(kafka.bootstrap_servers, ALL, 0, MetadataResponse).topics
        assert (topic.name, len(topic.partitions)) == ("orders", 3)


# ---- what a broker says about itself


def test_a_release_line_means_its_last_patch_release() -> None:
    assert [FakeKafka(name).release for name in ("0.10.2", "0.10.2.1", "2.3", "0.8.0")] == [
        "0.10.2.2",
        "0.10.2.1",
        "2.3.1",
        "0.8.0",
    ]


def test_repr_shows_release_and_address() -> None:
    with FakeKafka("2.3") as kafka:
        assert repr(kafka) == f"<FakeKafka 2.3.1 at {kafka.bootstrap_servers}>"
    assert repr(kafka) == "<FakeKafka 2.3.1>"


def test_an_ipv6_host_stands_in_brackets() -> None:
    try:
        with FakeKafka("2.3", host="::1") as kafka:
            assert kafka.bootstrap_servers == f"[::1]:{kafka.port}"
    except UsageError:
        pytest.skip("no IPv6 here")


def test_client_config_connects_the_client_named() -> None:
    with FakeKafka("2.3") as kafka:
        servers = kafka.bootstrap_servers
        assert kafka.client_config("kafka-python") == {"bootstrap_servers": servers}
        assert kafka.client_config("confluent-kafka") == {"bootstrap.servers": servers}
        assert kafka.client_config("spark") == {"kafka.bootstrap.servers": servers}


def test_an_exception_that_escapes_a_handler_is_kept_and_closes_the_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    defect = RuntimeError("a defect")

    def handle(request: Request, call: Call) -> Result:
        raise defect

    monkeypatch.setattr("fakekafka.server.router.handler", lambda key: handle)
    with FakeKafka("2.3") as kafka:
        with pytest.raises(EOFError):
            ask(kafka.bootstrap_servers, ALL, 0, MetadataResponse)
        assert kafka.failures == (defect,)
    assert kafka.failures == (defect,)


# ---- without sockets


def test_a_booted_broker_answers_in_the_callers_thread() -> None:
    threads = threading.active_count()
    kafka = FakeKafka("2.3", topics={"orders": 3}, clock=ManualClock()).boot()
    assert [topic.name for topic in answer(kafka, ALL, 0, MetadataResponse).topics] == ["orders"]
    assert threading.active_count() == threads
    assert not kafka.is_running
    kafka.stop()


def test_a_booted_broker_has_a_connection_for_each_of_its_brokers() -> None:
    kafka = FakeKafka("2.3", brokers=2).boot()
    assert [kafka.connect(n).connection.node_id for n in (0, 1)] == [0, 1]
    kafka.stop()


# ---- wrong calls


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda kafka: kafka.bootstrap_servers, r"not started: use `with FakeKafka\(\.\.\.\)`, or start\(\)"),
        (lambda kafka: kafka.topics(), "not started"),
        (lambda kafka: kafka.create_topic("t"), "not started"),
        (lambda kafka: kafka.reset(), "not started"),
        (lambda kafka: kafka.summary(), "not started"),
        (lambda kafka: kafka.requests, "not started"),
    ],
)
def test_a_call_to_a_broker_that_does_not_run_says_so(call: Callable[[FakeKafka], object], words: str) -> None:
    kafka = FakeKafka("2.3")
    with pytest.raises(UsageError, match=words):
        call(kafka)
    with kafka:
        pass
    with pytest.raises(UsageError, match=words):
        call(kafka)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda kafka: kafka.start(), "already started"),
        (lambda kafka: kafka.boot(), "already started"),
        (lambda kafka: kafka.connect(), r"connect\(\) is for boot\(\)"),
        (lambda kafka: kafka.delete_topic("nonsense"), "no topic 'nonsense'; there are: orders"),
        (lambda kafka: kafka.records("nonsense"), "no topic 'nonsense'"),
        (lambda kafka: kafka.configure_topic("nonsense", {}), "no topic 'nonsense'"),
        (lambda kafka: kafka.records("orders", 3), "orders has no partition 3: it has 3"),
        (lambda kafka: kafka.elect_leader("orders", 3), "orders has no partition 3: it has 3"),
        (lambda kafka: kafka.elect_leader("orders", -1), "orders has no partition -1: it has 3"),
        (lambda kafka: kafka.send("orders", b"x", partition=7), "orders has no partition 7: it has 3"),
        (lambda kafka: kafka.create_topic("orders"), "orders.* already exists"),
        (lambda kafka: kafka.create_topic("a b"), "a b"),
        (lambda kafka: kafka.create_topic("t", 0), "partitions"),
        (lambda kafka: kafka.client_config("sarama"), "no client called 'sarama': use one of kafka-python, "),
        (lambda kafka: kafka.clock.advance(-1), r"cannot go back by 1 ms: use set\(\)"),
    ],
)
def test_the_error_of_a_wrong_call_says_what_to_do(call: Callable[[FakeKafka], object], words: str) -> None:
    with FakeKafka("2.3", topics={"orders": 3}, clock=ManualClock()) as kafka:
        with pytest.raises(UsageError, match=words):
            call(kafka)
        assert kafka.topics() == {"orders": 3}
    assert kafka.failures == ()


@pytest.mark.parametrize(
    ("create", "words"),
    [
        (lambda: FakeKafka("2.33"), r"no Kafka release '2\.33': did you mean 2\.3"),
        (lambda: FakeKafka(brokers=0), "brokers: at least 1"),
        (lambda: FakeKafka("2.3", api_versions={"Prodce": 1}), "no API called 'Prodce'; near: Produce"),
        (lambda: FakeKafka("2.3", api_versions={"ApiVersions": 1, "VOTE": 0}), "this release has no VOTE to cap"),
        (lambda: FakeKafka("4.0", api_versions={"Fetch": 3}), r"Fetch 3 leaves nothing of 4-17"),
        (lambda: FakeKafka(brokers=[]), "brokers: at least 1"),
        (lambda: FakeKafka("2.3", config={"num.partition": 1}).boot(), "did you mean num.partitions"),
        (lambda: FakeKafka("2.3", config={"log.message.format.versio": 1}).boot(), "log.message.format.version"),
        (lambda: FakeKafka("2.3", config={"retention.ms": 1}).boot(), "the broker's is log.retention.ms"),
    ],
)
def test_an_impossible_value_is_reported_with_the_possible_ones(create: Callable[[], FakeKafka], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        create()


def test_an_empty_restart_may_become_a_release_that_would_refuse_the_files() -> None:
    with FakeKafka("4.3", topics={"orders": 1}) as kafka:
        kafka.send("orders", b"an order")
        address = kafka.bootstrap_servers
        kafka.restart("2.3", empty=True)
        assert (kafka.release, kafka.bootstrap_servers, kafka.records("orders")) == ("2.3.1", address, [])
