"""Copies of a partition that were cut, damaged, altered, compacted, cut into other segments, or led by two brokers."""

from collections.abc import Callable
from pathlib import Path
from shutil import copytree

import pytest
from fakekafka import FakeKafka
from fakekafka.log import names
from fakekafka.records import v2
from fakekafka.records.scan import units_in_file
from fakekafka_spark.copies import copies, differences, digest
from fakekafka_spark.copies.rows import CopyRow

from tests.pipeline.logs import batches, records, write_segment
from tests.pipeline.soundness.sound_logs import KINDS, write_log
from tests.pipeline.soundness.test_audit_equals_check import flipped, repaired
from tests.support.rows_without_spark import replica_rows


@pytest.fixture(autouse=True, params=[1 << 16, 4], ids=["one range", "many ranges"])
def _ranges(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (digest, copies, differences):
        monkeypatch.setattr(module, "RANGE", request.param)


def compared(root: Path, **options: str) -> dict[str, CopyRow]:
    """The rows, by broker."""
    rows = list(replica_rows(root, options))
    assert {(row.topic, row.partition) for row in rows} == {("t", 0)}
    return {Path(row.directory).parent.name: row for row in rows}


def three_copies(root: Path, kind: str = "2 plain") -> list[Path]:
    folders = [root / f"broker-{number}" / "t-0" for number in range(3)]
    write_log(folders[0], kind)
    for other in folders[1:]:
        copytree(folders[0], other)
    return folders


@pytest.mark.parametrize("kind", KINDS)
def test_equal_copies_are_equal(tmp_path: Path, kind: str) -> None:
    three_copies(tmp_path, kind)
    for options in ({}, {"splitBytes": "150"}):
        assert {row.verdict for row in compared(tmp_path, **options).values()} == {"equal"}


def test_a_single_copy_is_reported_as_single(tmp_path: Path) -> None:
    write_log(tmp_path / "broker-0" / "t-0", "2 plain")
    assert compared(tmp_path)["broker-0"].verdict == "only copy"


def test_segments_that_begin_elsewhere_make_no_difference(tmp_path: Path) -> None:
    units = batches(6)
    write_segment(tmp_path / "a" / "t-0", units)
    for number in (0, 2, 5):
        write_segment(tmp_path / "b" / "t-0", units[number:][: {0: 2, 2: 3, 5: 1}[number]], base=10 * number)
    assert {row.verdict for row in compared(tmp_path).values()} == {"equal"}


def test_a_copy_that_ends_earlier_is_behind(tmp_path: Path) -> None:
    folders = three_copies(tmp_path)
    log = sorted(folders[1].glob("*.log"))[-1]
    first, second, _ = units_in_file(log.read_bytes())
    log.write_bytes(log.read_bytes()[: second.position + second.size])
    found = compared(tmp_path)["broker-1"]
    assert (found.verdict, found.is_right, found.log_end_offset, found.first_offset) == ("behind", True, 24, None)
    log.write_bytes(log.read_bytes()[: first.size + 20])  # torn
    assert compared(tmp_path)["broker-1"][3:7] == ("behind", True, 0, 21)


def test_a_copy_whose_beginning_was_deleted_is_equal(tmp_path: Path) -> None:
    folders = three_copies(tmp_path)
    for path in folders[1].glob("0" * 20 + ".*"):
        path.unlink()
    assert compared(tmp_path)["broker-1"][3:6] == ("equal", True, 9)


def test_a_segment_that_one_copy_lacks_is_missing(tmp_path: Path) -> None:
    folders = three_copies(tmp_path)
    (folders[2] / names.of_offset(9, names.LOG)).unlink()
    found = compared(tmp_path)
    assert {name: row.verdict for name, row in found.items()} == {
        "broker-0": "equal", "broker-1": "equal", "broker-2": "missing"
    }  # fmt: skip
    row = found["broker-2"]
    assert (row.missing, row.first_offset, row.last_offset, row.is_right) == (9, 9, 17, False)
    assert row.since_ms == 1_600_000_009_000


def test_what_a_log_cleaner_removed_is_not_missing(tmp_path: Path) -> None:
    folders = three_copies(tmp_path)
    (folders[2] / names.of_offset(9, names.LOG)).unlink()
    (tmp_path / "broker-2" / names.CLEANER_OFFSETS).write_text("0\n1\nt 0 18\n", "utf-8")
    assert {row.verdict for row in compared(tmp_path).values()} == {"equal"}


def change(folder: Path, segment: int, how: Callable[[bytes], bytes]) -> None:
    log = sorted(folder.glob("*.log"))[segment]
    log.write_bytes(how(log.read_bytes()))


@pytest.mark.parametrize("kind", KINDS)
def test_bytes_that_changed_on_one_disk_are_damage_there(tmp_path: Path, kind: str) -> None:
    folders = three_copies(tmp_path, kind)
    log = folders[1] / names.of_offset(9, names.LOG)
    _, unit, _ = [*units_in_file(log.read_bytes())][:3]
    change(folders[1], 1, lambda data: flipped(data, unit.position + unit.size - 2))
    found = compared(tmp_path)
    assert [row.verdict for row in found.values()] == ["equal", "damaged", "equal"]
    row = found["broker-1"]
    assert (row.is_right, row.segment, row.position) == (False, 9, unit.position)
    assert row.damaged > 0
    assert 9 < (row.first_offset or 0) <= (row.last_offset or 0) < 18


def test_bytes_that_are_not_units_are_damage(tmp_path: Path) -> None:
    folders = three_copies(tmp_path)
    change(folders[0], 1, lambda data: b"\xa5" * len(data))
    row = compared(tmp_path)["broker-0"]
    assert (row.verdict, row.damaged, row.first_offset, row.last_offset) == ("damaged", 9, 9, 17)


def altered(data: bytes) -> bytes:
    """Another value in the first unit, under a right checksum."""
    unit = next(iter(units_in_file(data)))
    changed = data[: unit.size].replace(b"value", b"VALUE")
    assert changed != data[: unit.size]
    return repaired(bytearray(changed)) + data[unit.size :]


def test_contents_changed_under_a_right_checksum_are_reported_for_the_minority(tmp_path: Path) -> None:
    folders = three_copies(tmp_path)
    change(folders[2], 1, altered)
    found = compared(tmp_path)
    assert [row.verdict for row in found.values()] == ["equal", "equal", "altered"]
    row = found["broker-2"]
    assert (row.altered, row.first_offset, row.last_offset, row.is_right) == (3, 9, 11, None)
    assert (row.segment, row.position, row.since_ms) == (9, 0, 1_600_000_009_000)


def test_of_two_contradicting_copies_none_counts_as_right(tmp_path: Path) -> None:
    folders = three_copies(tmp_path)
    change(folders[2], 1, altered)
    for path in [*folders[1].iterdir()]:
        path.unlink()
    folders[1].rmdir()
    assert {(row.verdict, row.is_right) for row in compared(tmp_path).values()} == {("altered", None)}


def test_an_epoch_that_changed_on_disk_is_not_an_election(tmp_path: Path) -> None:
    """No checksum covers it."""
    folders = three_copies(tmp_path)
    change(folders[0], 1, lambda data: flipped(data, 13))
    found = compared(tmp_path)
    assert [row.verdict for row in found.values()] == ["altered", "equal", "equal"]


def test_equal_records_in_other_batches_are_reported(tmp_path: Path) -> None:
    write_segment(tmp_path / "a" / "t-0", batches(4))
    write_segment(tmp_path / "b" / "t-0", batches(8, each=5))
    write_segment(tmp_path / "c" / "t-0", batches(4))
    found = compared(tmp_path)
    assert [found[name].is_right for name in "abc"] == [True] * 3
    assert found["a"].verdict == found["c"].verdict == "equal"
    assert found["b"].verdict in ("repacked", "equal")  # reported for ranges that every copy covers


def with_epoch(units: list[bytes], epoch: int) -> list[bytes]:
    return [unit[:12] + epoch.to_bytes(4, "big") + unit[16:] for unit in units]


@pytest.mark.parametrize("with_checkpoints", [True, False])
def test_the_log_of_an_unclean_election_shows_whose_records_are_lost(tmp_path: Path, with_checkpoints: bool) -> None:
    """Broker a led in epoch 0 up to offset 59. Broker b had 29 of those, and leads in epoch 3."""
    shared, lost = batches(3), batches(3, start=30)
    new = [v2.build([row._replace(value=b"new") for row in records(10, start)]) for start in (30, 40)]
    write_segment(tmp_path / "a" / "t-0", with_epoch(shared + lost, 0))
    write_segment(tmp_path / "b" / "t-0", with_epoch(shared, 0) + with_epoch(new, 3))
    if with_checkpoints:
        (tmp_path / "a" / "t-0" / names.LEADER_EPOCHS).write_text("0\n1\n0 0\n", "utf-8")
        (tmp_path / "b" / "t-0" / names.LEADER_EPOCHS).write_text("0\n2\n0 0\n3 30\n", "utf-8")
    found = compared(tmp_path)
    right, wrong = found["b"], found["a"]
    assert (right.verdict, right.is_right, right.last_epoch, right.truncates_to) == ("equal", True, 3, None)
    assert (wrong.is_right, wrong.last_epoch, wrong.truncates_to) == (False, 0, 30)
    assert (wrong.verdict, wrong.first_offset, wrong.last_offset) == ("diverged", 30, 59)


def test_copies_of_brokers_after_an_unclean_election_are_compared(tmp_path: Path) -> None:
    """Broker 0 led alone and died; broker 1 leads without its last records."""
    config = {"unclean.leader.election.enable": "true", "default.replication.factor": "2"}
    with FakeKafka("2.3", brokers=2, config=config, log_dir=tmp_path / "logs") as kafka:
        kafka.create_topic("t")
        for number in range(5):
            kafka.send("t", b"both %d" % number)
        kafka.stop_broker(1)
        for number in range(3):
            kafka.send("t", b"lost %d" % number)
        kafka.kill_broker(0)
        kafka.start_broker(1)
        for number in range(2):
            kafka.send("t", b"new %d" % number)
    rows = {Path(row.directory).parent.name: row for row in replica_rows(tmp_path / "logs") if row.topic == "t"}
    wrong, right = (rows[name] for name in sorted(rows))
    assert (right.verdict, right.is_right) == ("equal", True)
    assert (wrong.verdict, wrong.is_right, wrong.diverged) == ("diverged", False, 3)
    assert (wrong.first_offset, wrong.last_offset, wrong.truncates_to) == (5, 7, 5)
    assert wrong.last_epoch < right.last_epoch
