"""Topics that are inferred from directories, when nothing else is known."""

from pathlib import Path

import pytest
from fakekafka import FakeKafka, ManualClock
from fakekafka.log.names import CLUSTER_FILE


@pytest.fixture
def left(tmp_path: Path) -> Path:
    """What a broker left, without the file in which fakekafka keeps what the directories do not show."""
    folder = tmp_path / "left"
    with FakeKafka("2.8", log_dir=folder, clock=ManualClock(), topics={"t": 3, "with-dash": 1}) as kafka:
        kafka.send("t", b"v", partition=2)
        kafka.elect_leader("t", 2)
        kafka.send("t", b"w", partition=2)
    (folder / CLUSTER_FILE).unlink()
    return folder


def loaded(folder: Path, release: str = "2.8") -> FakeKafka:
    return FakeKafka.load(folder, release, clock=ManualClock()).boot()


def test_a_topic_is_inferred_from_the_directory_of_a_partition(left: Path) -> None:
    kafka = loaded(left)
    assert kafka.topics() == {"t": 3, "with-dash": 1}
    assert [record.value for record in kafka.records("t")] == [b"v", b"w"]
    kafka.stop()


def test_the_last_leader_epoch_is_known_from_the_files(left: Path) -> None:
    kafka = loaded(left)
    assert kafka.elect_leader("t", 2) > 1
    kafka.stop()


def test_a_topic_id_is_known_from_the_files(left: Path) -> None:
    with FakeKafka("3.9", log_dir=left.parent / "new", topics={"t": 1}) as kafka:
        wanted = kafka._running.cluster.topics["t"].id
    (left.parent / "new" / CLUSTER_FILE).unlink()
    again = loaded(left.parent / "new", "3.9")
    assert again._running.cluster.topics["t"].id == wanted
    again.stop()


def test_a_topic_in_the_cleaner_s_checkpoint_is_compacted(left: Path) -> None:
    (left / "cleaner-offset-checkpoint").write_text("0\n1\nt 0 0\n", "utf-8")
    kafka = loaded(left)
    topics = kafka._running.cluster.topics
    assert (topics["t"].overrides, topics["with-dash"].overrides) == ({"cleanup.policy": "compact"}, {})
    kafka.stop()


@pytest.mark.parametrize("release", ["0.8.2", "0.10.2"])
def test_an_earlier_release_takes_internal_topics_of_later_ones_for_ordinary_topics(left: Path, release: str) -> None:
    (left / "__transaction_state-0").mkdir()
    kafka = loaded(left, release)
    assert kafka._running.cluster.topics["__transaction_state"].overrides == {"cleanup.policy": "compact"}
    kafka.stop()


def test_other_directories_and_those_marked_for_deletion_are_not_topics(left: Path) -> None:
    for name in ("t-0.0123456789abcdef0123456789abcdef-delete", "__cluster_metadata-0"):
        (left / name).mkdir()
    kafka = loaded(left)
    assert set(kafka.topics()) == {"t", "with-dash"}
    kafka.stop()
