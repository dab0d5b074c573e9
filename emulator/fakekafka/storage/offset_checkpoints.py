"""What a broker writes down about its logs: up to where they are safe, where they begin, their high watermarks.

Every file covers all logs of its directory, those that the broker does not lead and promised ones included.
"""

from contextlib import contextmanager
from typing import TYPE_CHECKING, assert_never

from fakekafka.log import names

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Container, Iterator, Mapping

    from fakekafka.ids import Offset
    from fakekafka.log.partition_log import PartitionLog
    from fakekafka.storage.host import Host
    from fakekafka.storage.hosted_partitions import Key
    from fakekafka.storage.log_dirs import LogDir
    from fakekafka.storage.roots import Roots


class OffsetCheckpoints:
    """The checkpoints of `host`, at its `roots`. `made_logs`: the open logs, without those that are only promised."""

    def __init__(self, host: "Host", roots: "Roots", made_logs: "Callable[[], Mapping[Key, PartitionLog]]") -> None:
        self._host = host
        self._roots = roots
        self._made_logs = made_logs
        self._rules = host.profile.log_directory
        self._writes_empty = self._rules.empty_checkpoints == "written"
        self._together = self._has_removed = False
        self._left: Container[Key] = ()
        """What is left of partitions of which some were removed."""
        self._removed_from: list[LogDir] = []
        """The directories in which the removed ones lay."""

    def write_recovery_points(self, *, prunes: bool = True, dirs: "Collection[LogDir] | None" = None) -> bool:
        """Record the offsets up to which logs are safe. False if nothing has changed. `prunes`: delete producer
        snapshots that are no longer needed (1.0 to 2.7). `dirs`: the directories to write in; None: all.
        """
        logs, promised = self._made_logs(), self._host.partitions.promised
        if not self._rules.recovery_points or not (logs or promised or self._writes_empty):
            return False
        points = {key: log.recovery_point for key, log in logs.items()} | dict.fromkeys(promised, 0)
        is_new = self._roots.write_offsets(names.RECOVERY_POINTS, points, empty=self._writes_empty, dirs=dirs)
        if prunes:
            for log in logs.values():
                log.on_recovery_point_checkpoint()
        return is_new

    def write_log_starts(self, dirs: "Collection[LogDir] | None" = None) -> bool:
        """Record where each log begins that begins inside a segment. False if nothing has changed. `dirs`: the
        directories to write in; None: all.
        """
        logs, promised = self._made_logs(), self._host.partitions.promised
        if not self._host.profile.log.log_start_offset or not (logs or promised or self._writes_empty):
            return False
        starts: dict[Key, Offset | None] = {
            key: log.log_start_offset if log.log_start_offset > log.segments[0].base_offset else None
            for key, log in logs.items()
        }
        starts.update(dict.fromkeys(promised))
        return self._roots.write_offsets(names.LOG_STARTS, starts, empty=self._writes_empty, dirs=dirs)

    def write_high_watermarks(self) -> bool:
        """Record the high watermarks of what the broker hosts. False if nothing has changed."""
        offsets, dirs = self._host.partitions.high_watermarks(), self._host.log_dirs
        if not dirs.all_lead:
            offsets = {key: at for key, at in offsets.items() if dirs.of(*key).leads}
        return self._roots.write_offsets(names.HIGH_WATERMARKS, offsets)

    # ---- partitions that are moved or removed

    def after_move(self, source: "LogDir") -> None:
        """A partition was moved out of a directory (LogManager.replaceCurrentWithFutureLog). Recorded from 2.0.1 to
        4.3.1: random_moves.
        """
        self.write_recovery_points(dirs=[source])
        self.write_log_starts([source])

    def before_removal(self, log_dir: "LogDir", left: "Container[Key]") -> None:
        """A partition is going to be removed from a directory; these are left."""
        self._left = left
        if not self._together:
            self._removed_from = [log_dir]
            self._forget_cleaning()
        elif log_dir not in self._removed_from:
            self._removed_from.append(log_dir)

    def after_removal(self) -> None:
        """A partition was removed, and its directory renamed."""
        self._has_removed = True
        if not self._together:
            self._write_without_removed()

    @contextmanager
    def removing_together(self) -> "Iterator[None]":
        """Write checkpoints once, after all that is removed meanwhile. Real brokers do it more often, with the same
        result.
        """
        self._together, self._removed_from, self._has_removed = True, [], False
        try:
            yield
        finally:
            self._together = False
            self._forget_cleaning()
            if self._has_removed:
                self._write_without_removed()

    def _forget_cleaning(self) -> None:
        """Write the cleaner's checkpoint again where partitions were removed, without those that are gone
        (LogCleanerManager.updateCheckpoints). Recorded at 2.3.1 and 3.9.1: random_moves.
        """
        if self._host.config.bool("log.cleaner.enable"):
            self._roots.keep_offsets(names.CLEANER_OFFSETS, self._left, self._removed_from)

    def _write_without_removed(self) -> None:
        dirs = self._removed_from
        match self._rules.deletion_checkpoints:
            case "nothing":
                pass
            case "log starts":
                self.write_log_starts(dirs)
            case ("all" | "all and snapshots") as which:
                self.write_recovery_points(prunes=which == "all and snapshots", dirs=dirs)
                self.write_log_starts(dirs)
            case rule:
                assert_never(rule)
