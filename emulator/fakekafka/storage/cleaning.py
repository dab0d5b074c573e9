"""Which log is cleaned when (LogCleaner, LogCleanerManager). How a log is cleaned is `log/cleaner`.

Every `log.cleaner.backoff.ms` the dirtiest log is cleaned, then the next one, until none is dirty enough.
`cleaner-offset-checkpoint` has the offset at which each log's dirty part begins. Old segments of compacted topics are
deleted here too, since 0.10.1 allows both policies together. Known difference: one log is cleaned at a time, however
many threads there are; they only share the buffers.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from fakekafka.errors import MalformedBytes
from fakekafka.ids import BrokerId, DurationMs, Offset, PartitionIndex
from fakekafka.log.checkpoints import Partition
from fakekafka.log.cleaner.cleanable import Candidate, Cleanable, cleanable
from fakekafka.log.config import LogConfig
from fakekafka.log.partition_log import PartitionLog
from fakekafka.storage.host import Host
from fakekafka.storage.log_manager import LogManager

if TYPE_CHECKING:
    from fakekafka.log.cleaner.compaction import CleanerSettings
    from fakekafka.state.configs import BrokerConfig

STOPPED: Final = "an earlier failure has stopped the cleaner, or left out this log"
ENABLE: Final = "log.cleaner.enable"
BACKOFF: Final = "log.cleaner.backoff.ms"
READ_EACH_TIME: Final = "message.max.bytes"
RESTARTING: Final = (
    "log.cleaner.threads",
    "log.cleaner.dedupe.buffer.size",
    "log.cleaner.io.buffer.load.factor",
    "log.cleaner.io.buffer.size",
    READ_EACH_TIME,
    "log.cleaner.io.max.bytes.per.second",
    BACKOFF,
)
"""A change of one of these restarts the cleaner (LogCleaner.ReconfigurableConfigs)."""


class Compaction(NamedTuple):
    """What a pass over one broker's copy of a partition did."""

    broker: BrokerId
    partition: PartitionIndex
    start: Offset
    """Where the dirty part began."""
    end: Offset
    """Where it begins now; equal to `start` if there was nothing to clean."""
    bytes_before: int
    bytes_after: int
    failure: str | None = None
    """Why the pass broke off, if it did. The log is intact in any case."""


