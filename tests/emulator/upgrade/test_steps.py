"""Upgrades as an object: steps that are made and taken back, with the data that survive them."""

import pytest
from fakekafka import FakeKafka, ManualClock
from fakekafka.errors import BrokerWillNotStart, UsageError
from fakekafka.records.scan import units_of_any_magic
from fakekafka.upgrade.steps import OldClient
from fakekafka.wire.apis.fetch import FetchPartition, FetchRequest, FetchResponse, FetchTopic
from fakekafka.wire.apis.produce import ProduceResponse

from tests.support.brokers import answer
from tests.support.producing import messages, request

NOW = 1_600_000_000_000


def cluster(release: str, **settings: object) -> FakeKafka:
    return FakeKafka(release, topics={"t": 1}, clock=ManualClock(NOW), **settings).boot()  # type: ignore[arg-type]


def formats(kafka: FakeKafka) -> list[int]:
    return [record.magic for record in kafka.records("t")]


def fetched(kafka: FakeKafka, version: int) -> list[int]:
    """The formats of what an old consumer gets."""
    asked = FetchPartition(partition=0, fetch_offset=0, partition_max_bytes=1 << 20)
    sent = FetchRequest(max_wait_ms=0, min_bytes=1, topics=[FetchTopic(topic="t", partitions=[asked])])
    (topic,) = answer(kafka, sent, version, FetchResponse).responses
    return [unit.magic for unit in units_of_any_magic(bytes(topic.partitions[0].records or b""))]


def test_every_step_keeps_the_data_and_enters_its_phase() -> None:
    kafka = cluster("0.10.2")
    seen = []
    for step in kafka.upgrade("0.10.2", "2.3"):
        kafka.send("t", b"v")
        step.apply()
        assert kafka.phase == step.after
        seen.append((step.name, kafka.release))
    kafka.send("t", b"v")
    assert seen == [
        ("new code, old format", "2.3.1"),
        ("new protocol, old format", "2.3.1"),
        ("clients read format 2", "2.3.1"),
        ("new format", "2.3.1"),
    ]
    assert formats(kafka) == [1, 1, 1, 1, 2]


def test_the_message_format_decides_what_old_consumers_get() -> None:
    """The ten lines of "our 0.10.2 consumers broke when the format was raised and lowered again"."""
    kafka = cluster("0.10.2")
    steps = kafka.upgrade(to="2.3")
    for step in steps:
        step.apply()
    kafka.send("t", b"v")
    assert fetched(kafka, 3) == [1]
    left = steps["new format"].rollback()
    assert [str(one) for one in left] == [
        "t-0 from offset 0 on: 1 unit of format 2: Fetch 0 to 3 get them unchanged, and clients of that age cannot"
        " read them"
    ]
    assert fetched(kafka, 3) == [2]  # FORMAT-LOWERED


def test_all_steps_can_be_rolled_back_in_turn() -> None:
    kafka = cluster("0.10.2")
    steps = list(kafka.upgrade(to="0.11.0"))
    for step in steps:
        step.apply()
    for step in reversed(steps):
        assert step.rollback() == []
    assert (kafka.release, kafka.phase.name) == ("0.10.2.2", "old code")
    kafka.send("t", b"v")
    assert formats(kafka) == [1]


def test_only_the_last_step_can_be_rolled_back() -> None:
    kafka = cluster("0.10.2")
    first, second, *_ = kafka.upgrade(to="2.3")
    with pytest.raises(UsageError, match="is not in 'new code, old format'"):
        first.rollback()
    first.apply()
    second.apply()
    with pytest.raises(UsageError, match="only the last step can be rolled back"):
        first.rollback()


def test_steps_may_be_skipped() -> None:
    kafka = cluster("0.10.2")
    kafka.upgrade(to="2.3")["new format"].apply()
    kafka.send("t", b"v")
    assert formats(kafka) == [2]


def test_the_remaining_steps_follow_from_the_clusters_phase() -> None:
    kafka = cluster("0.10.2")
    kafka.upgrade(to="2.3")[0].apply()
    names = [step.name for step in kafka.upgrade(to="2.3")]
    assert names == ["new protocol, old format", "clients read format 2", "new format"]
    kafka.restart(config={})
    assert kafka.phase.name == "old code"  # a phase of another upgrade, since the user has changed the config


def test_a_step_that_waits_for_clients_names_them() -> None:
    kafka = cluster("0.10.2")
    steps = kafka.upgrade(to="2.3")
    steps["new protocol, old format"].apply()
    kafka.send("t", b"v")
    fetched(kafka, 3)
    fetched(kafka, 4)
    waiting = steps["clients read format 2"]
    waiting.apply()
    assert kafka.connect().send(b"") == b""  # still running: this step restarts nothing
    assert waiting.old_clients() == [OldClient("test", 3)]


def test_the_user_s_own_properties_stay_and_those_that_a_release_lacks_come_back() -> None:
    own = {"message.max.bytes": 2_000_000, "advertised.host.name": "example.org"}
    kafka = cluster("2.8", config=own)
    steps = list(kafka.upgrade(to="3.9"))
    for step in steps:
        step.apply()
    assert kafka.connect().core.cluster.brokers[0].config.int("message.max.bytes") == 2_000_000
    for step in reversed(steps):
        step.rollback()
    assert kafka.connect().core.cluster.brokers[0].config.text("advertised.host.name") == "example.org"


