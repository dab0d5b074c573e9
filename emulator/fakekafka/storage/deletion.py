"""Directories of deleted partitions: renamed to `-delete` first and removed later, from 0.10.2 on (LogManager).

How long they stay is `log.segment.delete.delay.ms` of the broker. What a stop leaves is found by its name at the next
start and removed after the same delay.
"""

from typing import TYPE_CHECKING, Final, assert_never

from fakekafka.log.names import DELETE_DIRECTORY, LONGEST_NAME, marked_directory, partition_directory

if TYPE_CHECKING:
    from fakekafka.ids import DurationMs, PartitionIndex, TopicName
    from fakekafka.log.partition_log import PartitionLog
    from fakekafka.storage.background import Background
    from fakekafka.storage.host import Host

DELAY: Final = "log.segment.delete.delay.ms"
DEFAULT_DELAY_MS: Final = 60_000


class Deletion:
    """Removes directories of `host`. `background` knows when its rounds began."""

    def __init__(self, host: "Host", background: "Background") -> None:
        self._host = host
        self._background = background

    def discard(self, topic: "TopicName", index: "PartitionIndex", log: "PartitionLog") -> bool:
        """The partition is deleted: remove its directory, now or later. False if it stays because its new name would be
        too long.
        """
        name = partition_directory(topic, index)
        if self._host.profile.log.removes_directory_at_once:
            log.crash()
            self._host.log_dirs.delete_directory(name)
            return True
        if self._host.profile.log_directory.deleted_log == "closed":
            log.close(self._host.cluster.clock.now_ms)
        else:
            log.crash()
        marked = self.mark(name, topic, index, DELETE_DIRECTORY)
        if marked is not None:
            self.delete_later(marked)
        return marked is not None

    def mark(self, name: str, topic: "TopicName", index: "PartitionIndex", ending: str) -> str | None:
        """Rename a directory, and return the new name. None if that is too long for a file system: then the directory
        stays as it is (KAFKA-4893).
        """
        unique = self._host.cluster.new_uuid().replace("-", "")
        marked = marked_directory(topic, index, unique, ending, self._longest_name())
        if len(marked) > LONGEST_NAME:
            return None
        self._host.log_dirs.rename_directory(name, marked)
        return marked

    def _longest_name(self) -> int | None:
        """To how many characters the new name is cut; None: it is not."""
        match self._host.profile.log.deleted_directory:
            case "renamed, cut":
                return LONGEST_NAME
            case "removed" | "renamed":
                return None
            case rule:
                assert_never(rule)

    def delete_later(self, name: str) -> None:
        """Remove a directory when its time has come."""
        self._host.timers.after(self._wait_ms(), lambda: self._host.log_dirs.delete_directory(name))

    def _wait_ms(self) -> "DurationMs":
        """How long a directory waits: until the first round at least; then for the next round, or for its own delay."""
        delay_ms = self._host.config.int(DELAY, DEFAULT_DELAY_MS)
        first_check_ms, runs_ms = self._background.first_check_ms, self._background.runs_ms
        first_ms = max(0, first_check_ms - runs_ms)
        if self._host.profile.log_directory.deletion_delay == "full":
            return max(first_ms, delay_ms)
        return first_ms or (-(runs_ms - first_check_ms) % max(1, delay_ms))
