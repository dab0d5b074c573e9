"""Clusters whose brokers differ from the start: a canary, or a rolling upgrade that is paused halfway."""

from pathlib import Path

import pytest
from fakekafka import BrokerSettings, BrokerWillNotStart, FakeKafka, ManualClock, UsageError

from tests.support.clusters import fetched, magics, values
from tests.support.producing import errors, messages, produce, request, timed
from tests.support.seeded import NOW

REPLICATED = {"default.replication.factor": 2}
OLD = REPLICATED | {"inter.broker.protocol.version": "0.9.0", "log.message.format.version": "0.9.0"}
CANARY = {"inter.broker.protocol.version": "0.10.0", "log.message.format.version": "0.10.0"}


def canary(log_dir: Path | None = None) -> FakeKafka:
    """KIP-31: broker 1 alone has the new protocol and format, and leads."""
    brokers = [BrokerSettings(), BrokerSettings(config=CANARY)]
    kafka = FakeKafka(
        "0.10.0", config=OLD, brokers=brokers, topics={"t": 1}, clock=ManualClock(NOW), log_dir=log_dir
    ).boot()
    kafka.elect_leader("t", 0, broker=1)
    return kafka


@pytest.mark.statement("S0-55")
@pytest.mark.statement("S0-56")
def test_a_canary_is_there_from_the_start() -> None:
    kafka = canary()
    for version, data in ((2, timed()), (1, messages())):
        assert errors(produce(kafka, request({("t", 0): data}, acks=-1), version, 1)) == {("t", 0): 0}
    assert (magics(kafka, 0), magics(kafka, 1)) == ([0] * 4, [1] * 4)
    assert [fetched(kafka, 0, version, node_id=1).records[16] for version in (2, 1)] == [1, 0]


@pytest.mark.statement("S0-58")
def test_a_canary_that_was_rolled_back_gives_old_clients_what_they_cannot_read(tmp_path: Path) -> None:
    kafka = canary(tmp_path)
    assert errors(produce(kafka, request({("t", 0): timed()}, acks=-1), 2, 1)) == {("t", 0): 0}
    kafka.stop()
    rolled_back = BrokerSettings(config={"inter.broker.protocol.version": "0.10.0"})
    kafka = FakeKafka("0.10.0", config=OLD, brokers=[BrokerSettings(), rolled_back], log_dir=tmp_path).boot()
    kafka.elect_leader("t", 0, broker=1)
    assert (magics(kafka, 0), magics(kafka, 1)) == ([0, 0], [1, 1])
    assert fetched(kafka, 0, 1, node_id=1).records[16] == 1
    kafka.stop()


def test_a_cluster_can_start_in_the_middle_of_a_rolling_upgrade() -> None:
    old = REPLICATED | {"inter.broker.protocol.version": "0.10.2", "log.message.format.version": "0.10.2"}
    brokers = [BrokerSettings("2.3"), BrokerSettings("1.1"), BrokerSettings()]
    with FakeKafka("0.10.2", config=old, brokers=brokers, topics={"t": 1}) as kafka:
        assert kafka.brokers() == {0: "2.3.1", 1: "1.1.1", 2: "0.10.2.2"}
        kafka.send("t", b"v")
        assert {node: values(kafka, node) for node in (0, 1)} == {0: [b"v"], 1: [b"v"]}
        own = [d.what for d in kafka.explain() if d.what.startswith("broker ")]
        assert "broker 0: log levels by request" in own  # a request that 1.1 does not accept
        assert "broker 1: log levels by request" not in own
        kafka.restart("2.3")
        assert set(kafka.brokers().values()) == {"2.3.1"}


def test_a_reset_brings_every_broker_back_as_it_was_configured() -> None:
    kafka = canary()
    kafka.stop_broker(1)
    kafka.start_broker(1, "0.10.1", OLD)
    kafka.kill_broker(0)
    kafka.reset()
    assert kafka.brokers() == {0: "0.10.0.1", 1: "0.10.0.1"}
    kafka.elect_leader("t", 0, broker=1)
    produce(kafka, request({("t", 0): timed()}, acks=-1), 2, 1)
    assert (magics(kafka, 0), magics(kafka, 1)) == ([0, 0], [1, 1])


def test_each_broker_can_have_its_files_elsewhere(tmp_path: Path) -> None:
    brokers = [BrokerSettings(log_dir=tmp_path / "here"), BrokerSettings("1.1", log_dir=tmp_path / "there")]
    config = REPLICATED | {"inter.broker.protocol.version": "0.11.0"}
    for found in ([], [b"v"]):  # the second time, from the files on disk
        with FakeKafka("0.11.0", config=config, brokers=brokers, topics={"t": 1}) as kafka:
            assert [r.value for r in kafka.records("t", broker=1)] == found
            kafka.send("t", b"v")
    for name in ("here", "there"):
        assert (tmp_path / name / "t-0" / f"{0:020}.log").stat().st_size > 0


def test_each_broker_can_have_several_directories(tmp_path: Path) -> None:
    places = [tmp_path / name for name in ("one", "two")]
    brokers = [BrokerSettings(log_dir=places), BrokerSettings(log_dir=str(tmp_path / "there"))]
    for found in ([], [b"v"]):  # the second time, from the files on disk
        with FakeKafka("2.3", config=REPLICATED, brokers=brokers, topics={"t": 4}) as kafka:
            assert [r.value for r in kafka.records("t", 0, broker=0)] == found
            kafka.send("t", b"v", partition=0)
    held = [{path.name for path in place.glob("t-*")} for place in places]
    assert [len(names) for names in held] == [2, 2]
    assert set.union(*held) == {f"t-{index}" for index in range(4)}
    assert {path.name for path in (tmp_path / "there").glob("t-*")} == set.union(*held)


def test_a_broker_keeps_its_settings_across_a_restart() -> None:
    kafka = canary()
    kafka.restart()
    produce(kafka, request({("t", 0): timed()}, acks=-1), 2, 1)
    kafka.stop()
    assert kafka._runtime.blueprint.of_broker(1).config["log.message.format.version"] == "0.10.0"
    assert kafka._runtime.blueprint.of_broker(0).config["log.message.format.version"] == "0.9.0"


@pytest.mark.parametrize(
    ("settings", "error", "words"),
    [
        ([], UsageError, "at least 1"),
        ([BrokerSettings("4.0"), BrokerSettings()], UsageError, "all under ZooKeeper or all in KRaft mode"),
        ([BrokerSettings(config={"log.cleaner.treads": 2})], UsageError, "did you mean log.cleaner.threads"),
        ([BrokerSettings(config={"num.io.threads": 0})], BrokerWillNotStart, "at least 1"),
        (
            [BrokerSettings(config={"log.message.format.version": "0.11.0"})],
            BrokerWillNotStart,
            "can only be used when inter.broker",
        ),
    ],
)
def test_each_broker_is_checked_by_the_rules_of_its_release(
    settings: list[BrokerSettings], error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        FakeKafka(
            "2.3",
            brokers=settings,
            config={"inter.broker.protocol.version": "0.10.2", "log.message.format.version": "0.10.2"},
        )


def test_a_broker_that_does_not_know_the_clusters_level_does_not_start() -> None:
    brokers = [BrokerSettings(), BrokerSettings("3.6")]
    with pytest.raises(BrokerWillNotStart):
        FakeKafka("3.9", brokers=brokers).boot()
    kafka = FakeKafka("3.9", brokers=brokers, features={"metadata.version": 14}).boot()
    assert kafka.brokers() == {0: "3.9.2", 1: "3.6.2"}
    kafka.stop()
