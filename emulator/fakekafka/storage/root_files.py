"""The small files at the root of a log directory: lock, clean-stop marker, checkpoints, meta.properties.

`log/checkpoints.py` has their bytes; this module says when they are created, read and trusted. Each start creates
missing checkpoints, empty; they are written when due, but only if their content has changed.
"""

import base64
import re
from collections.abc import Container, Mapping
from functools import lru_cache
from typing import Final, assert_never

from fakekafka.errors import BrokerWillNotStart, MalformedBytes
from fakekafka.ids import ZERO_UUID, Offset, TimestampMs, Uuid
from fakekafka.log import names
from fakekafka.log.checkpoints import Checkpoints, Partition, clean_shutdown_content
from fakekafka.storage.host import Host, Surroundings
from fakekafka.storage.log_dirs import LogDir

DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
ZOOKEEPER_VERSION: Final = "0"
"""The version of `meta.properties` that brokers under ZooKeeper write."""
VERSIONS: Final = (ZOOKEEPER_VERSION, "1")
NUMBER: Final = re.compile(r"[+-]?[0-9]+")
"""What Java accepts as a number."""
IMPLICIT: Final = " (which is implicit when the `version` field is missing)."


class RootFiles:
    """These files of one log directory."""

    def __init__(self, host: Host, log_dir: LogDir) -> None:
        self._host = host
        self._path = log_dir.path
        self._directory = log_dir.directory
        self._rules = host.profile.log_directory
        self._files = Checkpoints(log_dir.directory)
        self._written: dict[str, dict[Partition, Offset]] = {}
        self._is_blank = False  # whether all checkpoints are empty: there were none, and none has been written

    def begin(self) -> None:
        """Take the directory and create missing files. Raises `BrokerWillNotStart` if another broker has it, or if it
        is one that brokers of this release do not take.
        """
        known: Mapping[str, str] = {}
        self._is_blank = not self._directory.has_files()
        if not self._is_blank and self._files.has_meta_properties:
            known = self._files.meta_properties()
            self._check_readable(known)
        self._check_writer(known)
        if not self._directory.lock(names.LOCK):
            raise BrokerWillNotStart(
                "Failed to acquire lock on file .lock in the log directory. "
                "A Kafka instance in another process or thread is using this directory."
            )
        self._files.make_missing(names.HIGH_WATERMARKS)
        if self._rules.recovery_points:
            self._files.make_missing(names.RECOVERY_POINTS)
        if self._host.profile.log.log_start_offset:
            self._files.make_missing(names.LOG_STARTS)
        if self._host.config.bool("log.cleaner.enable"):
            self._files.make_missing(names.CLEANER_OFFSETS)
        self._write_meta_properties(known)

    @property
    def directory_id(self) -> Uuid:
        """The id of the directory (KIP-858); zeros if it has none."""
        text = self._files.meta_properties().get("directory.id")
        return ZERO_UUID if text is None else base64.urlsafe_b64decode(f"{text}==")

    # ---- the clean-stop marker

    @property
    def clean_shutdown(self) -> bool:
        """Whether the last broker closed its logs."""
        return self._files.clean_shutdown

    def unmark_clean_shutdown(self) -> None:
        """From now on a stop is not clean until it is marked as clean."""
        self._files.unmark_clean_shutdown()

    def mark_clean_shutdown(self) -> None:
        """All logs are closed."""
        is_json = self._host.profile.log.clean_marker == "json"
        self._files.mark_clean_shutdown(clean_shutdown_content(self._host.epoch) if is_json else b"")

    # ---- checkpoints

    def recovery_points(self) -> dict[Partition, Offset]:
        """The offset up to which each log is safe. Raises `BrokerWillNotStart` or `OSError`, in releases that do not
        start over.
        """
        return self._offsets_at_start(names.RECOVERY_POINTS) if self._rules.recovery_points else {}

    def log_starts(self) -> dict[Partition, Offset]:
        """Where each log begins that begins inside a segment. Raises `OSError`, in releases that do not start over."""
        return self._offsets_at_start(names.LOG_STARTS) if self._host.profile.log.log_start_offset else {}

    def _offsets_at_start(self, name: str) -> dict[Partition, Offset]:
        if self._is_blank:
            return {}
        try:
            return self._files.offsets(name)
        except MalformedBytes as wrong:
            match self._rules.unreadable_checkpoint:
                case "refused":
                    raise BrokerWillNotStart(f"Malformed line in offset checkpoint file: {wrong}") from wrong
                case "forgotten":
                    return {}
                case "offline":
                    raise OSError(f"Error while reading checkpoint file {self._path}/{name}") from wrong
                case _:
                    assert_never(self._rules.unreadable_checkpoint)

    def high_watermarks(self) -> dict[Partition, Offset]:
        """The high watermarks that were last written. Raises `MalformedBytes`."""
        return {} if self._is_blank else self._files.offsets(names.HIGH_WATERMARKS)

    def has_high_watermarks(self) -> bool:
        """Whether they can be read; without them no partition is led. Raises `OSError` in releases in which the
        directory fails (ReplicaManager.scala). Recorded from 0.11.0.3 to 4.1.1: watermark_damage.
        """
        try:
            self.high_watermarks()
        except MalformedBytes as wrong:
            match self._rules.unreadable_checkpoint:
                case "refused" | "forgotten":
                    return False
                case "offline":
                    words = f"Error while reading checkpoint file {self._path}/{names.HIGH_WATERMARKS}"
                    raise OSError(words) from wrong
                case _:
                    assert_never(self._rules.unreadable_checkpoint)
        return True

    def cleaner_offsets(self) -> dict[Partition, Offset]:
        """The offset up to which each log was cleaned. Raises `MalformedBytes`."""
        return {} if self._is_blank else self._files.offsets(names.CLEANER_OFFSETS)

    def has_written(self, name: str) -> bool:
        """Whether a checkpoint has been written since the start."""
        return name in self._written

    def write_offsets(self, name: str, offsets: dict[Partition, Offset]) -> bool:
        """Write a checkpoint. False if it already has these offsets."""
        if self._written.get(name) == offsets:
            return False
        self._is_blank = False
        self._files.write_offsets(name, offsets)
        self._written[name] = offsets
        return True

    def keep_offsets(self, name: str, partitions: Container[Partition]) -> None:
        """Rewrite a checkpoint with these partitions only."""
        try:
            known = self._files.offsets(name)
        except MalformedBytes:
            known = {}
        self._files.write_offsets(name, {key: offset for key, offset in known.items() if key in partitions})

    # ---- meta.properties

    def _check_readable(self, known: Mapping[str, str]) -> None:
        """Raises `BrokerWillNotStart` if `meta.properties` does not say what the broker needs to know."""
        rules, version = self._rules, known.get("version", "")
        number = known.get("node.id", known.get("broker.id", "0"))
        words = ""
        if not version:
            missing = "node" if "broker.id" not in known else "cluster"
            is_enough = self._host.profile.has_quorum and {"broker.id", "cluster.id"} <= known.keys()
            words = "" if is_enough else rules.without_version.format(missing=missing, directory=self._path)
        elif version not in VERSIONS:
            words = rules.unknown_version.format(version=version)
        elif not NUMBER.fullmatch(number) and rules.has_meta_properties:
            words = f'For input string: "{number}"'
        if words:
            raise BrokerWillNotStart(f"{words} (meta.properties in {self._path})")

    def _check_writer(self, known: Mapping[str, str]) -> None:
        """Raises `BrokerWillNotStart` for a directory of KRaft mode, in the words of brokers that cannot take one."""
        if known.get("version", ZOOKEEPER_VERSION) == ZOOKEEPER_VERSION or self._host.cluster.is_migrating:
            return
        match self._rules.kraft_directory:
            case "taken":
                return
            case "unreadable":
                words = f"Unrecognized version of the server meta.properties file: {known['version']}"
            case "offline":
                words = (
                    "Shutdown broker because none of the specified log dirs can be created or validated: Unrecognized"
                    f" version of the server meta.properties file: {known['version']}"
                )
            case "refused":
                shown = ", ".join(f"{name}={value}" for name, value in sorted(known.items()))
                words = (
                    f"Found unexpected version in loaded `meta.properties`: {{{shown}}}. Zk-based brokers only support"
                    f" version 0{IMPLICIT}"
                )
            case "refused unless it migrates" if known["version"] not in VERSIONS:
                words = f"Unknown meta.properties version number {known['version']}"
            case "refused unless it migrates":
                words = (
                    f"Found unexpected version in {self._path}/meta.properties. ZK-based brokers that are not migrating"
                    f" only support version 0{IMPLICIT}"
                )
            case _:
                assert_never(self._rules.kraft_directory)
        raise BrokerWillNotStart(words)

    def _write_meta_properties(self, known: Mapping[str, str]) -> None:
        wanted = self._properties(known)
        always = self._rules.meta_properties_written == "at each start"
        if wanted and (always or any(known.get(name) != value for name, value in wanted.items())):
            self._files.write_meta_properties(wanted, java_date(self._host.cluster.clock.now_ms))

    def _properties(self, known: Mapping[str, str]) -> Mapping[str, str]:
        """The properties in the order of Java's hash table."""
        node, cluster = str(self._host.node_id), self._host.cluster
        match self._rules.meta_properties:
            case "none":
                return {}
            case "broker":
                return {"broker.id": node, "version": "0"}
            case "broker and cluster":
                return {"broker.id": node, "version": "0", "cluster.id": cluster.id}
            case "node and cluster":
                return {"node.id": node, "version": "1", "cluster.id": cluster.id}
            case "node and directory":
                directory_id = known.get("directory.id") or new_directory_id(cluster)
                return {"node.id": node, "directory.id": directory_id, "version": "1", "cluster.id": cluster.id}
            case what:
                assert_never(what)


def new_directory_id(cluster: Surroundings) -> str:
    """A random id in 22 characters of URL-safe base64 (KIP-858)."""
    return base64.urlsafe_b64encode(cluster.random.randbytes(16)).decode().rstrip("=")


def java_date(at: TimestampMs) -> str:
    """A date as java.util.Date prints it in UTC: "Sun Sep 13 12:26:40 UTC 2020"."""
    return _java_date(at // 1000)


@lru_cache(1)
def _java_date(seconds: int) -> str:
    from datetime import UTC, datetime

    d = datetime.fromtimestamp(seconds, UTC)
    return f"{DAYS[d.weekday()]} {MONTHS[d.month - 1]} {d.day:02} {d.hour:02}:{d.minute:02}:{d.second:02} UTC {d.year}"
