"""Sound logs of every format, with every file that a log may have, as logs of several releases write them."""

from pathlib import Path

from fakekafka.log.config import LogConfig
from fakekafka.log.files import DiskDirectory
from fakekafka.log.partition_log import PartitionLog

from tests.emulator.log.batches import messages, rules
from tests.pipeline.transactions import FIRST_MS, write_transactions

KINDS = {
    "0 plain": ("0.8.2", 0, 0),
    "0 gzip": ("0.9.0", 0, 1),
    "1 plain": ("0.10.2", 1, 0),
    "1 snappy": ("0.10.2", 1, 2),
    "2 plain": ("2.3", 2, 0),
    "2 lz4": ("2.8", 2, 3),
    "2 zstd": ("4.3", 2, 4),
}
"""Release, format and codec."""


def write_log(folder: Path, kind: str, segments: int = 3, units: int = 3, each: int = 3) -> None:
    """Segments of some units, with indexes that have an entry for nearly every unit."""
    release, magic, codec = KINDS[kind]
    folder.mkdir(parents=True)
    log = PartitionLog.open(DiskDirectory(folder), rules(release), LogConfig(index_interval_bytes=0), FIRST_MS)
    log.become_leader(0)
    end = 0
    for segment in range(segments):
        if segment:
            log.roll(FIRST_MS)
        for _ in range(units):
            times = [FIRST_MS + 1000 * (end + n) for n in range(each)]
            made = messages(magic, end, *times, value=b"value", codec=codec)
            assert log.append(*made, FIRST_MS).error == 0
            end = made[1].last_offset + 1
    log.close(FIRST_MS)


def write_any(folder: Path, kind: str) -> None:
    """Write a log of that kind; "transactions" is followed by a release."""
    if kind.startswith("transactions"):
        write_transactions(folder, kind.partition(" ")[2], rounds=2)
    else:
        write_log(folder, kind)


ALL = (*KINDS, "transactions 0.11.0", "transactions 3.9")
