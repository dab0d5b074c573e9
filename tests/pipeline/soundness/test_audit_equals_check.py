"""Whatever is done to a log, the audit and `fakekafka check` report the same, and both report what was done."""

from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest
from fakekafka import FakeKafka, ManualClock
from fakekafka.binary import crc32, crc32c
from fakekafka.inspection.directory_check import check_directory
from fakekafka.log import names
from fakekafka.log.check import LEFT_OVER
from fakekafka.log.check_root import MARKS
from fakekafka.log.findings import FindingKind as Kind
from fakekafka.records import message, v2
from fakekafka.records.compression import compress, decompress
from fakekafka.records.lz4_frames import HeaderChecksum
from fakekafka.records.scan import units_in_file
from fakekafka_spark.parse import format2, messages

from tests.golden.transcript import releases_with_data
from tests.pipeline.logs import recorded
from tests.pipeline.soundness.sound_logs import ALL, write_any, write_log
from tests.support.rows_without_spark import audit_rows

SMALL_PARTS = {"splitBytes": "150"}


def by_check(path: Path) -> set[tuple[str, str]]:
    """File and kind of each finding."""
    return {(str(one.directory / one.finding.file), one.finding.kind) for one in check_directory(path)}


def by_audit(path: Path, options: dict[str, str] | None = None) -> set[tuple[str, str]]:
    """File and kind of each finding. Every segment has a row, whatever is in it."""
    rows = list(audit_rows(path, options))
    segments = [Path(row.directory, names.of_offset(row.segment, names.LOG)) for row in rows if row.segment is not None]
    assert sorted(segments) == sorted(path.rglob(f"*{names.LOG}"))
    return {(f"{row.directory}/{finding.file}", finding.kind) for row in rows for finding in row.findings}


def both(path: Path) -> set[str]:
    """The kinds that both find."""
    found = by_check(path)
    assert by_audit(path, SMALL_PARTS) == found
    return {kind for _, kind in found}


@pytest.mark.parametrize("kind", ALL)
def test_sound_logs_are_sound(tmp_path: Path, kind: str) -> None:
    write_any(tmp_path / "t-0", kind)
    assert both(tmp_path) == set()
    assert by_audit(tmp_path) == set()


@pytest.mark.parametrize("release", releases_with_data())
def test_logs_of_real_brokers_get_the_same_answer(tmp_path: Path, release: str) -> None:
    recorded(release, tmp_path)
    assert both(tmp_path) <= {"leftover .deleted"}


def flipped(data: bytes, at: int, bit: int = 1) -> bytes:
    return data[:at] + bytes([data[at] ^ bit]) + data[at + 1 :]


@pytest.mark.parametrize("kind", ALL)
def test_every_byte_of_a_log_matters_to_both_alike(tmp_path: Path, kind: str) -> None:
    """The bytes are in the middle segment. Changes in what no checksum covers, such as some leader epochs, cannot be
    seen.
    """
    write_any(tmp_path / "t-0", kind)
    log = sorted((tmp_path / "t-0").glob("*.log"))[1]
    sound = log.read_bytes()
    unit = next(iter(units_in_file(sound)))
    covered = unit.position + (v2.ATTRIBUTES_AT if unit.magic == 2 else message.MAGIC_AT)
    for at in range(min(len(sound), 2 * unit.size)):
        log.write_bytes(flipped(sound, at, 1 << at % 8))
        kinds = both(tmp_path)
        assert kinds or not covered <= at < unit.size, at


@pytest.mark.parametrize("kind", ["1 plain", "2 lz4", "transactions 3.9"])
@pytest.mark.parametrize("suffix", [".index", ".timeindex", ".txnindex", ".snapshot", "checkpoint"])
def test_every_byte_of_a_small_file_matters_to_both_alike(tmp_path: Path, kind: str, suffix: str) -> None:
    write_any(tmp_path / "t-0", kind)
    for path in sorted((tmp_path / "t-0").glob(f"*{suffix}"))[:2]:
        sound = path.read_bytes()
        for at in range(len(sound)):
            path.write_bytes(flipped(sound, at, 1 << at % 8))
            assert both(tmp_path) or suffix not in (".txnindex", ".snapshot")
        path.write_bytes(sound)