class Cleaning:
    """The cleaner of one broker."""

    def __init__(self, host: Host, logs: LogManager) -> None:
        self._host = host
        self._logs = logs
        self._rules = host.profile.cleaner
        self._dirty_from: dict[Partition, Offset] = {}
        self._left_out: set[Partition] = set()
        self._is_dead = False
        self._start_number = 0
        self._knows_high_watermarks = False
        self._configs: tuple[object, ...] = ()
        self._config = host.config

    @property
    def _is_on(self) -> bool:
        return self._rules.exists and self._host.config.bool(ENABLE)

    def start(self) -> None:
        """The broker has opened its logs. The first round comes before it leads anything and knows high watermarks."""
        self._knows_high_watermarks = False
        self._configs = self._restarting_configs(self._host.config)
        if not self._is_on:
            return
        try:
            self._dirty_from = self._logs.roots.cleaner_offsets()
        except MalformedBytes:
            self._is_dead = True
        self._config = self._config_at_start()
        self._round()  # at once, even if the clock stands still
        is_imagined = self._config is not self._host.config
        if is_imagined and self._host.profile.has_quorum and self._restarting_configs(self._config) != self._configs:
            self._restart()
            self._round()
        self._begin(self._backoff_ms)

    def _config_at_start(self) -> "BrokerConfig":
        """What the cleaner begins with: the broker's properties. Dynamic configs count from a change on (KAFKA-17579),
        or in KRaft mode when the broker has read them, except that under ZooKeeper one of them is read each time.
        """
        config = self._host.config
        layers = config.dynamic, config.dynamic_defaults
        if layers[0].keys().isdisjoint(RESTARTING) and layers[1].keys().isdisjoint(RESTARTING):
            return config
        known = () if self._host.profile.has_quorum else (READ_EACH_TIME,)
        return config.imagined(*({n: layer[n] for n in known if n in layer} for layer in layers))

    def _restart(self) -> None:
        self._config = self._host.config
        self._is_dead, self._knows_high_watermarks = False, True

    def stop(self) -> None:
        """The broker stops, or starts over on an empty directory."""
        self._start_number += 1
        self._dirty_from, self._left_out, self._is_dead = {}, set(), False

    def on_config_change(self) -> None:
        """A config of the broker has changed while it runs."""
        before, self._configs = self._configs, self._restarting_configs(self._host.config)
        has_heard = before != self._configs and not self._host.config.heard.isdisjoint(RESTARTING)
        if self._is_on and has_heard and self._rules.restarts_with_config:
            self._restart()
            self._begin(0)

    def forget(self, key: Partition) -> None:
        """A partition was deleted."""
        self._dirty_from.pop(key, None)
        self._left_out.discard(key)
        if self._is_on and self._rules.deletion_writes_checkpoint:
            self._write_checkpoint()

    def compact(self, key: Partition, roll: bool) -> Compaction:
        """Clean one partition now, however little of it is dirty. `roll`: its active segment ends first."""
        log = self._logs.logs[key]
        if roll and log.segments[-1].size:
            log.roll(self._host.cluster.clock.now_ms)
        self._knows_high_watermarks = True
        to_clean = self._cleanable(key, log)
        end, before, failure = to_clean.start, log.size, None
        if self._is_dead or key in self._left_out:
            failure = STOPPED
        elif to_clean.dirty_bytes:
            end, failure = self._clean(key, log, to_clean)
            self._on_failure(key, failure)
        return Compaction(self._host.node_id, key[1], to_clean.start, end, before, log.size, failure)

    # ---------------------------------------------------------------- rounds

    def _begin(self, first_ms: DurationMs) -> None:
        """Run rounds, the first one after `first_ms`."""
        self._start_number += 1
        number = self._start_number

        def task() -> bool:
            return number == self._start_number and self._round()

        self._host.timers.while_busy(self._backoff_ms, task, first_ms)

    def _round(self) -> bool:
        """Clean what is dirty enough. True if more may be to do after a while."""
        while (goes_on := self._clean_dirtiest()) == "at once":
            pass
        is_left = goes_on == "later" or not self._knows_high_watermarks
        self._knows_high_watermarks = True
        return not self._is_dead and any(is_left or _is_waiting(log) for _, log in self._compacted())

    def _clean_dirtiest(self) -> Literal["at once", "later", "when there is more"]:
        """Clean one log. Returns when the cleaner looks for the next one."""
        if (dirtiest := self._dirtiest()) is None:
            self._retain()
            return "when there is more"
        key, log, part = dirtiest
        end, failure = self._clean(key, log, part)
        self._on_failure(key, failure)
        if failure is not None:
            return "later"
        self._retain()
        if end > part.start:
            return "at once"
        self._dirtiest()  # a real cleaner goes on like this, endlessly, and gets to no log that is less dirty
        return "later"

    def _retain(self) -> None:
        """Delete old segments, if that is done in this round."""
        rules = self._rules
        knows_enough = self._knows_high_watermarks or rules.first_round_retains
        if rules.runs_retention and not self._is_dead and knows_enough:
            self._delete_old_segments()

    def _on_failure(self, key: Partition, failure: str | None) -> None:
        if failure is None:
            return
        if self._rules.failure == "stops the cleaner":
            self._is_dead = True
        else:
            self._left_out.add(key)

    def _compacted(self) -> Iterator[tuple[Partition, PartitionLog]]:
        return ((key, log) for key, log in self._logs.made_logs.items() if log.config.compact)

    def _dirtiest(self) -> Candidate | None:
        """The log with the largest share of dirty bytes, of those that are worth a pass."""
        candidates = []
        for key, log in self._compacted():
            if key not in self._left_out:
                to_clean = self._cleanable(key, log)
                self._is_dead |= to_clean.is_fatal
                if to_clean.corrected and self._rules.corrects_checkpoint:
                    self._dirty_from[key] = to_clean.start
                    self._write_checkpoint()
                if to_clean.is_due(log.config):
                    candidates.append(Candidate(key, log, to_clean))
        if self._is_dead or not candidates:
            return None
        if len(candidates) == 1:
            return candidates[0]
        from fakekafka.storage.dirtiest import dirtiest  # seldom there are several

        return dirtiest(candidates, self._logs.logs, self._rules.map_key)

    def _cleanable(self, key: Partition, log: PartitionLog) -> Cleanable:
        now = self._host.cluster.clock.now_ms
        return cleanable(log, self._dirty_from.get(key), self._high_watermark(key, log), self._rules, now)

    def _clean(self, key: Partition, log: PartitionLog, to_clean: Cleanable) -> tuple[Offset, str | None]:
        """Run one pass. Returns where the dirty part begins now, and why the pass broke off if it did."""
        from fakekafka.log.cleaner import CleaningFailed
        from fakekafka.log.cleaner.compaction import CleanerPass, clean  # most brokers never get here

        profile, now = self._host.profile, self._host.cluster.clock.now_ms
        place = CleanerPass(log, self._rules, profile.log, self._high_watermark(key, log), now)
        end, failure = to_clean.start, None
        try:
            end = clean(place, to_clean, self._settings())
            self._dirty_from[key] = end
            self._write_checkpoint()
        except CleaningFailed as wrong:
            failure = str(wrong)
            self._dirty_from[key] = end
            self._write_checkpoint()
        except OSError as error:
            self._logs.on_disk_error(error, log_dir=self._host.log_dirs.of(*key))
            failure = str(error)
        self._logs.background.schedule_removal(log)
        return end, failure

    def _high_watermark(self, key: Partition, log: PartitionLog) -> Offset:
        """The partition's high watermark. If it is unknown, or the broker does not host the partition, nothing counts
        as replicated.
        """
        partition = self._host.partitions.get(key) if self._knows_high_watermarks else None
        return log.log_start_offset if partition is None else partition.high_watermark

    def _delete_old_segments(self) -> None:
        now = self._host.cluster.clock.now_ms
        for key, log in self._compacted():
            if key not in self._left_out and log.delete_old_segments(now, self._high_watermark(key, log)):
                self._logs.background.schedule_removal(log)

    # ---------------------------------------------------------------- configs and checkpoint

    @property
    def _backoff_ms(self) -> DurationMs:
        return self._config.int(BACKOFF, 15_000)

    def _restarting_configs(self, config: "BrokerConfig") -> tuple[object, ...]:
        return tuple(map(config.value, RESTARTING))

    def _settings(self) -> "CleanerSettings":
        from fakekafka.log.cleaner.compaction import CleanerSettings

        config, plain = self._config, CleanerSettings()
        threads = max(1, config.int("log.cleaner.threads", 1))
        return CleanerSettings(
            config.int("log.cleaner.dedupe.buffer.size", plain.map_bytes) // threads,
            config.float("log.cleaner.io.buffer.load.factor", plain.map_load_factor),
            config.int("log.cleaner.io.buffer.size", 2 * plain.buffer_bytes) // threads // 2,
            config.int(READ_EACH_TIME, plain.message_max_bytes),
            self._host.profile.append.snappy_block,
        )

    def _write_checkpoint(self) -> None:
        known = {key: at for key, at in self._dirty_from.items() if key in self._logs.made_logs}
        self._logs.roots.write_cleaner_offsets(known)


def _is_waiting(log: PartitionLog) -> bool:
    """Whether time alone may make records old enough to be cleaned or deleted."""
    config, plain = log.config, LogConfig()
    if config.delete and log.segments[0].base_offset < log.log_end_offset:
        return True
    has_lag = config.min_compaction_lag_ms > 0 or config.max_compaction_lag_ms < plain.max_compaction_lag_ms
    return has_lag and len(log.segments) > 1
