"""The file that keeps what ZooKeeper or the quorum would know."""

import json
from pathlib import Path

import pytest
from fakekafka import FakeKafka, ManualClock
from fakekafka.admin.delegation_tokens import create
from fakekafka.cluster.cluster_file import read_cluster_file
from fakekafka.errors import UsageError
from fakekafka.log.files import DiskDirectory
from fakekafka.log.memory_files import MemoryDirectory
from fakekafka.log.names import CLUSTER_FILE
from fakekafka.releases.release import Mode, Release
from fakekafka.security.principal import user
from fakekafka.settings.blueprint import keeper


def content(folder: Path) -> dict[str, object]:
    found: dict[str, object] = json.loads((folder / CLUSTER_FILE).read_text("utf-8"))
    return found


def test_topics_and_their_configs_outlive_the_process(tmp_path: Path) -> None:
    with FakeKafka("2.3", log_dir=tmp_path, topics={"t": 2}) as kafka:
        kafka.configure_topic("t", {"retention.ms": 5})
        epoch = kafka.elect_leader("t", 1)
        known = kafka._running.cluster.id
    with FakeKafka("2.3", log_dir=tmp_path) as kafka:
        topic = kafka._running.cluster.topics["t"]
        assert (kafka.topics(), topic.overrides, kafka._running.cluster.id) == ({"t": 2}, {"retention.ms": "5"}, known)
        assert kafka.elect_leader("t", 1) > epoch


def test_the_file_names_the_release_that_wrote_it_and_says_whether_it_was_stopped(tmp_path: Path) -> None:
    clock = ManualClock()
    kafka = FakeKafka("2.3.1", log_dir=tmp_path, clock=clock).boot()
    clock.advance(2000)
    assert [content(tmp_path)[key] for key in ("release", "mode", "stopped")] == ["2.3.1", "zk", False]
    kafka.stop()
    assert content(tmp_path)["stopped"] is True


def test_the_file_is_written_after_a_change_at_most_once_a_second(tmp_path: Path) -> None:
    clock = ManualClock()
    kafka = FakeKafka("2.3", log_dir=tmp_path, clock=clock).boot()
    clock.advance(1500)
    before = (tmp_path / CLUSTER_FILE).read_bytes()
    kafka.create_topic("t")
    clock.advance(1500)
    assert (tmp_path / CLUSTER_FILE).read_bytes() != before
    kafka.stop()


def test_a_controlled_shutdown_is_remembered(tmp_path: Path) -> None:
    """Recorded from 3.4.1 and 4.1.1: epochs_across."""
    FakeKafka("3.9.1", config={"controlled.shutdown.enable": True}, topics={"t": 1}, log_dir=tmp_path).boot().stop()
    later = FakeKafka("4.1.1", log_dir=tmp_path).boot()
    assert later._running.cluster.topics["t"].partitions[0].leader_epoch == 2
    later.stop()


def test_topic_ids_and_the_epoch_of_features_are_remembered(tmp_path: Path) -> None:
    """Recorded from 2.8.0 and 3.9.1: topic_ids_protocol; from 2.8.2: random_walks."""
    first = FakeKafka("2.8.2", topics={"t": 1}, log_dir=tmp_path).boot()
    known = first._running.cluster.topics["t"].id
    first.stop()
    FakeKafka("2.8.2", config={"inter.broker.protocol.version": "2.6"}, log_dir=tmp_path).boot().stop()
    later = FakeKafka("2.8.2", log_dir=tmp_path).boot()
    assert later._running.cluster.topics["t"].id == known
    node = later._running.cluster.settings.feature_node
    assert node is not None
    assert node.version == 2
    later.stop()


def test_without_a_cluster_file_nothing_is_known() -> None:
    assert read_cluster_file(MemoryDirectory()) is None


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{", "not as fakekafka writes it"),
        ("{}", "not as fakekafka writes it"),
        ('{"fakekafka": 99, "release": "2.3", "mode": "zk", "stopped": true}', "another version of fakekafka: form 99"),
    ],
)
def test_an_unreadable_cluster_file_is_refused(tmp_path: Path, text: str, why: str) -> None:
    (tmp_path / CLUSTER_FILE).write_text(text, "utf-8")
    with pytest.raises(UsageError, match=why):
        read_cluster_file(DiskDirectory(tmp_path))


def test_a_cluster_file_that_makes_no_sense_is_refused(tmp_path: Path) -> None:
    FakeKafka("2.3", log_dir=tmp_path, topics={"t": 1}).boot().stop()
    state = content(tmp_path)
    del state["topics"]
    (tmp_path / CLUSTER_FILE).write_text(json.dumps(state), "utf-8")
    with pytest.raises(UsageError, match="not as fakekafka writes it"):
        FakeKafka("2.3", log_dir=tmp_path).boot()


@pytest.mark.parametrize(("release", "mode"), [("2.8", "zk"), ("3.9", "zk"), ("3.9", "kraft"), ("4.3", "kraft")])
def test_delegation_tokens_outlive_restarts_and_their_secret_is_not_written(
    release: str, mode: Mode, tmp_path: Path
) -> None:
    clock = ManualClock(1_600_000_000_000)
    config = {"delegation.token.secret.key": "key-of-tokens", **keeper(Release.parse(release), mode)}
    with FakeKafka(release, log_dir=tmp_path / "logs", config=config, clock=clock).boot() as kafka:
        token = create(kafka._running.cluster.brokers[0], user("alice"), user("admin"), [user("bob")], -1, clock.now_ms)
        secret = token.hmac("key-of-tokens")
        kafka.save(tmp_path / "saved")
    with FakeKafka.load(tmp_path / "saved", release, config=config, clock=clock).boot() as loaded:
        assert list(loaded._running.cluster.settings.tokens) == [token.id]
    assert secret.hex() not in (tmp_path / "logs" / CLUSTER_FILE).read_text()
    with FakeKafka(release, log_dir=tmp_path / "logs", config=config, clock=clock).boot() as kafka:
        cluster = kafka._running.cluster
        found = cluster.settings.tokens[token.id]
        assert vars(found) == vars(token)
        assert found.hmac("key-of-tokens") == secret
        clock.advance(
            found.expires_at_ms
            - clock.now_ms
            + cluster.brokers[0].config.int("delegation.token.expiry.check.interval.ms")
        )
        assert not cluster.settings.tokens, "expired ones are swept away after a restart, too"
