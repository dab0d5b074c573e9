"""The logs in one broker's directories, from its start to its stop (LogManager).

A starting broker opens every partition it finds, whether the topic is known or not; the partitions that it then leads
are among these, or are new. `logs` also holds logs that the broker does not lead. Recurring tasks are in
`background.py`, the removal of deleted partitions is in `deletion.py`, what the controller does not know is in
`strays.py`, what is written down about the logs in `offset_checkpoints.py`.
"""

import errno
from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias, assert_never

from fakekafka.errors import BrokerWillNotStart, ErrorCode, MalformedBytes
from fakekafka.ids import ZERO_UUID, Offset, PartitionIndex, TimestampMs, TopicName, Uuid
from fakekafka.log import names
from fakekafka.log.checkpoints import partition_metadata_bytes
from fakekafka.log.files import Directory
from fakekafka.log.offset_index import OffsetOutOfOrder
from fakekafka.log.partition_log import Choose, PartitionLog, no_jitter
from fakekafka.state.topics import Topic
from fakekafka.storage.background import Background
from fakekafka.storage.deletion import Deletion
from fakekafka.storage.directory_names import Named, read_name
from fakekafka.storage.host import Host
from fakekafka.storage.hosted_partitions import Birth, Key
from fakekafka.storage.log_dirs import LogDir
from fakekafka.storage.offset_checkpoints import OffsetCheckpoints
from fakekafka.storage.roots import Roots

if TYPE_CHECKING:
    from fakekafka.storage.strays import Strays

Unsynced: TypeAlias = Literal["kept", "lost", "some"]
"""What a power cut leaves of bytes that were written and never flushed: all, none, or a random number."""


class Moving(NamedTuple):
    """A log that was to replace one in another log directory, and the name of its own directory (KIP-113)."""

    name: str
    log: PartitionLog