def test_features_are_raised_while_the_cluster_runs_and_the_old_release_refuses_them() -> None:
    """Recorded from a 3.9.1 that became 4.1.1: phases."""
    kafka = cluster("3.9")
    code, features = kafka.upgrade(to="4.1")
    code.apply()
    running = kafka.connect().core
    features.apply()
    assert kafka.connect().core is running
    assert kafka.phase.features["metadata.version"] == 27
    with pytest.raises(UsageError, match="the controller refuses"):
        features.rollback()
    with pytest.raises(BrokerWillNotStart, match="this controller only supports versions 1-21"):
        kafka.restart("3.9")
    kafka.restart("4.1")
    assert kafka.topics() == {"t": 1}


def test_the_code_can_be_rolled_back_before_features_are_raised() -> None:
    kafka = cluster("3.9")
    code, _ = kafka.upgrade(to="4.1")
    code.apply()
    assert code.rollback() == []
    assert kafka.release == "3.9.2"


def test_from_kraft_alone_there_is_no_way_back() -> None:
    kafka = cluster("3.9", config={"zookeeper.connect": "z:2181"})
    both, alone, *_ = kafka.upgrade(to="4.0")
    both.apply()
    assert both.rollback() == []
    assert kafka.phase.mode == "zk"
    both.apply()
    alone.apply()
    with pytest.raises(UsageError, match="ZooKeeper has been left for good"):
        alone.rollback()


def test_a_cluster_may_begin_within_an_upgrade() -> None:
    kafka = cluster("2.3", phase="0.10.2 -> 2.3: new code, old format")
    kafka.send("t", b"v")
    assert (kafka.release, kafka.phase.name, formats(kafka)) == ("2.3.1", "new code, old format", [1])
    assert [step.name for step in kafka.upgrade(to="2.3")][-1] == "new format"
    late = FakeKafka(phase="3.9 -> 4.1: new code, old features").boot()
    assert (late.release, late.phase.features) == ("4.1.2", {"metadata.version": 21})


@pytest.mark.parametrize(("settings", "words"), [
    ({"release": "2.8", "phase": "0.10.2 -> 2.3: new format"}, "has release 2.3.1, not 2.8"),
    ({"phase": "0.10.2 -> 2.3: new format", "config": {"log.message.format.version": "0.9.0"}}, "leave log.message"),
    ({"phase": "3.9 -> 4.1: new features", "config": {"zookeeper.connect": "x"}}, "leave zookeeper.connect out"),
])  # fmt: skip
def test_arguments_that_disagree_are_refused(settings: dict[str, object], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        FakeKafka(**settings)  # type: ignore[arg-type]


def test_a_wrong_call_of_upgrade_says_what_to_write() -> None:
    kafka = cluster("0.10.2")
    with pytest.raises(UsageError, match="name the release to upgrade to"):
        kafka.upgrade()
    with pytest.raises(UsageError, match=r"the cluster is 0\.10\.2\.2, not 0\.9\.0"):
        kafka.upgrade("0.9.0", "2.3")
    with pytest.raises(UsageError, match="no step 'x'; there are 'new code, old format', "):
        kafka.upgrade(to="2.3")["x"]


def test_a_restart_to_a_running_server_keeps_the_port() -> None:
    with FakeKafka("0.10.2", topics={"t": 1}) as kafka:
        port = kafka.port
        kafka.upgrade(to="0.11.0")[0].apply()
        assert (kafka.is_running, kafka.port, kafka.release) == (True, port, "0.11.0.3")


def test_producers_are_converted_until_the_format_is_raised() -> None:
    kafka = cluster("2.3", phase="0.9.0 -> 2.3: new code, old format")
    answer(kafka, request({("t", 0): messages()}), 1, ProduceResponse)
    assert formats(kafka) == [0, 0]
    kafka.upgrade(to="2.3")["new format"].apply()
    answer(kafka, request({("t", 0): messages()}), 1, ProduceResponse)
    assert formats(kafka) == [0, 0, 2, 2]


# ---- several brokers


def replicated(release: str, **settings: object) -> FakeKafka:
    own = {"default.replication.factor": 3, "min.insync.replicas": 2}
    return FakeKafka(release, brokers=3, config=own, topics={"t": 1}, clock=ManualClock(NOW), **settings).boot()  # type: ignore[arg-type]


@pytest.mark.parametrize(("start", "to", "formats"), [
    ("0.9.0", "0.10.0", [0, 0, 0, 0, 1]), ("0.10.2", "2.3", [1, 1, 1, 1, 2]), ("3.9", "4.1", [2, 2, 2]),
])  # fmt: skip
def test_several_brokers_roll_one_after_the_other(start: str, to: str, formats: list[int]) -> None:
    kafka = replicated(start)
    running = kafka.connect(0).core
    for step in kafka.upgrade(to=to):
        kafka.send("t", b"v")
        step.apply()
        assert set(kafka.brokers().values()) == {str(step.after.release)}
        assert kafka.phase == step.after
    kafka.send("t", b"v")
    assert kafka.connect(0).core is running  # the cluster never stopped as a whole
    for node_id in range(3):
        assert [record.magic for record in kafka.records("t", broker=node_id)] == formats


def test_a_broker_that_was_killed_comes_back_with_the_step() -> None:
    kafka = replicated("0.10.2")
    kafka.kill_broker(1)
    kafka.upgrade(to="0.11.0")[0].apply()
    assert kafka.brokers() == dict.fromkeys(range(3), "0.11.0.3")


def test_rolling_back_ends_at_the_first_broker_that_does_not_start() -> None:
    kafka = replicated("3.9")
    code, features = kafka.upgrade(to="4.1")
    code.apply()
    features.apply()
    kafka.stop_broker(0)
    with pytest.raises(BrokerWillNotStart, match="only supports versions 1-21"):
        kafka.start_broker(0, "3.9")
    assert kafka.brokers() == {1: "4.1.2", 2: "4.1.2"}
