"""Several log directories: where partitions go, what each contains, and moves."""

from pathlib import Path

import pytest
from fakekafka import FakeKafka, ManualClock
from fakekafka.errors import BrokerWillNotStart, ErrorCode, UsageError
from fakekafka.log import names

from tests.emulator.storage.two_directories import TWO, broker_of, move, placed, started, values
from tests.support.seeded import NOW

RELEASES = ["0.8.2", "0.11.0", "1.1", "2.8", "3.9", "4.1"]
MOVING = ["1.1", "2.3", "2.8", "3.9", "4.1"]
STORAGE = ErrorCode.KAFKA_STORAGE_ERROR


# ---------------------------------------------------------------- where partitions go


@pytest.mark.parametrize("release", RELEASES)
def test_a_new_partition_goes_where_the_fewest_are(release: str) -> None:
    kafka = started(release, topics=5)
    where = {name: broker_of(kafka).log_dirs.of(name, 0).path for name in ("t0", "t1", "t2", "t3", "t4")}
    assert where == {"t0": "/one", "t1": "/two", "t2": "/one", "t3": "/two", "t4": "/one"}
    kafka.delete_topic("t0")
    kafka.delete_topic("t2")
    kafka.create_topic("new")
    assert broker_of(kafka).log_dirs.of("new", 0).path == "/one"
    kafka.stop()


@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize("crash", [False, True])
def test_each_directory_has_its_own_checkpoints_and_is_found_again(release: str, crash: bool, tmp_path: Path) -> None:
    dirs = [tmp_path / "one", tmp_path / "two"]
    kafka = FakeKafka(release, log_dir=dirs, clock=ManualClock(NOW)).boot()
    for name in ("a", "b"):
        kafka.create_topic(name)
        kafka.send(name, name.encode())
    kafka.restart(crash=crash)
    assert [values(kafka, name) for name in ("a", "b")] == [[b"a"], [b"b"]]
    kafka.stop()
    for path, name in zip(dirs, ("a", "b"), strict=True):
        assert [found.name for found in path.iterdir() if found.is_dir()] == [f"{name}-0"]
        assert (path / names.HIGH_WATERMARKS).read_text(encoding="utf-8") == f"0\n1\n{name} 0 1\n"
        assert (path / names.RECOVERY_POINTS).read_text(encoding="utf-8") == f"0\n1\n{name} 0 1\n"
        assert (path / names.CLEAN_SHUTDOWN).exists()
    assert (dirs[0] / names.CLUSTER_FILE).exists()
    assert not (dirs[1] / names.CLUSTER_FILE).exists()


def test_a_partition_that_is_there_twice_keeps_a_broker_from_starting(tmp_path: Path) -> None:
    for name in ("one", "two"):
        FakeKafka("2.3", topics={"t": 1}, log_dir=tmp_path / name).boot().stop()
    with pytest.raises(BrokerWillNotStart, match=r"Duplicate log directories found: .*/one/t-0, .*/two/t-0"):
        FakeKafka("2.3", log_dir=[tmp_path / "one", tmp_path / "two"]).boot()


def test_a_cluster_saved_from_several_directories_can_be_loaded(tmp_path: Path) -> None:
    kafka = started("2.3")
    kafka.send("t1", b"value")
    kafka.stop()
    kafka.save(tmp_path / "saved")
    again = FakeKafka.load(tmp_path / "saved", "2.3", config=TWO).boot()
    assert values(again, "t1") == [b"value"]
    assert placed(again) == {"/one": ["t0", "t2"], "/two": ["t1", "t3"]}
    again.stop()


def test_log_dir_and_log_dirs_cannot_both_be_given(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"leave log\.dir and log\.dirs out"):
        FakeKafka("2.3", config=TWO, log_dir=tmp_path)


def test_a_single_directory_is_shown_by_its_name_too() -> None:
    for config, path in (({"log.dirs": "/var/kafka"}, "/var/kafka"), ({}, "/memory/broker-0")):
        kafka = FakeKafka("2.3", config=config).boot()
        assert placed(kafka) == {path: []}
        kafka.stop()


# ---------------------------------------------------------------- moves


@pytest.mark.parametrize("release", MOVING)
def test_a_partition_moves_with_everything_in_it(release: str) -> None:
    kafka = started(release)
    for value in (b"0", b"1"):
        kafka.send("t0", value)
    assert move(kafka, "t0", "/two") == 0
    assert placed(kafka) == {"/one": ["t2"], "/two": ["t0", "t1", "t3"]}
    kafka.send("t0", b"2")
    assert values(kafka, "t0") == [b"0", b"1", b"2"]
    first, second = (log_dir.directory for log_dir in broker_of(kafka).log_dirs.all)
    assert [name.rpartition("-")[2] for name in first.directories() if name.startswith("t0")] == ["delete"]
    assert "t0-0" in second.directories()
    kafka.restart()
    assert values(kafka, "t0") == [b"0", b"1", b"2"]
    assert isinstance(kafka.clock, ManualClock)
    kafka.clock.advance(10 * 60_000)
    first = broker_of(kafka).log_dirs.all[0].directory
    assert [name for name in first.directories() if name.startswith("t0")] == []
    kafka.stop()


def test_up_to_1_0_a_move_is_accepted_and_not_made() -> None:
    kafka = started("1.0")
    assert move(kafka, "t0", "/two") == 0
    assert placed(kafka) == {"/one": ["t0", "t2"], "/two": ["t1", "t3"]}
    kafka.stop()


@pytest.mark.parametrize(("release", "unknown", "too_long"), [("2.0", 9, 9), ("2.2", 3, 17), ("4.1", 3, 17)])
def test_a_move_to_the_same_or_an_unknown_directory_moves_nothing(release: str, unknown: int, too_long: int) -> None:
    """Asked of 2.0.1 and 2.2.2."""
    kafka = started(release)
    assert move(kafka, "t0", "/one") == 0
    assert move(kafka, "t0", "/three") == ErrorCode.LOG_DIR_NOT_FOUND
    assert move(kafka, "t0", "one") == ErrorCode.LOG_DIR_NOT_FOUND
    assert move(kafka, "nope", "/one") == unknown
    assert move(kafka, "x" * 249, "/one") == too_long
    assert placed(kafka) == {"/one": ["t0", "t2"], "/two": ["t1", "t3"]}
    kafka.stop()


def test_a_later_partition_is_made_in_the_directory_it_was_moved_to() -> None:
    kafka = started("2.8")
    assert move(kafka, "later", "/two") == ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
    kafka.create_topic("later")
    assert placed(kafka)["/two"] == ["later", "t1", "t3"]
    kafka.stop()
