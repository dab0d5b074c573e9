"""Promised partitions: some actions do not create them, and creating them late makes no difference."""

from pathlib import Path

import pytest
from fakekafka import FakeKafka, ManualClock
from fakekafka.cluster.broker import Broker
from fakekafka.log.checkpoints import Checkpoints
from fakekafka.log.names import CLUSTER_FILE, RECOVERY_POINTS

NOW = 1_600_000_000_000


def tree(path: Path) -> dict[str, bytes]:
    """Every file except the one that holds what a controller knows."""
    files = {file.relative_to(path).as_posix(): file.read_bytes() for file in sorted(path.rglob("*")) if file.is_file()}
    return {name: content for name, content in files.items() if name != CLUSTER_FILE}


def broker_of(kafka: FakeKafka) -> Broker:
    return kafka._running.cluster.brokers[0]


def made(kafka: FakeKafka) -> int:
    """How many logs there are."""
    return len(broker_of(kafka).logs._logs)


def test_counting_or_naming_partitions_makes_none_of_them() -> None:
    with FakeKafka("4.1", clock=ManualClock(NOW)) as kafka:
        kafka.create_topic("t", partitions=1000)
        hosted = broker_of(kafka).partitions
        assert (len(hosted), ("t", 999) in hosted, ("t", 1000) in hosted) == (1000, True, False)
        assert list(hosted)[:2] == [("t", 0), ("t", 1)]
        assert set(hosted.high_watermarks().values()) == {0}
        assert made(kafka) == 0


def test_the_tasks_of_the_background_make_no_partitions() -> None:
    clock = ManualClock(NOW)
    with FakeKafka("4.1", clock=clock, config={"log.cleanup.policy": "compact,delete"}) as kafka:
        kafka.create_topic("t", partitions=1000)
        clock.advance(3_600_000)
        assert made(kafka) == 0


def test_checkpoints_name_promised_partitions_too() -> None:
    clock = ManualClock(NOW)
    with FakeKafka("4.1", clock=clock) as kafka:
        kafka.create_topic("t", partitions=3)
        kafka.send("t", b"value", partition=1)
        clock.advance(100_000)
        assert made(kafka) == 1
        assert kafka._runtime.storage is not None
        offsets = Checkpoints(kafka._runtime.storage.root).offsets(RECOVERY_POINTS)
        assert offsets == {("t", 0): 0, ("t", 1): 0, ("t", 2): 0}


def test_asking_for_one_partition_makes_that_one() -> None:
    with FakeKafka("4.1", clock=ManualClock(NOW)) as kafka:
        kafka.create_topic("t", partitions=1000)
        kafka.send("t", b"value", partition=7)
        assert [record.value for record in kafka.records("t", partition=7)] == [b"value"]
        assert made(kafka) == 1
        assert broker_of(kafka).partitions.get(("t", 7)) is broker_of(kafka).partitions["t", 7]
        assert broker_of(kafka).partitions.get(("t", 1000)) is None


def test_going_over_all_partitions_makes_all_of_them() -> None:
    with FakeKafka("4.1", clock=ManualClock(NOW)) as kafka:
        kafka.create_topic("t", partitions=10)
        assert [partition.index for _, partition in broker_of(kafka).partitions.items()] == list(range(10))
        assert len(broker_of(kafka).logs.logs) == 10


def test_a_reset_forgets_promises() -> None:
    with FakeKafka("4.1", clock=ManualClock(NOW)) as kafka:
        kafka.create_topic("t", partitions=10)
        kafka.reset()
        assert len(broker_of(kafka).partitions) == len(broker_of(kafka).logs.logs) == 0


def late_life(kafka: FakeKafka) -> None:
    """Topics whose partitions a broker in memory touches long after they were created, or never."""
    kafka.create_topic("t", partitions=3, config={"segment.ms": 60_000, "segment.index.bytes": 80})
    kafka.create_topic("gone", partitions=2)
    assert isinstance(kafka.clock, ManualClock)
    kafka.clock.advance(30_000)
    kafka.configure_topic("t", {"segment.index.bytes": 160})
    kafka.send("t", b"first", partition=0)
    kafka.clock.advance(30_001)
    kafka.send("t", b"rolls where it is the log's age that counts", partition=0)
    kafka.send("t", b"first of another", partition=1)
    kafka.elect_leader("t", 2)
    kafka.delete_topic("gone")


@pytest.mark.parametrize("release", ["0.8.2", "0.10.0", "0.11.0", "1.1", "2.3", "2.8", "3.9", "4.1"])
@pytest.mark.parametrize("crash", [False, True])
def test_a_partition_made_late_is_what_it_would_have_been_at_once(release: str, crash: bool, tmp_path: Path) -> None:
    in_memory = FakeKafka(release, clock=ManualClock(NOW)).boot()
    on_disk = FakeKafka(release, clock=ManualClock(NOW), log_dir=tmp_path / "disk").boot()
    for kafka in (in_memory, on_disk):
        late_life(kafka)
        kafka.stop(crash=crash)
    in_memory.save(tmp_path / "saved")
    assert tree(tmp_path / "saved") == tree(tmp_path / "disk")
