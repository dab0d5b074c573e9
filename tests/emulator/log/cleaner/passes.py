"""A log in memory with records by key, and passes of the cleaner over it."""

from collections.abc import Sequence
from typing import NamedTuple

from fakekafka.errors import ErrorCode
from fakekafka.log.check import check
from fakekafka.log.cleaner.cleanable import Cleanable, cleanable
from fakekafka.log.cleaner.compaction import CleanerPass, CleanerSettings, clean
from fakekafka.log.config import LogConfig
from fakekafka.log.memory_files import MemoryDirectory
from fakekafka.log.partition_log import PartitionLog
from fakekafka.records import v0, v1, v2
from fakekafka.records.batch import Batch
from fakekafka.records.record import Record
from fakekafka.releases.behaviours.behaviour import resolve
from fakekafka.releases.behaviours.cleaner import CleanerBehaviour
from fakekafka.releases.release import Release

from tests.emulator.log.batches import Set, marker, rules, with_info

NOW = 1_000_000
Key = bytes | None
Value = bytes | None


def cleaner_rules(release: str) -> CleanerBehaviour:
    named = Release.parse(release)
    return resolve(CleanerBehaviour, named, named.default_mode)


class Stored(NamedTuple):
    """A record in the log."""

    offset: int
    key: Key
    value: Value


class Cleaned:
    """A log of `release` with one cleaner."""

    def __init__(
        self,
        release: str,
        magic: int = 2,
        config: LogConfig | None = None,
        settings: CleanerSettings | None = None,
    ) -> None:
        self.rules, self.log_rules = cleaner_rules(release), rules(release)
        self.settings = settings or CleanerSettings()
        self.magic = magic
        self.now = NOW
        self.directory = MemoryDirectory()
        plain = config or LogConfig()
        self.config = plain._replace(message_format=magic, compact=True, min_cleanable_ratio=0.0)
        self.log = PartitionLog.open(self.directory, self.log_rules, self.config, self.now)
        self.dirty_from: int | None = None

    # ---- filling

    def append(
        self, *records: tuple[Key, Value], codec: int = 0, producer: int = -1, transactional: bool = False
    ) -> None:
        """Append one unit, or one message for each record."""
        at = self.log.log_end_offset
        made = [Record(at + n, self.now, 0, key, value) for n, (key, value) in enumerate(records)]
        if self.magic < 2:
            build = (v0.build, v1.build)[self.magic]
            for one in [made] if codec else [[record] for record in made]:
                self._append(with_info(build(one, codec=codec)))
            return
        known = self.log.producers.producers.get(producer)
        sequence = -1 if producer < 0 else 0 if known is None else known.last_sequence + 1
        epoch = -1 if producer < 0 else 0
        self._append(
            with_info(
                v2.build(
                    made,
                    codec=codec,
                    producer_id=producer,
                    producer_epoch=epoch,
                    base_sequence=sequence,
                    transactional=transactional,
                    leader_epoch=0,
                )
            )
        )

    def mark(self, producer: int, *, commit: bool) -> None:
        """Append the marker that ends a transaction."""
        self._append(marker(self.log.log_end_offset, producer, self.now, commit=commit))

    def _append(self, unit: Set) -> None:
        assert self.log.append(*unit, self.now).error is ErrorCode.NONE
        self.log.on_high_watermark(self.log.log_end_offset)

    def roll(self) -> None:
        self.log.roll(self.now)

    # ---- cleaning

    def found(self, high_watermark: int | None = None) -> Cleanable:
        end = self.log.log_end_offset if high_watermark is None else high_watermark
        return cleanable(self.log, self.dirty_from, end, self.rules, self.now)

    def clean(self) -> int:
        """Run one pass; return where the dirty part begins now. The directory must be sound."""
        place = CleanerPass(self.log, self.rules, self.log_rules, self.log.log_end_offset, self.now)
        self.dirty_from = clean(place, self.found(), self.settings)
        assert check(self.directory, compacted_to=self.log.log_end_offset) == []
        return self.dirty_from

    # ---- reading

    @property
    def batches(self) -> list[Batch]:
        return [batch for segment in self.log.segments for batch in segment.batches()]

    @property
    def records(self) -> list[Stored]:
        return [Stored(r.offset, r.key, r.value) for b in self.batches if not b.is_control for r in b.records()]

    @property
    def offsets(self) -> Sequence[int]:
        return [record.offset for record in self.records]

    @property
    def bases(self) -> list[int]:
        return [segment.base_offset for segment in self.log.segments]
