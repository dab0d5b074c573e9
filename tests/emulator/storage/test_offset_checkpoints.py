"""What a broker writes down about its logs, and when."""

import pytest
from fakekafka import FakeKafka
from fakekafka.log import names
from fakekafka.storage.log_moves import move

from tests.support.seeded import broker_of

TOPICS = dict.fromkeys(("a", "b", "later", "kept"), 2)


def written(kafka: FakeKafka, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the checkpoints that are written from now on."""
    roots, found = broker_of(kafka).logs.roots, list[str]()
    write = roots.write_offsets

    def noted(name: str, *args: object, **kwargs: object) -> bool:
        found.append(name)
        return write(name, *args, **kwargs)  # type: ignore[arg-type]

    monkeypatch.setattr(roots, "write_offsets", noted)
    return found


@pytest.mark.parametrize(
    ("release", "after_each"),
    [("0.10.2", []), ("0.11.0", [names.LOG_STARTS]), ("2.3", [names.RECOVERY_POINTS, names.LOG_STARTS])],
)
def test_checkpoints_are_written_once_for_all_that_is_removed_together(
    release: str, after_each: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    kafka = FakeKafka(release, topics=TOPICS).boot()
    cluster, found = broker_of(kafka).cluster, written(kafka, monkeypatch)
    cluster.remove_topics([cluster.topics["a"], cluster.topics["b"]])
    assert found == after_each
    cluster.remove_topic(cluster.topics["later"])
    assert found == after_each * 3  # the topic has two partitions
    kafka.stop()


def test_what_was_removed_is_left_out_even_if_something_fails_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    kafka = FakeKafka("3.9", topics=TOPICS).boot()
    broker, found = broker_of(kafka), written(kafka, monkeypatch)

    def remove_and_fail() -> None:
        with broker.logs.checkpoints.removing_together():
            broker.drop_partition(broker.cluster.topics["a"], 0)
            raise OSError(5, "a disk error")

    with pytest.raises(OSError, match="a disk error"):
        remove_and_fail()
    assert found == [names.RECOVERY_POINTS, names.LOG_STARTS]


def test_nothing_is_written_if_nothing_was_removed(monkeypatch: pytest.MonkeyPatch) -> None:
    kafka = FakeKafka("3.9", topics=TOPICS).boot()
    broker, found = broker_of(kafka), written(kafka, monkeypatch)
    with broker.logs.checkpoints.removing_together():
        pass
    assert found == []
    kafka.stop()


def test_a_deletion_writes_checkpoints_only_in_the_directory_of_what_was_deleted() -> None:
    """Recorded at 3.9.1: random_moves."""
    kafka = FakeKafka("3.9", config={"log.dirs": "/one,/two"}).boot()
    for name in ("a", "b", "c"):  # in the first directory, in the second, in the first
        kafka.create_topic(name)
    kafka.delete_topic("b")
    first, second = (log_dir.directory for log_dir in broker_of(kafka).log_dirs.all)
    for name in (names.CLEANER_OFFSETS, names.RECOVERY_POINTS, names.LOG_STARTS):
        assert (first.read_all(name), second.read_all(name)) == (b"", b"0\n0\n")


def test_a_move_writes_checkpoints_only_in_the_directory_that_is_left() -> None:
    """Recorded from 2.0.1 to 4.3.1: random_moves."""
    kafka = FakeKafka("3.9", config={"log.dirs": "/one,/two"}).boot()
    for name in ("a", "b", "c"):
        kafka.create_topic(name)
    broker = broker_of(kafka)
    first, second = broker.log_dirs.all
    kafka._running.run(lambda: move(broker.logs, broker.partitions["a", 0], second))
    assert first.directory.read_all(names.RECOVERY_POINTS) == b"0\n1\nc 0 0\n"
    assert second.directory.read_all(names.RECOVERY_POINTS) == b""
