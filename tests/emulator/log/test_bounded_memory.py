"""Memory with a bound: bytes that leave it are not lost, and their room is used again.

`test_files` shows that it is otherwise like memory and disk.
"""

import errno
import gc
import random
import tracemalloc
from pathlib import Path
from typing import Any, Final

import pytest
from fakekafka import FakeKafka, ManualClock
from fakekafka.errors import ErrorCode, UsageError
from fakekafka.ids import Buffer, Position
from fakekafka.log import bounded_memory
from fakekafka.log.bounded_memory import BoundedDirectory, Overflow
from fakekafka.log.files import write_whole
from fakekafka.records import v2
from fakekafka.records.record import Record

from tests.support.producing import one
from tests.support.seeded import NOW

BOUND: Final = 1 << 20
VALUE: Final = 100_000
OPEN_FILES: Final = Path("/proc/self/fd")
FULL: Final = Path("/dev/full")
"""A Linux device on which there is never any room."""


def batch(n: int) -> bytes:
    """A batch of one record, which does not compress and differs for each number."""
    return v2.build([Record(0, NOW, 0, b"%d" % n, random.Random(n).randbytes(VALUE))])


def values(kafka: FakeKafka, topic: str = "t") -> list[bytes | None]:
    return [record.value for record in kafka.records(topic)]


def sent(count: int) -> list[bytes]:
    return [random.Random(n).randbytes(VALUE) for n in range(count)]


# ---- files


def test_the_least_recently_written_file_leaves_first() -> None:
    overflow = Overflow(100)
    root = BoundedDirectory(overflow)
    files = [root.open(name, 0) for name in ("new", "old", "newest")]
    for file, now in zip(files, (2, 1, 3), strict=True):
        file.append(bytes(40), now)
    assert [file.in_memory for file in files] == [0, 0, 40]
    assert overflow.in_memory() == 40
    assert all(b"".join(file.read(0, 40)) == bytes(40) for file in files)


def test_no_more_than_the_bound_stays_however_much_is_written() -> None:
    overflow = Overflow(1000)
    root = BoundedDirectory(overflow)
    for n in range(300):
        root.directory(f"t-{n % 7}").open("f", 0).append(b"%03d" % n * 10, n)
        assert overflow.in_memory() <= 1000
    whole = [b"%03d" % n * 10 for n in range(300)]
    for n in range(7):
        assert root.directory(f"t-{n}").read_all("f") == b"".join(whole[n::7])


def test_one_set_larger_than_the_bound_is_kept_until_the_next_one_comes() -> None:
    overflow = Overflow(10)
    file = BoundedDirectory(overflow).open("f", 0)
    file.append(bytes(50), 0)
    assert overflow.in_memory() == 50
    file.append(b"x", 1)
    assert overflow.in_memory() == 1
    assert b"".join(file.read(0, 99)) == bytes(50) + b"x"


def test_a_bound_of_0_keeps_only_the_last_set() -> None:
    overflow = Overflow(0)
    file = BoundedDirectory(overflow).open("f", 0)
    for n in range(5):
        file.append(b"%d" % n, n)
        assert overflow.in_memory() == 1
    assert file.content() == b"01234"


def test_cutting_off_or_deleting_bytes_makes_room_in_memory() -> None:
    overflow = Overflow(100)
    root = BoundedDirectory(overflow)
    kept, cut, deleted = (root.open(name, 0) for name in ("kept", "cut", "deleted"))
    kept.append(bytes(30), 0)
    cut.append(bytes(30), 1)
    deleted.append(bytes(30), 2)
    cut.truncate(5, 3)
    root.delete("deleted")
    del deleted
    root.open("more", 4).append(bytes(60), 4)
    assert kept.in_memory == 30, "everything fits, so that nothing leaves"


def open_files() -> int:
    """How many descriptors this process has."""
    gc.collect()
    return len(list(OPEN_FILES.iterdir()))


@pytest.mark.skipif(not OPEN_FILES.exists(), reason="only Linux lists the descriptors of a process")
def test_a_temporary_file_is_closed_when_nothing_in_it_is_needed() -> None:
    before = open_files()
    root = BoundedDirectory(Overflow(100))
    for n in range(10):
        root.open(f"f{n}", n).append(bytes(60), n)
    assert open_files() > before
    for n in range(10):
        root.delete(f"f{n}")
    assert open_files() == before


@pytest.mark.skipif(not OPEN_FILES.exists(), reason="only Linux lists the descriptors of a process")
def test_the_number_of_descriptors_does_not_grow_with_the_files_that_leave() -> None:
    before = open_files()
    file = BoundedDirectory(Overflow(0)).open("f", 0)
    for n in range(2000):
        file.append(b"%04d" % n, n)
    assert open_files() <= before + 2
    assert file.content() == b"".join(b"%04d" % n for n in range(2000))


@pytest.mark.skipif(not OPEN_FILES.exists(), reason="only Linux lists the descriptors of a process")
def test_a_full_window_is_followed_by_another_and_given_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounded_memory, "WINDOW", 100)
    before, root = open_files(), BoundedDirectory(Overflow(0))
    sizes = [60, 30, 60, 250, 40, 1]
    for n, size in enumerate(sizes):
        root.open(f"f{n}", n).append(b"%d" % n * size, n)
    assert open_files() == before + 2 * 3, "60 and 30, 60 and 40, 250 by itself; the last one is in memory"
    assert [root.read_all(f"f{n}") for n in range(6)] == [b"%d" % n * size for n, size in enumerate(sizes)]
    for n in (0, 1, 3):
        root.delete(f"f{n}")
    assert open_files() == before + 2


