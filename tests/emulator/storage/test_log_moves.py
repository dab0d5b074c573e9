"""Logs that move to another directory: nothing in them changes."""

import pytest
from fakekafka import FakeKafka, ManualClock
from fakekafka.log import names
from fakekafka.log.check import check
from fakekafka.settings.options import Pace
from fakekafka.storage.log_moves import is_too_long, move
from fakekafka.storage.partition import Partition

from tests.support.clusters import advance
from tests.support.seeded import NOW

RELEASES = ["1.1", "2.3", "2.8", "3.9", "4.1"]
KEY = ("t", 0)


def started(release: str, records: int, pace: Pace = "instant") -> FakeKafka:
    """A topic of small segments in the first of two directories."""
    kafka = FakeKafka(release, config={"log.dirs": "/one,/two"}, pace=pace, clock=ManualClock(NOW)).boot()
    size = "internal.segment.bytes" if release.startswith("4") else "segment.bytes"
    kafka.create_topic("t", config={size: 200, "index.interval.bytes": 50})
    for n in range(records):
        kafka.send("t", b"%d" % n * 40)
    return kafka


def partition_of(kafka: FakeKafka) -> Partition:
    return kafka._running.cluster.brokers[0].partitions[KEY]


def moved(kafka: FakeKafka) -> None:
    broker = kafka._running.cluster.brokers[0]
    kafka._running.run(lambda: move(broker.logs, partition_of(kafka), broker.log_dirs.all[1]))


def units(kafka: FakeKafka) -> list[bytes]:
    segments = partition_of(kafka).log.segments
    return [bytes(unit.data) for segment in segments for unit in segment.batches()]


@pytest.mark.parametrize("release", RELEASES)
def test_every_byte_of_a_moved_log_is_there_and_the_log_is_sound(release: str) -> None:
    kafka = started(release, 10)
    before, log = units(kafka), partition_of(kafka).log
    epochs = None if log.epochs is None else list(log.epochs.entries)
    moved(kafka)
    after = partition_of(kafka).log
    assert after is not log
    assert units(kafka) == before
    assert (after.log_start_offset, after.log_end_offset, partition_of(kafka).high_watermark) == (0, 10, 10)
    assert epochs == (None if after.epochs is None else list(after.epochs.entries))
    second = kafka._running.cluster.brokers[0].log_dirs.all[1].directory
    kafka.stop()
    assert check(second.directory("t-0")) == []


@pytest.mark.parametrize("release", RELEASES)
def test_a_moved_log_keeps_its_log_start(release: str) -> None:
    kafka = started(release, 10)
    log = partition_of(kafka).log
    log.advance_log_start(7)
    moved(kafka)
    assert partition_of(kafka).log_start_offset == 7
    assert [record.offset for record in kafka.records("t")] == [7, 8, 9]
    kafka.send("t", b"more")
    kafka.restart(crash=True)
    assert [record.offset for record in kafka.records("t")][-1] == 10
    kafka.stop()


def test_an_empty_log_moves_there_and_back_again() -> None:
    kafka = started("2.8", 0)
    broker = kafka._running.cluster.brokers[0]
    moved(kafka)
    assert broker.log_dirs.of(*KEY).path == "/two"
    kafka._running.run(lambda: move(broker.logs, partition_of(kafka), broker.log_dirs.all[0]))
    assert broker.log_dirs.of(*KEY).path == "/one"
    kafka.send("t", b"value")
    assert [record.value for record in kafka.records("t")] == [b"value"]
    kafka.stop()


def interrupted(kafka: FakeKafka, in_second: bool) -> str:
    """Stop the broker, and leave a copy of the first half of the log, as a move that a stop interrupts would."""
    broker = kafka._running.cluster.brokers[0]
    first, second = (log_dir.directory for log_dir in broker.log_dirs.all)
    name = names.marked_directory("t", 0, "0" * 32, names.FUTURE_DIRECTORY, None)
    kafka.stop()
    half = {
        file: first.directory("t-0").read_all(file)
        for file in first.directory("t-0").names()
        if file < "0" * 19 + "4" or file == names.PARTITION_METADATA
    }
    for file, content in half.items():
        (second if in_second else first).directory(name).replace(file, content)
    return name


@pytest.mark.parametrize("release", RELEASES)
def test_a_move_that_a_stop_interrupted_goes_on_at_the_start(release: str) -> None:
    kafka = started(release, 10)
    before = units(kafka)
    interrupted(kafka, in_second=True)
    kafka.boot()
    assert units(kafka) == before
    broker = kafka._running.cluster.brokers[0]
    assert broker.log_dirs.of(*KEY).path == "/two"
    assert broker.log_dirs.all[1].directory.directories() == ["t-0"]
    kafka.send("t", b"more")
    kafka.restart()
    assert [record.offset for record in kafka.records("t")] == list(range(11))
    kafka.stop()


def test_an_interrupted_move_goes_on_once_the_broker_has_learned_what_it_leads() -> None:
    kafka = started("2.8", 10, pace="lifelike")
    before = units(kafka)
    interrupted(kafka, in_second=True)
    kafka.boot()
    broker = kafka._running.cluster.brokers[0]
    assert broker.log_dirs.of(*KEY).path == "/one"
    advance(kafka, 10_000)
    assert broker.log_dirs.of(*KEY).path == "/two"
    assert broker.log_dirs.all[1].directory.directories() == ["t-0"]
    assert units(kafka) == before
    kafka.stop()


def test_an_unfinished_copy_in_the_directory_of_the_log_itself_stays_as_it_is_from_3_8_on() -> None:
    kafka = started("3.9", 10)
    name = interrupted(kafka, in_second=False)
    kafka.boot()
    broker = kafka._running.cluster.brokers[0]
    assert broker.log_dirs.all[0].directory.directories() == ["t-0", name]
    assert len(units(kafka)) == 10
    kafka.stop()


@pytest.mark.parametrize("release", ["1.1", "2.8"])
def test_an_unfinished_copy_in_the_directory_of_the_log_itself_fails_that_directory_up_to_3_7(release: str) -> None:
    """Asked of 1.1.1 to 3.7.2, which had no other directory."""
    kafka = started(release, 10)
    interrupted(kafka, in_second=False)
    kafka.boot()
    broker = kafka._running.cluster.brokers[0]
    assert [log_dir.is_online for log_dir in broker.log_dirs.all] == [False, True]
    kafka.stop()


def test_a_moving_directory_has_a_longer_name() -> None:
    assert len(names.marked_directory("t", 0, "0" * 32, names.FUTURE_DIRECTORY, None)) == 43
    assert not is_too_long("x" * 213, 0)
    assert is_too_long("x" * 214, 0)
