"""A part of a segment, searched with vector operations for anything that is not plainly as it should be.

This finds no faults; it proves that there are none. A part in which anything is odd says so in `odd`, and then
`fakekafka.log.check_segment` reads the whole segment and says what is wrong, or that it was only unusual. So an audit
and `fakekafka check` cannot disagree about damage, as long as no odd part passes for plain; that is tested on
mutants of logs of every format.

What a part cannot know is what comes before it. It says what its neighbour needs (`first`, `last`, `first_key`), and
`joined` compares: so a segment of any size is checked by as many tasks as there are parts.
"""

from typing import NamedTuple

import numpy as np
from fakekafka.ids import Magic, Offset, Position, TimestampMs
from fakekafka.log.check_transactions import DATA, Event, Transactions, marker_of
from fakekafka.records.compression import CODEC_NAMES
from fakekafka.records.scan import Unit, view
from fakekafka.records.v2 import HEADER_BYTES

from fakekafka_spark.files.plan import exact
from fakekafka_spark.files.split import Split
from fakekafka_spark.files.storage import Storage
from fakekafka_spark.files.walk import walk
from fakekafka_spark.parse import format2, messages
from fakekafka_spark.parse.chunks import Fault, Longs
from fakekafka_spark.parse.spans import Flags, Records
from fakekafka_spark.parse.units import Units, crcs_ok
from fakekafka_spark.soundness.part_indexes import odd_indexes


class Contents(NamedTuple):
    """What is in a segment, or in a part of it."""

    bytes: int = 0
    units: int = 0
    records: int = 0
    first_offset: Offset | None = None
    last_offset: Offset | None = None
    formats: frozenset[Magic] = frozenset()
    codecs: frozenset[str] = frozenset()
    timestamp_disorder: int = 0
    """Units that are older than the one before."""
    bytes_converted_below_fetch_2: int = 0
    bytes_converted_below_fetch_4: int = 0
    bytes_refused_below_fetch_10: int = 0

    def __add__(self, other: "Contents") -> "Contents":  # type: ignore[override]
        """The contents of a part and the part after it."""
        firsts = [some for some in (self.first_offset, other.first_offset) if some is not None]
        lasts = [some for some in (self.last_offset, other.last_offset) if some is not None]
        return Contents(
            self.bytes + other.bytes, self.units + other.units, self.records + other.records,
            min(firsts, default=None), max(lasts, default=None), self.formats | other.formats,
            self.codecs | other.codecs, self.timestamp_disorder + other.timestamp_disorder,
            self.bytes_converted_below_fetch_2 + other.bytes_converted_below_fetch_2,
            self.bytes_converted_below_fetch_4 + other.bytes_converted_below_fetch_4,
            self.bytes_refused_below_fetch_10 + other.bytes_refused_below_fetch_10,
        )  # fmt: skip


class CheckedPart(NamedTuple):
    """What a part says about itself."""

    start: Position
    end: Position
    odd: str | None
    """Why the segment has to be read again; None: this part gives no reason."""
    contents: Contents
    first: Offset | None
    """The first offset of its first unit; None if there is no unit."""
    last: Offset | None
    first_key: Offset | None
    """The offset that the index names for the beginning of this part."""
    first_timestamp: TimestampMs
    last_timestamp: TimestampMs
    has_holes: bool
    events: tuple[Event, ...]
    highest_indexed: Offset | None
    """The highest offset in the indexes; told by the first part only."""


class _Columns:
    """What is remembered of all units of a part: 24 bytes for each."""

    def __init__(self) -> None:
        self.positions: list[Longs] = []
        self.lasts: list[Longs] = []
        self.timestamps: list[Longs] = []


def check_part(storage: Storage, rough: Split) -> CheckedPart | None:
    """Look through the units of a split, and at the index entries that have to do with them; None if it holds none."""
    split, check = exact(storage, rough), _PartCheck()
    if split is None:
        return None
    end = split.start
    for piece in walk(storage, split.segment, split.start, split.end):
        if isinstance(piece, Fault):
            check.odd = check.odd or piece.what
        else:
            check.add(piece)
            end = int(piece.positions[-1] + piece.chunk.sizes[-1])
    if end != split.end:
        check.odd = check.odd or f"{split.end - end} bytes that are not a unit"
    return check.result(storage, split)