def repaired(unit: bytearray) -> bytes:
    """The unit with the checksum of its present content."""
    if unit[16] == 2:
        unit[v2.CRC_AT : v2.CRC_AT + 4] = crc32c(bytes(unit[v2.ATTRIBUTES_AT :])).to_bytes(4, "big")
    else:
        unit[message.CRC_AT : message.CRC_AT + 4] = crc32(bytes(unit[message.MAGIC_AT :])).to_bytes(4, "big")
    return bytes(unit)


@pytest.mark.parametrize("kind", ALL)
def test_bytes_changed_under_a_right_checksum_get_the_same_answer(tmp_path: Path, kind: str) -> None:
    write_any(tmp_path / "t-0", kind)
    log = sorted((tmp_path / "t-0").glob("*.log"))[1]
    sound = log.read_bytes()
    unit = next(iter(units_in_file(sound)))
    for at in range(16, unit.size):
        changed = repaired(bytearray(flipped(sound[: unit.size], at, 1 << at % 8)))
        log.write_bytes(changed + sound[unit.size :])
        both(tmp_path)


def wrong_header(field: int, value: int, size: int = 4) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        log = sorted(folder.glob("*.log"))[1]
        data = bytearray(log.read_bytes())
        unit = next(iter(units_in_file(bytes(data))))
        data[field : field + size] = value.to_bytes(size, "big", signed=True)
        data[: unit.size] = repaired(data[: unit.size])
        log.write_bytes(data)

    return change


def to_segment(number: int, change: Callable[[bytes], bytes], suffix: str = ".log") -> Callable[[Path], None]:
    def changes(folder: Path) -> None:
        path = sorted(folder.glob(f"*{suffix}"))[number]
        path.write_bytes(change(path.read_bytes()))

    return changes


def without(number: int, *suffixes: str) -> Callable[[Path], None]:
    def changes(folder: Path) -> None:
        stem = sorted(folder.glob("*.log"))[number].stem
        for suffix in suffixes:
            (folder / f"{stem}{suffix}").unlink(missing_ok=True)

    return changes


def wrong_topic_id(folder: Path) -> None:
    folder.joinpath("partition.metadata").write_text("x")


def swapped(folder: Path) -> None:
    first, second, *_ = sorted(folder.glob("*.log"))
    one, other = first.read_bytes(), second.read_bytes()
    first.write_bytes(other)
    second.write_bytes(one)


def overlapping(folder: Path) -> None:
    """Put the third segment's units into the second segment, too."""
    second, third = sorted(folder.glob("*.log"))[1:3]
    second.write_bytes(second.read_bytes() + third.read_bytes())


def stray_snapshot(folder: Path) -> None:
    one = next(folder.glob("*.snapshot"))
    one.rename(folder / names.of_offset(99, names.SNAPSHOT))


EVERY_FILE = (".log", ".index", ".timeindex", ".txnindex", ".snapshot")

