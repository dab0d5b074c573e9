"""What a broker does to its logs on its own, and when: retention, flushing, checkpoints, forgetting idle producers.

Each task recurs at a fixed rate on elapsed time; most begin 30 seconds after the start (LogManager.startup,
ReplicaManager.startHighWatermarkCheckPointThread). File times and timestamps, by which tasks decide, are compared with
the wall clock. A task with nothing to do sleeps until something happens on the broker (`Timers.while_busy`).
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Final, Protocol

from fakekafka.storage.host import DiskErrors, Host

if TYPE_CHECKING:
    from fakekafka.ids import DurationMs, TimestampMs
    from fakekafka.log.partition_log import PartitionLog
    from fakekafka.storage.hosted_partitions import Key
    from fakekafka.storage.offset_checkpoints import OffsetCheckpoints

EVERY_TEN_MINUTES: Final = 600_000
MINUTE_MS: Final = 60_000
NEVER_MS: Final = 1 << 62
"""A period beyond that counts as never."""


class Logs(DiskErrors, Protocol):
    """The logs to look after."""

    @property
    def made_logs(self) -> Mapping["Key", "PartitionLog"]:
        """The logs of partitions that are not only promised. No task has anything to do for an empty one."""

    @property
    def checkpoints(self) -> "OffsetCheckpoints":
        """What is written down about the logs."""


class Background:
    """The recurring tasks of one broker's logs."""

    def __init__(self, host: Host, logs: Logs) -> None:
        self._host = host
        self._logs = logs
        self._timers = host.timers
        self._started_ms = self._timers.elapsed_ms
        default_ms = host.profile.log_directory.first_check_ms
        self.first_check_ms: DurationMs = host.config.int("log.initial.task.delay.ms", default_ms)

    @property
    def runs_ms(self) -> "DurationMs":
        """How long the broker has been running."""
        return self._timers.elapsed_ms - self._started_ms

    def start(self) -> None:
        """The broker has opened its logs."""
        self._started_ms = self._timers.elapsed_ms
        config, checkpoints = self._host.config, self._logs.checkpoints
        self._recur(self._retention_ms(), self._retain)
        self._recur(config.int("log.flush.scheduler.interval.ms", 3000), self._flush)
        self._recur(config.int("log.flush.offset.checkpoint.interval.ms", MINUTE_MS), checkpoints.write_recovery_points)
        self._recur(
            config.int("log.flush.start.offset.checkpoint.interval.ms", MINUTE_MS), checkpoints.write_log_starts
        )
        period_ms = config.int("producer.id.expiration.check.interval.ms", EVERY_TEN_MINUTES)
        self._timers.while_busy(period_ms, self._forget_producers)

    def start_high_watermarks(self) -> None:
        """The broker has been told for the first time what it leads: high watermarks are written now and regularly."""
        write = self._logs.checkpoints.write_high_watermarks
        self._unless_disk_fails(write)
        period_ms = self._host.config.int("replica.high.watermark.checkpoint.interval.ms", 5000)
        self._timers.while_busy(period_ms, lambda: self._unless_disk_fails(write))

    def _recur(self, period_ms: "DurationMs", task: Callable[[], bool]) -> None:
        if period_ms < NEVER_MS:
            self._timers.while_busy(period_ms, lambda: self._unless_disk_fails(task), self.first_check_ms)

    def _unless_disk_fails(self, task: Callable[[], bool]) -> bool:
        try:
            return task()
        except OSError as error:
            self._logs.on_disk_error(error)
            return False

    def _retention_ms(self) -> "DurationMs":
        config = self._host.config
        minutes = config.int("log.cleanup.interval.mins")
        return minutes * MINUTE_MS if minutes else config.int("log.retention.check.interval.ms", 5 * MINUTE_MS)

    # ---- tasks

    def _retain(self) -> bool:
        """Run one pass of retention over all logs but compacted ones, which are the cleaner's (LogManager.cleanupLogs).
        Returns whether more may expire as time goes on.
        """
        now = self._host.cluster.clock.now_ms

        def retain(key: "Key", log: "PartitionLog") -> None:
            if log.config.compact:
                return
            partition = self._host.partitions.get(key)
            high_watermark = log.log_end_offset if partition is None else partition.high_watermark
            if log.delete_old_segments(now, high_watermark):
                self.schedule_removal(log)

        self._each(retain)
        return any(log.segments[0].base_offset < log.log_end_offset for log in self._logs.made_logs.values())

    def _flush(self) -> bool:
        """Flush what has waited for as long as its topic says (`flush.ms`)."""
        now = self._host.cluster.clock.now_ms
        self._each(lambda key, log: log.flush_if_due(now))
        return any(log.recovery_point < log.log_end_offset for log in self._logs.made_logs.values())

    def _each(self, act: Callable[["Key", "PartitionLog"], None]) -> None:
        """Do something to every log. A disk error takes the log's directory out of use."""
        for key, log in tuple(self._logs.made_logs.items()):
            try:
                act(key, log)
            except OSError as error:
                self._logs.on_disk_error(error, log_dir=self._host.log_dirs.of(*key))

    def _forget_producers(self) -> bool:
        now = self._host.cluster.clock.now_ms
        for log in self._logs.made_logs.values():
            log.remove_expired_producers(now)
        return any(not log.producers.is_empty for log in self._logs.made_logs.values())

    # ---- files of deleted segments

    def schedule_removal(self, log: "PartitionLog") -> None:
        """Some segments may have left `log`: their files are deleted when their delay has passed."""
        for due_ms in log.new_removals():
            wait_ms = due_ms - self._host.cluster.clock.now_ms
            self._timers.after(wait_ms, partial(self._remove_due, log, due_ms))

    def _remove_due(self, log: "PartitionLog", due_ms: "TimestampMs") -> None:
        try:
            log.remove_due_files(due_ms)
        except OSError as error:
            self._logs.on_disk_error(error)
