"""Every byte of every file of a log directory, damaged: the broker starts as its release does, or says why not.

Kafka's formats 0, 1 and 2, after clean and unclean stops.
"""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from fakekafka import FakeKafka, FakeKafkaError, ManualClock

NOW: Final = 1_600_000_000_000
CONFIG: Final = {"log.index.size.max.bytes": 4096, "log.index.interval.bytes": 1, "offsets.topic.num.partitions": 1}
RELEASES: Final = ("0.8.2", "0.10.2", "3.9")
"""One for each message format."""
SHORT: Final = 400
"""How many bytes of a file are damaged: longer files are indexes, empty except for their beginning."""
PLACES: Final = (
    ".log",
    ".index",
    ".timeindex",
    ".snapshot",
    "meta.properties",
    "checkpoint",
    ".json",
    "t-0",
    "partition.metadata",
)
"""What refusals name."""
STEP: Final = 9
"""The distance between damaged bytes; each file begins with a different byte."""


def broker(release: str, directory: Path) -> FakeKafka:
    return FakeKafka(release, clock=ManualClock(NOW), log_dir=directory, config=CONFIG, topics={"t": 1})


def written(release: str, directory: Path, *, clean: bool) -> None:
    kafka = broker(release, directory).boot()
    for n in range(3):
        kafka.send("t", b"v", key=b"k", timestamp=NOW + n)
    kafka.stop(crash=not clean)


def damages(data: bytes, first: int, step: int) -> Iterator[bytes]:
    """A file with one byte flipped, and cut off in several places."""
    for at in range(first % step, min(len(data), SHORT), step):
        yield data[:at] + bytes([data[at] ^ 0xFF]) + data[at + 1 :]
    for size in {0, 1, len(data) // 3, len(data) // 2, max(0, len(data) - 1)}:
        yield data[:size]


def start(release: str, directory: Path) -> None:
    """Start, read and stop. A refusal has a reason; any other failure is a defect, and raised."""
    kafka, refusals = broker(release, directory), []
    try:
        kafka.boot()
        kafka.records("t")
    except FakeKafkaError as refused:
        refusals.append(str(refused))
    finally:
        kafka.stop()
    assert kafka.failures == ()
    assert [words for words in refusals if not names_a_place(words)] == []


def names_a_place(words: str) -> bool:
    """Whether a refusal says which file, or which of its fields, is wrong."""
    return any(place in words for place in PLACES)


def check_every_file(release: str, clean: bool, where: Path, step: int) -> int:
    """Damage each file of a directory in turn; return the number of starts."""
    whole, tried = where / "whole", 0
    written(release, whole, clean=clean)
    for number, file in enumerate(sorted(path for path in whole.rglob("*") if path.is_file())):
        for damaged in damages(file.read_bytes(), number, step):
            copy = where / str(tried)
            shutil.copytree(whole, copy)
            (copy / file.relative_to(whole)).write_bytes(damaged)
            start(release, copy)
            shutil.rmtree(copy)
            tried += 1
    return tried


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("clean", [True, False], ids=["clean", "unclean"])
@pytest.mark.parametrize("release", RELEASES)
def test_a_damaged_file_is_started_with_or_refused(release: str, clean: bool, tmp_path: Path) -> None:
    assert check_every_file(release, clean, tmp_path, STEP) > 50


def test_a_codec_that_does_not_exist_is_named(tmp_path: Path) -> None:
    """Byte 17 has the attributes of the first message; after a clean stop checksums are not verified."""
    written("0.9.0", tmp_path, clean=True)
    log = tmp_path / "t-0" / "00000000000000000000.log"
    data = log.read_bytes()
    log.write_bytes(data[:17] + b"\x07" + data[18:])
    kafka = broker("0.9.0", tmp_path).boot()
    with pytest.raises(FakeKafkaError, match=r"t-0 cannot be read: codec 7\. `fakekafka check` says"):
        kafka.records("t")
    kafka.stop()