DAMAGE: dict[str, tuple[Callable[[Path], None], set[str]]] = {
    "a middle segment of no bytes": (to_segment(1, lambda _: b""), {"gap"}),
    "a middle segment of five bytes": (to_segment(1, lambda data: data[:5]), {"torn", "gap"}),
    "a middle segment of zeros": (to_segment(1, lambda data: bytes(len(data))), {"preallocated", "gap"}),
    "a middle segment of garbage": (to_segment(1, lambda data: b"\xa5" * len(data)), {"gap"}),
    "garbage behind the newest segment": (to_segment(-1, lambda data: data + b"\xa5" * 300), {"broken unit"}),
    "zeros behind the newest segment": (to_segment(-1, lambda data: data + bytes(300)), {"preallocated"}),
    "a torn newest segment": (to_segment(-1, lambda data: data[:-3]), {"torn"}),
    "a middle segment that is gone": (without(1, *EVERY_FILE), {"gap"}),
    "a middle log that is gone": (without(1, ".log"), {"gap", "orphan"}),
    "a segment that reaches into the next": (overlapping, {"overlap"}),
    "an index that is gone": (without(1, ".index"), {"index"}),
    "two segments swapped": (swapped, {"offset order"}),
    "a segment twice": (to_segment(1, lambda data: data + data), {"offset order"}),
    "an index of odd size": (to_segment(1, lambda data: data + b"\1", ".index"), {"index"}),
    "an index in disorder": (to_segment(1, lambda data: data[8:16] + data[:8], ".index"), {"index"}),
    "an index twice": (to_segment(1, lambda data: data + data, ".index"), {"index"}),
    "a time index of odd size": (to_segment(1, lambda data: data + b"\1", ".timeindex"), {"timeindex"}),
    "a time index in disorder": (to_segment(1, lambda data: data[12:24] + data[:12], ".timeindex"), {"timeindex"}),
    "a time index twice": (to_segment(1, lambda data: data + data, ".timeindex"), {"timeindex"}),
    "a time index of zeros": (to_segment(1, lambda data: bytes(len(data)), ".timeindex"), {"timeindex"}),
    "a time index that ends too early": (to_segment(1, lambda data: data[:-12], ".timeindex"), {"timeindex"}),
    "a time index that is too young": (to_segment(1, lambda data: data[:-12] + flipped(data[-12:], 4), ".timeindex"),
        {"timeindex"}),
    "an index of zeros": (to_segment(1, lambda data: bytes(len(data)), ".index"), {"index"}),
    "an index with room for more": (to_segment(1, lambda data: data + bytes(64), ".index"), {"index"}),
    "a time index that is gone": (without(1, ".timeindex"), {"timeindex"}),
    "a snapshot behind the end": (stray_snapshot, {"snapshot"}),
    "epochs that cannot be": (to_segment(0, lambda _: b"0\n2\n3 0\n1 2\n", "epoch-checkpoint"), {"epochs"}),
    "an epoch below zero": (to_segment(0, lambda _: b"0\n1\n-3 0\n", "epoch-checkpoint"), {"epochs"}),
    "a file that the cleaner left": (lambda folder: (folder / f"{'0' * 20}.log.swap").touch(), {"leftover .swap"}),
    "a topic id that cannot be": (wrong_topic_id, {"partition.metadata"}),
    "a negative last offset delta": (wrong_header(v2.LAST_OFFSET_DELTA_AT, -3), {"records"}),
    "a count that is too high": (wrong_header(57, 5_000_000), {"records"}),
    "a negative count": (wrong_header(57, -1), {"records"}),
    "a count that is too low": (wrong_header(57, 1), {"records"}),
}  # fmt: skip


@pytest.mark.parametrize("damage", DAMAGE)
def test_what_was_done_is_found_by_both(tmp_path: Path, damage: str) -> None:
    change, expected = DAMAGE[damage]
    write_log(tmp_path / "t-0", "2 plain")
    change(tmp_path / "t-0")
    assert expected <= both(tmp_path)


WHOLE_SEGMENTS = [damage for damage in DAMAGE if "segment" in damage or damage == "a middle log that is gone"]


@pytest.mark.parametrize("damage", WHOLE_SEGMENTS)
@pytest.mark.parametrize("kind", ALL)
def test_segments_that_were_emptied_swapped_doubled_or_removed_are_found_by_both(
    tmp_path: Path, kind: str, damage: str
) -> None:
    change, expected = DAMAGE[damage]
    write_any(tmp_path / "t-0", kind)
    change(tmp_path / "t-0")
    assert expected <= both(tmp_path)


UNITS: dict[str, tuple[Callable[[list[bytes]], list[bytes]], set[str]]] = {
    "swapped": (lambda units: [units[1], units[0], *units[2:]], {"offset order"}),
    "doubled": (lambda units: [units[0], *units], {"offset order"}),
    "left out": (lambda units: [units[0], *units[2:]], set()),
    "at the end again": (lambda units: [*units, units[0]], {"offset order"}),
}


