"""What a broker writes down about its logs: up to where they are safe, where they begin, their high watermarks.

Every file covers all logs of its directory, those that the broker does not lead and promised ones included.
"""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from fakekafka.log import names

if TYPE_CHECKING:
    from fakekafka.ids import Offset
    from fakekafka.log.partition_log import PartitionLog
    from fakekafka.storage.host import Host
    from fakekafka.storage.hosted_partitions import Key
    from fakekafka.storage.roots import Roots


class OffsetCheckpoints:
    """The checkpoints of `host`, at its `roots`. `made_logs`: the open logs, without those that are only promised."""

    def __init__(self, host: "Host", roots: "Roots", made_logs: Callable[[], Mapping["Key", "PartitionLog"]]) -> None:
        self._host = host
        self._roots = roots
        self._made_logs = made_logs
        self._rules = host.profile.log_directory
        self._writes_empty = self._rules.empty_checkpoints == "written"

    def write_recovery_points(self, *, prunes: bool = True) -> bool:
        """Record the offsets up to which logs are safe. False if nothing has changed. `prunes`: delete producer
        snapshots that are no longer needed (1.0 to 2.7).
        """
        logs, promised = self._made_logs(), self._host.partitions.promised
        if not self._rules.recovery_points or not (logs or promised or self._writes_empty):
            return False
        points = {key: log.recovery_point for key, log in logs.items()} | dict.fromkeys(promised, 0)
        is_new = self._roots.write_offsets(names.RECOVERY_POINTS, points, empty=self._writes_empty)
        if prunes:
            for log in logs.values():
                log.on_recovery_point_checkpoint()
        return is_new

    def write_log_starts(self) -> bool:
        """Record where each log begins that begins inside a segment. False if nothing has changed."""
        logs, promised = self._made_logs(), self._host.partitions.promised
        if not self._host.profile.log.log_start_offset or not (logs or promised or self._writes_empty):
            return False
        starts: dict[Key, Offset | None] = {
            key: log.log_start_offset if log.log_start_offset > log.segments[0].base_offset else None
            for key, log in logs.items()
        }
        starts.update(dict.fromkeys(promised))
        return self._roots.write_offsets(names.LOG_STARTS, starts, empty=self._writes_empty)

    def write_high_watermarks(self) -> bool:
        """Record the high watermarks of what the broker hosts. False if nothing has changed."""
        offsets, dirs = self._host.partitions.high_watermarks(), self._host.log_dirs
        if not dirs.all_lead:
            offsets = {key: at for key, at in offsets.items() if dirs.of(*key).leads}
        return self._roots.write_offsets(names.HIGH_WATERMARKS, offsets)
