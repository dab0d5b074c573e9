"""What a broker writes down about its logs, and when."""

import pytest
from fakekafka import FakeKafka
from fakekafka.log import names

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