@pytest.mark.parametrize("change", UNITS)
@pytest.mark.parametrize("kind", ALL)
def test_units_that_were_swapped_doubled_or_left_out_are_found_by_both(tmp_path: Path, kind: str, change: str) -> None:
    """A unit that is left out looks like the work of a log cleaner, but the index still points at its place."""
    write_any(tmp_path / "t-0", kind)
    log = sorted((tmp_path / "t-0").glob("*.log"))[1]
    data = log.read_bytes()
    units = [data[unit.position : unit.position + unit.size] for unit in units_in_file(data)]
    how, expected = UNITS[change]
    log.write_bytes(b"".join(how(units)))
    assert (expected or {"index"}) <= both(tmp_path)


def without_any_log(folder: Path) -> None:
    write_log(folder.parent / "u-0", "2 plain")
    for log in folder.glob("*.log"):
        log.unlink()


def with_files(*files: str, content: bytes = b"") -> Callable[[Path], None]:
    def changes(folder: Path) -> None:
        for file in files:
            path = folder.parent / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)

    return changes


def of_another_topic(folder: Path) -> None:
    with FakeKafka("2.8", log_dir=folder.parent, clock=ManualClock(), topics={"u": 1}).boot() as kafka:
        kafka.send("u", b"value")
    folder.rename(folder.parent / "aside-0")
    said = folder.parent / "u-0" / names.PARTITION_METADATA
    said.write_text("version: 0\ntopic_id: AAAAAAAAAAAAAAAAAAAAAQ", "utf-8")


MORE: dict[str, tuple[Callable[[Path], None], set[str]]] = {
    "a partition without any log": (without_any_log, {Kind.ORPHAN}),
    "a wrong checksum": (to_segment(1, lambda data: flipped(data, len(data) - 1)), {Kind.CHECKSUM}),
    "left-over files": (with_files(*(f"t-0/{names.of_offset(9, names.LOG)}{mark}" for mark in LEFT_OVER)),
        {Kind.LEFT_OVER_CLEANED, Kind.LEFT_OVER_DELETED, Kind.LEFT_OVER_SWAP, Kind.LEFT_OVER_TMP}),
    "directories that wait": (with_files(names.META_PROPERTIES, *(f"t-9.{'0' * 32}{mark}/x" for mark in MARKS)),
        {Kind.LEFT_OVER_DELETE, Kind.LEFT_OVER_FUTURE, Kind.LEFT_OVER_STRAY}),
    "a newest segment that is gone, as a checkpoint tells": (
        with_files(names.HIGH_WATERMARKS, content=b"0\n1\nt 0 28\n"), {Kind.GAP}),
    "a partition that is gone, as a checkpoint tells": (
        with_files(names.RECOVERY_POINTS, content=b"0\n1\nu 0 3\n"), {Kind.CHECKPOINT}),
    "a checkpoint of which a line is broken": (
        with_files(names.CLEANER_OFFSETS, content=b"0\n2\nt 0 99\nt x 1\n"), {Kind.CHECKPOINT}),
    "strangers": (with_files(names.RECOVERY_POINTS, "notes/x", content=b"7\n"),
        {Kind.CHECKPOINT, Kind.UNKNOWN_DIRECTORY}),
    "a broken file of ours": (with_files(names.CLUSTER_FILE), {Kind.CLUSTER_FILE}),
    "another topic's directory": (of_another_topic, {Kind.TOPIC_ID}),
}  # fmt: skip


@pytest.mark.parametrize("damage", MORE)
def test_files_that_lie_beside_logs_are_found_by_both(tmp_path: Path, damage: str) -> None:
    change, expected = MORE[damage]
    write_log(tmp_path / "t-0", "2 plain")
    change(tmp_path / "t-0")
    assert expected <= both(tmp_path)


def test_every_kind_of_finding_has_been_made_by_both() -> None:
    made = {kind for _, kinds in (*DAMAGE.values(), *MORE.values()) for kind in kinds}
    assert made | {Kind.TRANSACTION_INDEX} == set(Kind)


