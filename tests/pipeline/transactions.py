"""A log with transactions, as fakekafka's own log of a release writes it: segments, indexes, snapshots, epochs."""

from pathlib import Path

from fakekafka.log.config import LogConfig
from fakekafka.log.files import DiskDirectory
from fakekafka.log.partition_log import PartitionLog

from tests.emulator.log.batches import Set, batch, marker, rules

RELEASES = ("0.11.0", "2.3", "3.9", "4.3")
FIRST_MS = 1_600_000_000_000


def write_transactions(folder: Path, release: str = "2.3", rounds: int = 4, *, open_at_end: bool = True) -> list[int]:
    """Write several segments, and return the offsets of the records that were committed.

    Each round has two interleaved transactions of two producers, one of which aborts; a transaction that reaches into
    the next segment; and a plain record.
    """
    folder.mkdir(parents=True)
    log = PartitionLog.open(DiskDirectory(folder), rules(release), LogConfig(index_interval_bytes=100), FIRST_MS)
    log.become_leader(0)
    end = 0
    committed: list[int] = []

    def put(made: Set) -> int:
        nonlocal end
        assert log.append(*made, FIRST_MS).error == 0
        first, end = end, made[1].last_offset + 1
        return first

    for n in range(rounds):
        times = [FIRST_MS + 1000 * end] * 3
        first = put(_data(end, times, 1, 6 * n))
        put(_data(end, times, 2, 6 * n))
        put(marker(end, 2, FIRST_MS, commit=False))
        committed += range(first, first + 3)
        first = put(_data(end, times, 1, 6 * n + 3))
        committed += range(first, first + 3)
        log.roll(FIRST_MS)
        put(marker(end, 1, FIRST_MS, commit=True))
        put(_data(end, times, 2, 6 * n + 3))
        committed.append(put(batch(end, FIRST_MS)))
        log.roll(FIRST_MS)
        put(marker(end, 2, FIRST_MS, commit=False))
    if open_at_end:
        put(_data(end, [FIRST_MS], 1, 6 * rounds))
    log.close(FIRST_MS)
    return committed


def _data(offset: int, times: list[int], producer: int, sequence: int) -> Set:
    return batch(offset, *times, producer=producer, sequence=sequence, transactional=True)
