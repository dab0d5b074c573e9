"""Random logs, with everything that a conversion may lose, and an account of what was written."""

from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from fakekafka.ids import Offset, ProducerId
from fakekafka.log.config import LogConfig
from fakekafka.log.files import DiskDirectory
from fakekafka.log.partition_log import PartitionLog
from fakekafka.records import v2
from fakekafka.records.record import Record

from tests.emulator.log.batches import Set, marker, messages, rules, with_info
from tests.pipeline.transactions import FIRST_MS

TRANSACTIONAL, IDEMPOTENT = (1, 2, 3), (7, 8)
"""Ids of producers."""


@dataclass
class Written:
    """A record, and what became of it."""

    offset: Offset
    has_headers: bool
    has_timestamp: bool
    has_producer: bool
    fate: str = "committed"
    """"committed", "aborted" or "open"."""


@dataclass
class Account:
    """What is in a log."""

    records: list[Written] = field(default_factory=list)
    markers: int = 0
    end: Offset = 0

    @property
    def stable(self) -> Offset:
        """The last stable offset."""
        return min((one.offset for one in self.records if one.fate == "open"), default=self.end)

    def kept(self) -> list[Written]:
        """What readers of committed data get."""
        return [one for one in self.records if one.fate == "committed" and one.offset < self.stable]

    def aborted(self) -> int:
        return sum(one.fate == "aborted" and one.offset < self.stable for one in self.records)

    def undecided(self) -> int:
        return sum(one.offset >= self.stable for one in self.records)


class Writer:
    """Appends to a log at random."""

    def __init__(self, folder: Path, chance: Random) -> None:
        folder.mkdir(parents=True)
        self.account = Account()
        self._chance = chance
        self._log = PartitionLog.open(
            DiskDirectory(folder), rules("2.3"), LogConfig(index_interval_bytes=100), FIRST_MS
        )
        self._log.become_leader(0)
        self._open: dict[ProducerId, list[Written]] = {}
        self._sequences = dict.fromkeys(TRANSACTIONAL + IDEMPOTENT, 0)

    def write(self, steps: int) -> Account:
        """Write the log, close it, and return its account."""
        for old in range(self._chance.randrange(3)):
            self._append_old(old % 2)
        for _ in range(steps):
            self._chance.choice((*(self._plain, self._transactional) * 2, self._end, self._roll))()
        for some in self._open.values():
            for one in some:
                one.fate = "open"
        self._log.close(FIRST_MS)
        return self.account

    def _append_old(self, magic: int) -> None:
        """Append a set of a format older than the log's release: a wrapper, or plain messages."""
        number, first = self._chance.randrange(1, 4), self.account.end
        times = [FIRST_MS + first + n for n in range(number)]
        self._put(messages(magic, first, *times, codec=self._chance.choice((0, 1))))
        self.account.records += (Written(first + n, False, magic > 0, False) for n in range(number))

    def _plain(self) -> None:
        self._batch(self._chance.choice((-1, *IDEMPOTENT)))

    def _transactional(self) -> None:
        producer = self._chance.choice(TRANSACTIONAL)
        self._open.setdefault(producer, []).extend(self._batch(producer))

    def _end(self) -> None:
        if self._open:
            producer = self._chance.choice(sorted(self._open))
            commit = self._chance.random() < 0.5
            self._put(marker(self.account.end, producer, FIRST_MS, commit=commit))
            self.account.markers += 1
            for one in self._open.pop(producer):
                one.fate = "committed" if commit else "aborted"

    def _roll(self) -> None:
        self._log.roll(FIRST_MS)

    def _batch(self, producer: ProducerId) -> list[Written]:
        first, made = self.account.end, []
        headers = (("h", b"x"),) if self._chance.random() < 0.4 else ()
        time = FIRST_MS if self._chance.random() < 0.7 else -1
        for offset in range(first, first + self._chance.randrange(1, 5)):
            made.append(Record(offset, time, 0, b"key", b"value", headers))
        sequence = self._sequences.get(producer, -1)
        data = v2.build(
            made, codec=self._chance.choice((0, 1, 3)), leader_epoch=0, producer_id=producer,
            producer_epoch=-1 if producer < 0 else 0, base_sequence=sequence, transactional=producer in TRANSACTIONAL,
        )  # fmt: skip
        if producer >= 0:
            self._sequences[producer] += len(made)
        self._put(with_info(data))
        written = [Written(row.offset, bool(headers), time >= 0, producer >= 0) for row in made]
        self.account.records += written
        return written

    def _put(self, made: Set) -> None:
        assert self._log.append(*made, FIRST_MS).error == 0
        self.account.end = made[1].last_offset + 1


def write_random(folder: Path, chance: Random, steps: int = 25) -> Account:
    """Old messages, plain, idempotent and transactional batches, some with headers, some without timestamps."""
    return Writer(folder, chance).write(steps)
