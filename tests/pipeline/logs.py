"""Log directories for the pipeline's tests: made from records or units, or recorded from real brokers."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from fakekafka.ids import NO_OFFSET
from fakekafka.log import names
from fakekafka.records import v2
from fakekafka.records.record import Record
from fakekafka.records.scan import Unit, view

from tests.golden.transcript import load_data_directory

FIRST_MS = 1_600_000_000_000


def records(number: int, start: int = 0, size: int = 20) -> list[Record]:
    """Plain records, a second apart."""
    return [
        Record(offset, FIRST_MS + 1000 * offset, 0, b"k%d" % (offset % 7), b"v%d" % offset * (size // 4 or 1))
        for offset in range(start, start + number)
    ]


def batches(count: int, each: int = 10, codec: int = 0, start: int = 0) -> list[bytes]:
    """Batches of format 2."""
    return [v2.build(records(each, start + each * n), codec=codec) for n in range(count)]


def write_segment(folder: Path, units: Iterable[bytes], base: int = 0, tail: bytes = b"") -> Path:
    """A segment without indexes."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / names.of_offset(base, names.LOG)
    path.write_bytes(b"".join(units) + tail)
    return path


def write_index(folder: Path, units: Sequence[bytes], every: int = 1, base: int = 0, padding: int = 0) -> Path:
    """An offset index with an entry for each `every`-th unit but the first: its last offset and position."""
    at, entries = 0, b""
    for number, unit in enumerate(units):
        if number and number % every == 0:
            last = view(unit, Unit(0, NO_OFFSET, len(unit), unit[16])).last_offset
            entries += (last - base).to_bytes(4, "big") + at.to_bytes(4, "big")
        at += len(unit)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / names.of_offset(base, names.OFFSET_INDEX)
    path.write_bytes(entries + b"\0" * padding)
    return path


def recorded(release: str, folder: Path) -> Mapping[str, Any]:
    """Put the data directory of a real broker into `folder`, and return what a consumer read from it, by partition."""
    directory = load_data_directory(release)
    for file in directory.files:
        path = folder / file.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(file.content)
    partitions: Mapping[str, Any] = directory.contents["partitions"]
    return partitions