class _PartCheck:
    """The walk through a part."""

    def __init__(self) -> None:
        self.odd: str | None = None
        self.contents = Contents()
        self.first: Offset | None = None
        self.last: Offset | None = None
        self.first_timestamp: TimestampMs = 0
        self.last_timestamp: TimestampMs | None = None
        self.has_holes = False
        self.transactions = Transactions()
        self.columns = _Columns()

    def add(self, units: Units) -> None:
        """The next units."""
        right = crcs_ok(units)
        right[list(units.faults)] = False
        if not right.all():
            self.odd = self.odd or "a checksum is wrong"
        firsts, records = self._inside(units, ~right)
        before = np.concatenate([[firsts[0] - 1 if self.last is None else self.last], units.last_offsets[:-1]])
        if (firsts <= before).any() or (units.last_offsets < firsts).any():
            self.odd = self.odd or "offsets are not in order"
        self.has_holes |= bool((firsts > before + 1).any())
        if units.magic == 2:
            self.has_holes |= bool((units.counts <= units.last_offsets - units.base_offsets).any())
            self._note_transactions(units)
        self._count(units, records, firsts)

    def _count(self, units: Units, records: int, firsts: Longs) -> None:
        sizes, magic = int(units.chunk.sizes.sum()), units.magic
        stamps = units.max_timestamps
        earlier = np.concatenate([stamps[:1] if self.last_timestamp is None else [self.last_timestamp], stamps[:-1]])
        zstd = int(units.chunk.sizes[units.codecs == CODEC_NAMES.index("zstd")].sum())
        self.contents += Contents(
            sizes, units.number, records, int(firsts.min()), int(units.last_offsets.max()), frozenset([magic]),
            frozenset(_codec(codec) for codec in np.unique(units.codecs).tolist()), int((stamps < earlier).sum()),
            sizes if magic >= 1 else 0, sizes if magic >= 2 else 0, zstd,
        )  # fmt: skip
        if self.first is None:
            self.first, self.first_timestamp = int(firsts[0]), int(stamps[0])
        self.last, self.last_timestamp = int(units.last_offsets[-1]), int(stamps[-1])
        self.columns.positions.append(units.positions)
        self.columns.lasts.append(units.last_offsets)
        self.columns.timestamps.append(stamps)

    def _inside(self, units: Units, skip: Flags) -> tuple[Longs, int]:
        """The first offset of each unit, and how many records could be read; notes what is odd within units."""
        firsts = np.where(units.base_offsets >= 0, units.base_offsets, units.last_offsets)
        if units.magic not in (0, 1, 2):
            return firsts, 0
        read, last = 0, (-1, -1)
        for group in (format2 if units.magic == 2 else messages).read(units, skip):
            if (group.left & ~skip[group.first : group.first + len(group.left)]).any():
                self.odd = self.odd or "records that a second look has to read"
            read += len(group.records.offsets)
            if len(group.records.offsets):
                last = self._compare(units, group.records, firsts, last)
            del group  # before the next one is made
        if units.magic == 2 and ((units.counts == 0) & (units.chunk.sizes != HEADER_BYTES)).any():
            self.odd = self.odd or "an empty batch that is not empty"
        return firsts, read

    def _compare(self, units: Units, records: Records, firsts: Longs, last: tuple[int, Offset]) -> tuple[int, Offset]:
        """Note whether offsets of records are not those of their units, and in `firsts` where wrappers begin.

        `last`: the unit and the offset of the record before these; those of their last one come back.
        """
        begins = np.flatnonzero(np.diff(records.units, prepend=last[0]))  # a large unit comes in several groups
        if units.magic != 2:
            firsts[records.units[begins]] = records.offsets[begins]
        rising = np.diff(records.offsets, prepend=last[1]) > 0
        rising[begins] = True  # others check between units
        low, high = firsts[records.units], units.last_offsets[records.units]
        if not rising.all() or (records.offsets < low).any() or (records.offsets > high).any():
            self.odd = self.odd or "records whose offsets are not those of their unit"
        return int(records.units[-1]), int(records.offsets[-1])

    def _note_transactions(self, units: Units) -> None:
        for number in np.flatnonzero(units.is_transactional).tolist():
            kind: int | None = DATA
            if units.is_control[number]:
                data, unsound = units.chunk.unit(number), number in units.faults
                kind = None if unsound else marker_of(view(data, Unit(0, 0, len(data), 2), units.chunk.dialect))
            self.transactions.note(int(units.base_offsets[number]), int(units.producer_ids[number]), kind)

    def result(self, storage: Storage, split: Split) -> CheckedPart:
        positions, lasts, timestamps = (
            np.concatenate(some) if some else np.empty(0, np.int64)
            for some in (self.columns.positions, self.columns.lasts, self.columns.timestamps)
        )
        odd, key, highest = odd_indexes(storage, split, positions, self.first, lasts, timestamps)
        return CheckedPart(
            split.start, split.end, self.odd or odd, self.contents, self.first, self.last, key, self.first_timestamp,
            self.first_timestamp if self.last_timestamp is None else self.last_timestamp, self.has_holes,
            tuple(self.transactions.events), highest,
        )  # fmt: skip


def _codec(number: int) -> str:
    return CODEC_NAMES[number] if number < len(CODEC_NAMES) else str(number)