class LogManager:
    """The logs of `host`."""

    def __init__(self, host: Host) -> None:
        self.host = host
        self._rules = host.profile.log_directory
        self.roots = Roots(host, self)
        self._logs: dict[Key, PartitionLog] = {}
        self._moving: dict[Key, Moving] = {}
        self.checkpoints = OffsetCheckpoints(host, self.roots, self._all_made_logs)
        self.background = Background(host, self)
        self.deletion = Deletion(host, self.background)
        self._checkpoints_high_watermarks = False

    # ---- start and stop

    @property
    def stopped_cleanly(self) -> bool:
        """Whether every directory has the marker of a clean stop, which goes when the logs are opened."""
        return all(self.roots.of(log_dir).clean_shutdown for log_dir in self.host.log_dirs.online)

    def start(self) -> None:
        """Take the directories and open every log in them. Raises `BrokerWillNotStart`, also for disk errors."""
        dirs = self.host.log_dirs
        dirs.discover()
        for log_dir in dirs.all:
            try:
                self._start_in(log_dir)
            except OSError as error:
                log_dir.is_online = False
                if self._rules.disk_errors == "halt" or not dirs.online or self._is_vital(log_dir):
                    raise BrokerWillNotStart(f"Error while loading log dir {log_dir.path}: {error}") from error
                self._abandon(log_dir)
        self.background.start()

    def _start_in(self, log_dir: LogDir) -> None:
        root = self.roots.of(log_dir)
        root.begin()
        self._check_metadata_directory(log_dir)
        clean = root.clean_shutdown
        before_loading = self.host.profile.log.clean_marker_removed == "before loading"
        if before_loading:
            root.unmark_clean_shutdown()
        self._load_all(log_dir, clean)
        if not before_loading:
            root.unmark_clean_shutdown()

    def on_leadership(self) -> None:
        """The broker has been told what it hosts."""
        if self.host.partitions and not self._checkpoints_high_watermarks:
            self._checkpoints_high_watermarks = True
            self.background.start_high_watermarks()

    def on_disk_error(self, error: OSError, reading: bool = False, log_dir: LogDir | None = None) -> ErrorCode:
        """A directory has failed; None if it is unknown which. If it was the last one, the broker will halt. Returns
        what to answer until then.
        """
        if self._rules.disk_errors == "storage error":
            if log_dir is None or self.host.log_dirs.online in ([], [log_dir]) or self._is_vital(log_dir):
                self.host.cluster.halt(self.host.node_id, error, sends_answers=True)
            elif log_dir.is_online:
                log_dir.is_online = False
                self.host.lose(self._abandon(log_dir))
            return ErrorCode.KAFKA_STORAGE_ERROR
        if not reading:
            self.host.cluster.halt(self.host.node_id, error, sends_answers=False)
        return ErrorCode.UNKNOWN_SERVER_ERROR

    def _is_vital(self, log_dir: LogDir) -> bool:
        """Whether a broker cannot go on without the directory: it has the quorum's log."""
        return self._rules.metadata_directory_vital and log_dir.path == self._metadata_directory

    @property
    def metadata_directory_id(self) -> Uuid:
        """The id of the directory with the quorum's log. Of a separate one, which has no files here: that of the first
        log directory.
        """
        dirs = self.host.log_dirs.all
        at = next((log_dir for log_dir in dirs if log_dir.path == self._metadata_directory), dirs[0])
        return self.roots.of(at).directory_id

    @property
    def _metadata_directory(self) -> str:
        """Where the quorum's log lies, or would lie."""
        return self.host.config.text("metadata.log.dir") or self.host.log_dirs.all[0].path

    def _check_metadata_directory(self, log_dir: LogDir) -> None:
        """Raises `BrokerWillNotStart` if the quorum's log is where it should not be (KafkaRaftServer)."""
        found = names.METADATA_DIRECTORY in log_dir.directory.directories()
        if found and self.host.profile.has_quorum and log_dir.path != self._metadata_directory:
            raise BrokerWillNotStart(
                f"Found unexpected metadata location in data directory `{log_dir.path}/{names.METADATA_DIRECTORY}`"
                f" (the configured metadata directory is {self._metadata_directory})."
            )

    def _abandon(self, log_dir: LogDir) -> list[Key]:
        """Close the logs of a directory that has failed, and return the partitions that were in it."""
        lost = [key for key in self._logs if self.host.log_dirs.of(*key) is log_dir]
        for key in lost:
            with suppress(OSError):
                self._logs.pop(key).crash()
        return lost

    def stop(self, now: TimestampMs) -> None:
        """A clean stop: every log is closed, and everything is saved."""
        self.checkpoints.write_high_watermarks()
        for log in self.all_logs().values():
            log.close(now)
        self.checkpoints.write_recovery_points()
        self.checkpoints.write_log_starts()
        self.roots.mark_clean_shutdown()
        self._leave()

    def crash(self, unsynced: Unsynced = "kept") -> None:
        """A kill: the files stay as they are, except for what was never flushed."""
        random = self.host.cluster.random

        def some(size: int) -> int:
            return random.randrange(size + 1)

        kept: Choose | None
        match unsynced:
            case "kept":
                kept = None
            case "lost":
                kept = no_jitter
            case "some":
                kept = some
            case _:
                assert_never(unsynced)
        for log in self.all_logs().values():
            with suppress(OSError):  # the disk error because of which the broker dies
                log.crash(kept)
        self._leave()

    def _leave(self) -> None:
        self._logs.clear()
        self._moving.clear()
        self.host.log_dirs.unlock()

    def clear(self) -> None:
        """Delete every file, and start over as if on an empty directory."""
        self._leave()
        for log_dir in self.host.log_dirs.all:
            directory = log_dir.directory
            for name in directory.directories():
                directory.delete_directory(name)
            for name in (names.HIGH_WATERMARKS, names.RECOVERY_POINTS, names.LOG_STARTS, names.CLEANER_OFFSETS):
                directory.delete(name)
        self.host.log_dirs.discover()
        self.roots.begin_anew()

    @property
    def logs(self) -> Mapping[Key, PartitionLog]:
        """Every log of a partition, hosted or not."""
        self.host.partitions.keep_promises()
        return self._logs

    @property
    def made_logs(self) -> Mapping[Key, PartitionLog]:
        """The logs that exist already: those of promised partitions do not, and would be empty."""
        return self._logs

    def all_logs(self) -> Mapping[Key, PartitionLog]:
        """Every open log."""
        self.host.partitions.keep_promises()
        return self._all_made_logs()

    def _all_made_logs(self) -> Mapping[Key, PartitionLog]:
        return {**{key: moving.log for key, moving in self._moving.items()}, **self._logs}

    def write_indexes(self) -> None:
        """Bring index files up to date before another process reads them."""
        for log in self.all_logs().values():
            log.write_indexes()

    # ---- loading

    def _load_all(self, log_dir: LogDir, clean: bool) -> None:
        root = self.roots.of(log_dir)
        points, starts = root.recovery_points(), root.log_starts()
        loaded: dict[str, tuple[Named, PartitionLog]] = {}
        for name in log_dir.directory.directories():
            if name not in self._rules.skipped_directories:
                named = read_name(name, f"{log_dir.path}/{name}", self._rules)
                if named.mark == names.DELETE_DIRECTORY:
                    from fakekafka.log.doomed import open_doomed

                    open_doomed(log_dir.directory.directory(name), self.host.profile.log)
                    self.deletion.delete_later(name)
                    continue
                key, birth = (named.topic, named.partition), self.birth(self._topic(named.topic))
                loaded[name] = named, self._load(name, log_dir, birth, clean, starts.get(key, 0), points.get(key, 0))
                self._forget_topic_id(log_dir.directory.directory(name))
        if loaded:
            self.host.log_dirs.let_lead(log_dir, root.has_high_watermarks())
            from fakekafka.storage.strays import Strays  # most brokers find nothing

            strays = Strays(self.host, self.deletion)
            looked_for = strays if strays.are_looked_for(loaded) else None
            for name, (named, log) in loaded.items():
                self._place(name, named, log, looked_for)

    def _load(
        self,
        name: str,
        log_dir: LogDir,
        birth: Birth,
        clean: bool = True,
        log_start: Offset = 0,
        recovery_point: Offset = 0,
    ) -> PartitionLog:
        try:
            return PartitionLog.open(
                self.host.log_dirs.make(name, log_dir),
                self.host.profile.log,
                birth.config,
                birth.at_ms,
                clean=clean,
                log_start_offset=log_start,
                recovery_point=recovery_point,
                choose=self.host.cluster.random.randrange,
                failed=lambda error, reading: self.on_disk_error(error, reading, log_dir),
            )
        except (MalformedBytes, OffsetOutOfOrder) as wrong:
            raise BrokerWillNotStart(f"{log_dir.path}/{name} cannot be opened: {wrong}") from wrong

    def _forget_topic_id(self, directory: Directory) -> None:
        """Remove `partition.metadata` if inter.broker.protocol.version is below 2.8 again (recorded: random_walks)."""
        if self.host.profile.log.has_partition_metadata and not self.host.has_topic_ids:
            directory.delete(names.PARTITION_METADATA)

    def _topic(self, name: TopicName) -> Topic:
        """The topic; if it is unknown, one without configs of its own."""
        return self.host.cluster.topics.get(name) or Topic(name, ZERO_UUID, {})

    def _place(self, name: str, named: Named, log: PartitionLog, strays: "Strays | None") -> None:
        """Classify a log found at start-up."""
        key = (named.topic, named.partition)
        if named.mark == names.STRAY_DIRECTORY:
            log.crash()
        elif strays is not None and strays.include(name, named):
            log.crash()
            strays.set_aside(name, named)
        elif named.mark == names.FUTURE_DIRECTORY:
            self._moving[key] = Moving(name, log)
        else:
            self._logs[key] = log
            self.background.schedule_removal(log)

    # ---- partitions come and go

    def birth(self, topic: Topic) -> Birth:
        """What a log of the topic would begin with if it were created now."""
        return Birth(self.host.cluster.clock.now_ms, self.host.log_config(topic, newly_created=True))

    def get_or_create(self, topic: Topic, index: PartitionIndex, birth: Birth | None = None) -> PartitionLog:
        """The log of a partition that the broker hosts. `birth`: how it began, if not now."""
        key = (topic.name, index)
        log = self._logs.get(key)
        if log is None:
            name = names.partition_directory(topic.name, index)
            log_dir = self.host.log_dirs.of(topic.name, index)
            self._logs[key] = log = self._load(name, log_dir, birth or self.birth(topic))
        if self.host.profile.log.always_has_partition_metadata:
            self._write_metadata(topic, index)
        return log

    def on_change(self, topic: Topic, index: PartitionIndex) -> None:
        """The leader of a partition, whose log is open already, was elected again."""
        match self.host.profile.log.partition_metadata:
            case "once leadership changes":
                self._write_metadata(topic, index)
            case "always" | "never":
                pass
            case rule:
                assert_never(rule)

    def _write_metadata(self, topic: Topic, index: PartitionIndex) -> None:
        if not self.host.has_topic_ids:
            return
        self._write_metadata_into(names.partition_directory(topic.name, index), topic)

    def _write_metadata_into(self, name: str, topic: Topic) -> None:
        directory = self.host.log_dirs.directory(name)

        def write() -> None:
            if not directory.exists(names.PARTITION_METADATA):
                directory.replace(names.PARTITION_METADATA, partition_metadata_bytes(topic.id_text))

        directory.later(write)

    def remove(self, topic: TopicName, index: PartitionIndex) -> None:
        """A partition is deleted: its log goes, and its directory sooner or later."""
        log = self._logs.pop((topic, index), None)
        if log is None:
            return
        self.checkpoints.before_removal(self.host.log_dirs.of(topic, index), self._logs.keys())
        if not self.deletion.discard(topic, index, log) and self._rules.disk_errors == "storage error":
            name = names.partition_directory(topic, index)
            self.on_disk_error(OSError(errno.ENAMETOOLONG, "File name too long", name))
        else:
            self.checkpoints.after_removal()

    def may_have_lost(self, key: Key) -> bool:
        """Whether a partition has no log here, but may have one in a log directory that is offline."""
        dirs = self.host.log_dirs
        return key not in self._logs and len(dirs.online) < len(dirs.all)

    def unfinished_moves(self) -> list[tuple[Key, Moving]]:
        """Take the future logs that lie in another directory than their partition's log. The others stay as they are,
        or cannot take its place (KAFKA-16082). Raises `BrokerWillNotStart`.
        """
        dirs, hosted = self.host.log_dirs, self.host.partitions
        moves = [(key, moving) for key, moving in self._moving.items() if key in hosted]
        beside = [key for key, moving in moves if dirs.holding(moving.name) is dirs.of(*key)]
        if beside and self._rules.future_beside == "fails":
            self._fail_at_rename(*beside[0])
        return [(key, self._moving.pop(key)) for key, _ in moves if key not in beside]

    def _fail_at_rename(self, topic: TopicName, index: PartitionIndex) -> None:
        """A directory has failed because a future log cannot be renamed to one that exists."""
        log_dir = self.host.log_dirs.of(topic, index)
        name = names.partition_directory(topic, index)
        words = f"Error while renaming dir for {name} in log dir {log_dir.path}"
        if self.host.log_dirs.online == [log_dir]:
            raise BrokerWillNotStart(words)
        self.on_disk_error(OSError(errno.ENOTEMPTY, words), log_dir=log_dir)

    def open_future(self, name: str, topic: Topic, log_dir: LogDir) -> PartitionLog:
        """An empty log beside that of a partition, to replace it later."""
        log = self._load(name, log_dir, self.birth(topic))
        if self.host.profile.log.always_has_partition_metadata and self.host.has_topic_ids:
            self._write_metadata_into(name, topic)
        return log

    def replace(self, topic: TopicName, index: PartitionIndex, log: PartitionLog) -> PartitionLog:
        """Make another log the partition's, and return the previous one."""
        before, self._logs[topic, index] = self._logs[topic, index], log
        return before
