"""A broker that dies in the middle of an offset commit: the design of offset management, as releases of Kafka do it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from fakekafka import FakeKafka, ManualClock

from tests.support.group_clients import SMALL, coordinator_is_there, simple
from tests.support.seeded import NOW

TOPIC = "__consumer_offsets"


@contextmanager
def cut(tmp_path: Path, release: str, **config: object) -> Iterator[FakeKafka]:
    """A broker that came back after it had died before it wrote the last byte of a commit of three offsets."""
    given = {name.replace("_", "."): value for name, value in config.items()}
    kafka = FakeKafka(release, config=SMALL | given, clock=ManualClock(NOW), topics={"t": 4}, log_dir=tmp_path).boot()
    coordinator_is_there(kafka)
    simple(kafka).commit(1, 1, 1)
    simple(kafka).commit(2, 2, 2)
    kafka.stop(crash=True)
    log = tmp_path / f"{TOPIC}-0" / f"{0:020}.log"
    with log.open("r+b") as file:
        file.truncate(log.stat().st_size - 1)
    kafka.restart()
    yield kafka
    kafka.stop()


@pytest.mark.statement("S4-14", "S4-31", "S4-33")
@pytest.mark.parametrize("release", ["0.11.0", "2.3", "4.3"])
def test_a_commit_is_whole_since_it_is_one_batch(tmp_path: Path, release: str) -> None:
    """The batch's length and checksum do what the design's transaction size was meant to do."""
    with cut(tmp_path, release) as kafka:
        assert simple(kafka).fetch(0, 1, 2) == [1, 1, 1]


@pytest.mark.statement("S4-14", "S4-30", "S4-33", "S4-35", "S4-36", "S4-44")
@pytest.mark.parametrize("release", ["0.9.0", "0.10.2"])
def test_before_message_format_2_the_beginning_of_a_commit_counts(tmp_path: Path, release: str) -> None:
    """Messages do not say which commit they belong to, so a missing one cannot be noticed, and nothing is written
    again. The design would have applied none of them.
    """
    with cut(tmp_path, release) as kafka:
        assert sorted(simple(kafka).fetch(0, 1, 2)) == [1, 2, 2]
        assert len(list(kafka.records(TOPIC))) == 5


@pytest.mark.statement("S4-34")
def test_before_message_format_2_the_cleaner_prefers_the_beginning_of_a_commit(tmp_path: Path) -> None:
    """The design would have written the old values again."""
    with cut(tmp_path, "0.10.2") as kafka:
        kafka.compact(TOPIC, roll=True)
        kafka.restart()
        assert sorted(simple(kafka).fetch(0, 1, 2)) == [1, 2, 2]


@pytest.mark.statement("S4-42")
@pytest.mark.parametrize(("release", "is_whole"), [("0.8.2", True), ("0.9.0", False), ("0.10.2", True)])
def test_a_compressed_commit_is_whole_before_message_format_2_too(tmp_path: Path, release: str, is_whole: bool) -> None:
    """Only in 0.9.0 the topic has compression.type "uncompressed", which takes the wrapper apart (asked of 0.9.0.1)."""
    with cut(tmp_path, release, offsets_topic_compression_codec=1) as kafka:
        assert (simple(kafka).fetch(0, 1, 2) == [1, 1, 1]) == is_whole
