"""Checkpoints of several log directories: each covers the partitions in its directory."""

import pytest
from fakekafka import FakeKafka, ManualClock
from fakekafka.cluster.broker import Broker
from fakekafka.log import names
from fakekafka.log.checkpoints import Checkpoints
from fakekafka.log.files import Directory

from tests.support.seeded import NOW


@pytest.fixture
def broker() -> Broker:
    """A broker with t0 in its first directory and t1 in its second."""
    kafka = FakeKafka("2.3", config={"log.dirs": "/one,/two"}, clock=ManualClock(NOW)).boot()
    for name in ("t0", "t1"):
        kafka.create_topic(name)
        kafka.send(name, b"value")
    return kafka._running.cluster.brokers[0]


def written(broker: Broker, name: str) -> list[dict[tuple[str, int], int]]:
    return [Checkpoints(log_dir.directory).offsets(name) for log_dir in broker.log_dirs.all]


def test_a_partition_is_written_down_where_it_lies(broker: Broker) -> None:
    assert broker.logs.checkpoints.write_high_watermarks()
    assert written(broker, names.HIGH_WATERMARKS) == [{("t0", 0): 1}, {("t1", 0): 1}]
    assert broker.logs.roots.high_watermarks() == {("t0", 0): 1, ("t1", 0): 1}
    assert not broker.logs.checkpoints.write_high_watermarks()


def test_the_cleaner_writes_only_where_something_is_clean(broker: Broker) -> None:
    roots = broker.logs.roots
    roots.write_cleaner_offsets({("t1", 0): 1})
    assert written(broker, names.CLEANER_OFFSETS) == [{}, {("t1", 0): 1}]
    first, second = (log_dir.directory for log_dir in broker.log_dirs.all)
    assert first.read_all(names.CLEANER_OFFSETS) == b""
    assert roots.cleaner_offsets() == {("t1", 0): 1}
    roots.write_cleaner_offsets({})
    assert second.read_all(names.CLEANER_OFFSETS) == b"0\n0\n"
    assert first.read_all(names.CLEANER_OFFSETS) == b""


def test_checkpoints_of_several_directories_are_all_written_although_one_fails(
    broker: Broker, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = broker.log_dirs.all[0]

    def fails(self: Directory, name: str, content: bytes) -> None:
        if self is first.directory:
            raise OSError(28, "No space left on device")
        replace(self, name, content)

    replace = type(first.directory).replace
    monkeypatch.setattr(type(first.directory), "replace", fails)
    assert broker.logs.checkpoints.write_recovery_points()
    assert not first.is_online
    assert broker.offline == {("t0", 0)}
    assert written(broker, names.RECOVERY_POINTS)[1] == {("t1", 0): 0}
