"""Files of segments that are no longer part of a log, and when they are deleted (Log.deleteSegmentFiles).

Nearly all releases rename them to `.deleted` at once and delete them after `file.delete.delay.ms`. The producer
snapshot at a segment's base goes with it from 2.8 on. The next start deletes what a stop leaves behind.
"""

from collections.abc import Iterable
from typing import NamedTuple, assert_never

from fakekafka.ids import DurationMs, Offset, TimestampMs
from fakekafka.log import names
from fakekafka.log.files import Directory
from fakekafka.log.segment import Segment
from fakekafka.releases.behaviours.log import LogBehaviour


class Removal(NamedTuple):
    """Files to delete at a later time."""

    due_ms: TimestampMs
    files: tuple[str, ...]


class Removals:
    """The files of one log that are still to be deleted."""

    __slots__ = ("_directory", "_new", "_pending", "_rules")

    def __init__(self, directory: Directory, rules: LogBehaviour) -> None:
        self._directory = directory
        self._rules = rules
        self._pending: tuple[Removal, ...] = ()
        self._new: tuple[TimestampMs, ...] = ()

    def announce(self) -> tuple[TimestampMs, ...]:
        """When the files are due that were discarded since the last call."""
        new, self._new = self._new, ()
        return new

    def discard(
        self, segments: Iterable[Segment], now: TimestampMs, delay_ms: DurationMs, replaced_at: Offset | None = None
    ) -> None:
        """These segments have left their log: their files go, now or after `delay_ms`.

        `replaced_at`: where another segment begins in their place; the producer snapshot of that offset stays.
        """
        files: list[str] = []
        for segment in segments:
            if self._rules.segment_deletion == "marked":
                segment.rename(names.DELETED)
            files += segment.file_names()
            if segment.base_offset != replaced_at:
                files += self._snapshot_of(segment.base_offset)
        if self._rules.segment_deletion == "at once":
            self.delete(files)
        elif files:
            self._pending += (Removal(now + delay_ms, tuple(files)),)
            self._new += (now + delay_ms,)

    def delete_due(self, now: TimestampMs) -> None:
        """Delete the files whose time has come."""
        for removal in self._pending:
            if removal.due_ms <= now:
                self.delete(removal.files)
        self._pending = tuple(removal for removal in self._pending if removal.due_ms > now)

    def delete(self, files: Iterable[str]) -> None:
        """Delete files now. Missing files were never created."""
        for name in files:
            self._directory.delete(name)

    def _snapshot_of(self, base: Offset) -> list[str]:
        """The name under which the producer snapshot of a segment is to be deleted, if it goes with its segment."""
        name = names.of_offset(base, names.SNAPSHOT)
        match self._rules.snapshot_cleanup:
            case "segment":
                return [name]
            case "segment, marked":
                if not self._directory.exists(name):
                    return []
                self._directory.rename(name, name + names.DELETED)
                return [name + names.DELETED]
            case "flush" | "checkpoint":
                return []
            case rule:
                assert_never(rule)
