"""What a broker does to its logs by itself, on its clock."""

import pytest
from fakekafka import FakeKafka, ManualClock
from fakekafka.log.checkpoints import Checkpoints
from fakekafka.log.names import HIGH_WATERMARKS, LOG_STARTS, RECOVERY_POINTS
from fakekafka.log.partition_log import PartitionLog

MINUTE_MS = 60_000


def started(release: str = "2.3", **config: object) -> tuple[FakeKafka, ManualClock]:
    """A broker with a topic `t` and three records."""
    clock = ManualClock(1_600_000_000_000)
    kafka = FakeKafka(release, config={n.replace("_", "."): v for n, v in config.items()}, clock=clock).boot()
    kafka.create_topic("t")
    send(kafka)
    return kafka, clock


def send(kafka: FakeKafka) -> None:
    for value in (b"0", b"1", b"2"):
        kafka.send("t", value)


def log_of(kafka: FakeKafka) -> PartitionLog:
    return kafka._running.cluster.brokers[0].logs.logs["t", 0]


def checkpoint(kafka: FakeKafka, name: str) -> dict[tuple[str, int], int]:
    assert kafka._runtime.storage is not None
    return Checkpoints(kafka._runtime.storage.root).offsets(name)


@pytest.mark.parametrize("release", ["0.8.1", "0.10.2", "2.3", "4.1"])
def test_high_watermarks_are_written_every_five_seconds(release: str) -> None:
    kafka, clock = started(release)
    clock.advance(6000)
    assert checkpoint(kafka, HIGH_WATERMARKS) == {("t", 0): 3}
    send(kafka)
    clock.advance(6000)
    assert checkpoint(kafka, HIGH_WATERMARKS) == {("t", 0): 6}
    kafka.stop()


def test_recovery_points_are_written_every_minute_from_half_a_minute_on() -> None:
    kafka, clock = started(log_flush_interval_messages=1)
    clock.advance(29_000)
    assert checkpoint(kafka, RECOVERY_POINTS) == {}
    clock.advance(2000)
    assert checkpoint(kafka, RECOVERY_POINTS) == {("t", 0): 3}
    send(kafka)
    clock.advance(MINUTE_MS)
    assert checkpoint(kafka, RECOVERY_POINTS) == {("t", 0): 6}
    kafka.stop()


def test_log_starts_are_written_for_logs_that_begin_inside_of_a_segment() -> None:
    kafka, clock = started()
    clock.advance(31_000)
    assert checkpoint(kafka, LOG_STARTS) == {}
    kafka._on_loop(lambda: log_of(kafka).advance_log_start(2))
    clock.advance(MINUTE_MS)
    assert checkpoint(kafka, LOG_STARTS) == {("t", 0): 2}
    kafka.stop()


def test_records_that_have_waited_for_flush_ms_are_flushed() -> None:
    kafka, clock = started(log_flush_interval_ms=10_000, log_flush_scheduler_interval_ms=3000)
    assert log_of(kafka).recovery_point == 0
    clock.advance(35_000)
    assert log_of(kafka).recovery_point == 3
    kafka.stop()


@pytest.mark.parametrize("release", ["0.8.1", "0.10.0", "0.10.1", "2.3", "4.1"])
def test_records_older_than_retention_ms_go_with_the_next_round(release: str) -> None:
    kafka, clock = started(release)
    kafka.configure_topic("t", {"retention.ms": 10 * MINUTE_MS})
    clock.advance(9 * MINUTE_MS)
    assert [record.value for record in kafka.records("t")] == [b"0", b"1", b"2"]
    clock.advance(10 * MINUTE_MS)
    assert kafka.records("t") == []
    assert log_of(kafka).log_end_offset == 3
    kafka.stop()


def test_files_of_deleted_segments_go_after_their_delay() -> None:
    kafka, clock = started()
    kafka.configure_topic("t", {"retention.ms": 1000, "file.delete.delay.ms": 2 * MINUTE_MS})
    clock.advance(31_000)
    assert kafka._runtime.storage is not None
    files = kafka._runtime.storage.root.directory("t-0")
    assert [name for name in files.names() if name.endswith(".deleted")]
    clock.advance(2 * MINUTE_MS)
    assert not [name for name in files.names() if name.endswith(".deleted")]
    kafka.stop()


def test_files_of_segments_that_are_deleted_later_go_later() -> None:
    kafka, clock = started(log_retention_check_interval_ms=MINUTE_MS)
    kafka.configure_topic("t", {"retention.ms": 1000, "file.delete.delay.ms": 5 * MINUTE_MS})
    assert kafka._runtime.storage is not None
    files = kafka._runtime.storage.root.directory("t-0")
    clock.advance(MINUTE_MS)
    send(kafka)
    clock.advance(2 * MINUTE_MS)
    marked = [name for name in files.names() if name.endswith(".log.deleted")]
    assert len(marked) == 2
    clock.advance(10 * MINUTE_MS)
    assert not [name for name in files.names() if name.endswith(".deleted")]
    kafka.stop()


def test_a_broker_with_nothing_to_do_sleeps() -> None:
    kafka, clock = started("4.1")
    kafka.configure_topic("t", {"retention.ms": -1})
    clock.advance(3 * MINUTE_MS)
    due = kafka._runtime.next_deadline_ms()
    assert due is None or due > clock.elapsed_ms
    kafka.stop()