CHANGES: dict[str, Callable[[bytes], bytes]] = {
    "as it was": bytes,
    "empty": lambda _: b"",
    "cut": lambda data: data[:-3],
    "zeros": lambda data: bytes(len(data)),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_transaction_indexes_must_say_what_the_markers_say(tmp_path: Path, change: Callable[[bytes], bytes]) -> None:
    write_any(tmp_path / "t-0", "transactions 2.3")
    for number in range(3):
        path = sorted((tmp_path / "t-0").glob("*.txnindex"))[number]
        sound = path.read_bytes()
        path.write_bytes(change(sound))
        assert both(tmp_path) == (set() if path.read_bytes() == sound else {"txnindex"})
        path.unlink()
        assert both(tmp_path) == {"txnindex"}
        path.write_bytes(sound)


def test_a_log_with_holes_may_have_gaps(tmp_path: Path) -> None:
    """The gaps are as compaction leaves them; where nothing else shows it, the cleaner's checkpoint does."""
    write_log(tmp_path / "t-0", "2 plain")
    without(1, *EVERY_FILE)(tmp_path / "t-0")
    assert both(tmp_path) == {"gap"}
    (tmp_path / names.CLEANER_OFFSETS).write_text("0\n1\nt 0 27\n", "utf-8")
    assert both(tmp_path) == set()


def test_checkpoints_and_foreign_files_of_a_log_directory_are_reported(tmp_path: Path) -> None:
    write_log(tmp_path / "t-0", "2 plain")
    (tmp_path / names.RECOVERY_POINTS).write_text("0\n7\n", "utf-8")
    (tmp_path / "notes").mkdir()
    (tmp_path / f"t-1.{'0' * 32}-delete").mkdir()
    assert both(tmp_path) == {"checkpoint", "unknown directory", "leftover -delete"}


def mutants(data: bytes, chance: Random) -> Iterator[bytes]:
    """The data cut, with a flipped bit, with a part left out, doubled, or replaced by zeros."""
    start, end = sorted(chance.randrange(len(data) + 1) for _ in "ab")
    yield data[:start]
    yield flipped(data, min(start, len(data) - 1), 1 << chance.randrange(8))
    yield data[:start] + data[end:]
    yield data[:end] + data[start:]
    yield data[:start] + bytes(end - start) + data[end:]


@pytest.mark.parametrize("kind", ALL)
def test_random_damage_of_any_file_gets_the_same_answer(tmp_path: Path, kind: str) -> None:
    write_any(tmp_path / "t-0", kind)
    chance = Random(kind)
    files = [path for path in sorted((tmp_path / "t-0").iterdir()) if path.stat().st_size]
    for path in files:
        sound = path.read_bytes()
        for mutant in mutants(sound, chance):
            path.write_bytes(mutant)
            both(tmp_path)
        path.write_bytes(sound)


@pytest.mark.parametrize("kind", ["0 gzip", "1 snappy", "2 plain", "2 zstd"])
def test_units_that_come_in_several_groups_get_the_same_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """Units that inflate to very many records come in several groups."""
    for module in (format2, messages):
        monkeypatch.setattr(module, "GROUP_RECORDS", 2)
        monkeypatch.setattr(module, "SLICE_RECORDS", 2)
    write_log(tmp_path / "t-0", kind, segments=1, units=2, each=7)
    assert both(tmp_path) == set()
    (log,) = (tmp_path / "t-0").glob("*.log")
    sound = log.read_bytes()
    unit = next(iter(units_in_file(sound)))
    for changed in changed_inside(sound[: unit.size]):
        log.write_bytes(changed + sound[unit.size :])
        both(tmp_path)


def changed_inside(unit: bytes) -> Iterator[bytes]:
    """The unit with each byte of its records changed, compressed again, under a right checksum."""
    start = v2.HEADER_BYTES if unit[16] == 2 else message.MIN_UNIT + 8 * unit[16]
    codec = unit[22 if unit[16] == 2 else 17] & 7
    records = decompress(codec, unit[start:], lz4_checksum=HeaderChecksum.IGNORED)
    for at in range(len(records)):
        stream = compress(codec, flipped(records, at, 1 << at % 4))
        made = bytearray(unit[:start] + stream)
        made[8:12] = (len(made) - 12).to_bytes(4, "big")
        if unit[16] != 2:
            made[start - 4 : start] = len(stream).to_bytes(4, "big")
        yield repaired(made)
