"""What changes in a log while it grows, batch by batch: its format, its codec, its clocks, its soundness.

    damage             bytes that are not a batch, or a wrong checksum
    format, codec      one that this partition has not had since the watch began
    timestamp type     the broker stamps records now, or no longer does
    timestamps back    a run of batches that are much older than the newest before them
    timestamps ahead   a run of batches that are too far ahead of the watching machine's clock
    epoch              a leader epoch below the one before: the logs of two leaders were mixed

Of a run, only the first batch is reported. What is remembered of a partition has the size of a line.
"""

import json
from collections.abc import Iterable, Iterator
from typing import NamedTuple, Self, TypeVar

from fakekafka.ids import NO_EPOCH, LeaderEpoch, Offset, Position, TimestampMs

HOUR_MS = 3_600_000

T = TypeVar("T")


class Batch(NamedTuple):
    """What is known about a batch, or about bytes that are not one."""

    segment: Offset
    position: Position
    last_offset: Offset | None
    magic: int | None
    codec: str | None
    timestamp_type: int | None
    max_timestamp: TimestampMs | None
    epoch: LeaderEpoch | None
    damage: str | None


class Limits(NamedTuple):
    """How far timestamps may stray."""

    back_ms: int = HOUR_MS
    ahead_ms: int = HOUR_MS


class Alert(NamedTuple):
    """Something has changed."""

    segment: Offset
    position: Position
    offset: Offset | None
    """The batch's last one."""
    kind: str
    before: str
    now: str


class Known(NamedTuple):
    """What has been seen of a partition."""

    formats: tuple[int, ...] = ()
    codecs: tuple[str, ...] = ()
    timestamp_type: int | None = None
    youngest: TimestampMs = -1
    """The latest timestamp that was not ahead of the clock."""
    epoch: LeaderEpoch = NO_EPOCH
    is_back: bool = False
    is_ahead: bool = False

    @classmethod
    def parsed(cls, text: str) -> Self:
        """Read what `as_text` has written."""
        formats, codecs, *others = json.loads(text)
        return cls(tuple(formats), tuple(codecs), *others)

    def as_text(self) -> str:
        return json.dumps(self)


class Watch:
    """Goes through the batches of one partition, in the order of the log."""

    def __init__(self, known: Known, limits: Limits, now: TimestampMs) -> None:
        self.known = known
        self._limits = limits
        self._now = now

    def alerts(self, batches: Iterable[Batch]) -> Iterator[Alert]:
        """What changes with these batches; `known` is brought up to date."""
        for batch in batches:
            for kind, before, now in self._changes(batch):
                yield Alert(batch.segment, batch.position, batch.last_offset, kind, before, now)

    def _changes(self, batch: Batch) -> Iterator[tuple[str, str, str]]:
        if batch.damage is not None:
            yield "damage", "", batch.damage
            return
        known = self.known
        assert batch.magic is not None
        assert batch.codec is not None
        if known.formats and batch.magic not in known.formats:
            yield "format", _words(known.formats), str(batch.magic)
        if known.codecs and batch.codec not in known.codecs:
            yield "codec", _words(known.codecs), batch.codec
        if known.timestamp_type not in (None, batch.timestamp_type) and batch.magic in known.formats:
            yield "timestamp type", str(known.timestamp_type), str(batch.timestamp_type)
        if batch.epoch is not None and NO_EPOCH < batch.epoch < known.epoch:
            yield "epoch", str(known.epoch), str(batch.epoch)
        is_ahead, is_back = self._strays(batch)
        if is_ahead and not known.is_ahead:
            yield "timestamps ahead", str(self._now), str(batch.max_timestamp)
        if is_back and not known.is_back:
            yield "timestamps back", str(known.youngest), str(batch.max_timestamp)
        self.known = Known(
            _with(known.formats, batch.magic), _with(known.codecs, batch.codec), batch.timestamp_type,
            known.youngest if is_ahead else max(known.youngest, batch.max_timestamp or -1),
            max(known.epoch, NO_EPOCH if batch.epoch is None else batch.epoch), is_back, is_ahead,
        )  # fmt: skip

    def _strays(self, batch: Batch) -> tuple[bool, bool]:
        """Whether the batch's timestamps are ahead of the clock, and whether they are far behind those before it."""
        timestamp = batch.max_timestamp
        if timestamp is None or timestamp < 0:
            return self.known.is_ahead, self.known.is_back
        return timestamp > self._now + self._limits.ahead_ms, timestamp < self.known.youngest - self._limits.back_ms


def _with(some: tuple[T, ...], one: T) -> tuple[T, ...]:
    return some if one in some else (*some, one)


def _words(some: Iterable[object]) -> str:
    return ", ".join(map(str, some))