def no_room(descriptor: int, data: Buffer, position: Position) -> None:
    """Write a part of `data`, and find the disk full."""
    write_whole(descriptor, memoryview(data)[: len(data) // 2], position)
    with FULL.open("wb") as full:
        write_whole(full.fileno(), data, 0)


@pytest.mark.skipif(not FULL.exists(), reason="needs a disk that is full")
def test_a_full_disk_is_an_error_that_says_what_filled_it(monkeypatch: pytest.MonkeyPatch) -> None:
    file = BoundedDirectory(Overflow(100)).open("f", 0)
    file.append(b"a" * 80, 0)
    monkeypatch.setattr(bounded_memory, "write_whole", no_room)
    with pytest.raises(OSError, match="beyond max_memory=100, logs are kept in temporary files") as raised:
        file.append(b"b" * 80, 0)
    assert raised.value.errno == errno.ENOSPC
    assert file.content() == b"a" * 80, "what was there before is"
    monkeypatch.undo()
    file.append(b"c" * 80, 0)
    assert file.content() == b"a" * 80 + b"c" * 80


# ---- brokers


@pytest.mark.parametrize("release", ["0.8.2", "2.3", "4.3"])
def test_a_broker_with_a_bound_loses_nothing(release: str) -> None:
    rounds = 60
    with FakeKafka(release, clock=ManualClock(NOW), topics={"t": 1}, max_memory=BOUND).boot() as kafka:
        for n in range(rounds):
            kafka.send("t", random.Random(n).randbytes(VALUE))
        assert values(kafka) == sent(rounds)
        kafka.restart(crash=True)
        assert values(kafka) == sent(rounds)
        kafka.restart()
        assert values(kafka) == sent(rounds)


def test_memory_is_really_bounded() -> None:
    def grown(max_memory: int | None) -> int:
        with FakeKafka(
            "4.3", clock=ManualClock(NOW), topics={"t": 1}, max_memory=max_memory, journal=0
        ).boot() as kafka:
            one(kafka, batch(0), 7)  # modules are loaded
            before = tracemalloc.get_traced_memory()[0]
            for n in range(1, 100):
                one(kafka, batch(n), 7)
            return tracemalloc.get_traced_memory()[0] - before

    tracemalloc.start()
    try:
        assert grown(None) > 90 * VALUE
        assert grown(BOUND) < 2 * BOUND
    finally:
        tracemalloc.stop()


def test_a_copy_of_a_directory_is_bounded_from_the_beginning(tmp_path: Path) -> None:
    with FakeKafka("3.9", log_dir=tmp_path / "logs", topics={"t": 1}).boot() as kafka:
        for n in range(30):
            kafka.send("t", random.Random(n).randbytes(VALUE))
    with FakeKafka.load(tmp_path / "logs", max_memory=BOUND).boot() as copy:
        assert values(copy) == sent(30)
        copy.save(tmp_path / "saved")
    with FakeKafka.load(tmp_path / "saved").boot() as again:
        assert values(again) == sent(30)


def test_replicas_compaction_and_reset_go_with_a_bound() -> None:
    config = {"log.cleanup.policy": "compact", "log.segment.bytes": 300_000, "default.replication.factor": 3}
    with FakeKafka("2.3", brokers=3, topics={"t": 1}, config=config, max_memory=BOUND).boot() as kafka:
        for n in range(30):
            kafka.send("t", random.Random(n).randbytes(VALUE), b"k%d" % (n % 3))
        kafka.compact("t", roll=True)
        assert values(kafka) == sent(30)[-3:]
        kafka.stop_broker(kafka.connect().core.cluster.controller_id)
        assert values(kafka) == sent(30)[-3:]
        kafka.reset()
        assert values(kafka) == []


@pytest.mark.skipif(not FULL.exists(), reason="needs a disk that is full")
@pytest.mark.parametrize("release", ["2.3", "4.3"])
def test_a_broker_whose_temporary_files_have_no_room_dies_and_keeps_what_it_acknowledged(
    release: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    deaths: list[OSError] = []
    kafka = FakeKafka(
        release, topics={"t": 1}, max_memory=BOUND, on_broker_death=lambda node_id, error: deaths.append(error)
    )
    with kafka.boot():
        monkeypatch.setattr(bounded_memory, "write_whole", no_room)
        answers: list[int] = []
        while not deaths:
            answers.append(one(kafka, batch(len(answers)), 7).error_code)
        assert answers == [ErrorCode.NONE] * (len(answers) - 1) + [ErrorCode.KAFKA_STORAGE_ERROR]
        assert "max_memory" in str(deaths[0])
        monkeypatch.undo()
        kafka.start_broker(0)
        assert values(kafka) == sent(len(answers) - 1)


@pytest.mark.parametrize("options", [{"max_memory": -1}, {"max_memory": 100, "log_dir": "logs"}])
def test_an_impossible_bound_is_refused(options: Any) -> None:
    with pytest.raises(UsageError, match="max_memory must not be negative"):
        FakeKafka("3.9", **options)
