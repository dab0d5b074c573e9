"""The small files at the roots of all log directories of one broker, as one.

Each directory has its own files about its partitions; `root_files.py` has those of one directory. What a checkpoint
says about a partition is written in the directory of the partition.
"""

from collections.abc import Collection, Container, Iterable, Mapping

from fakekafka.ids import Offset
from fakekafka.log import names
from fakekafka.log.checkpoints import Partition
from fakekafka.storage.host import DiskErrors, Host
from fakekafka.storage.log_dirs import LogDir
from fakekafka.storage.root_files import RootFiles


class Roots:
    """The files of `host`. `errors` is called when one of several directories fails."""

    def __init__(self, host: Host, errors: DiskErrors) -> None:
        self._host = host
        self._errors = errors
        self._dirs = host.log_dirs
        self._files = {log_dir: RootFiles(host, log_dir) for log_dir in self._dirs.all}

    def of(self, log_dir: LogDir) -> RootFiles:
        """The files of one directory."""
        return self._files[log_dir]

    def begin_anew(self) -> None:
        """Take the directories, after their checkpoints were deleted."""
        self._files = {log_dir: RootFiles(self._host, log_dir) for log_dir in self._dirs.all}
        for files in self._files.values():
            files.begin()

    def mark_clean_shutdown(self) -> None:
        """All logs are closed."""
        for log_dir in self._dirs.online:
            self.of(log_dir).mark_clean_shutdown()

    def high_watermarks(self) -> dict[Partition, Offset]:
        """The high watermarks that were last written."""
        return {key: at for log_dir in self._dirs.online for key, at in self.of(log_dir).high_watermarks().items()}

    def cleaner_offsets(self) -> dict[Partition, Offset]:
        """The offset up to which each log was cleaned. Raises `MalformedBytes`."""
        return {key: at for log_dir in self._dirs.online for key, at in self.of(log_dir).cleaner_offsets().items()}

    def write_offsets(
        self,
        name: str,
        offsets: Mapping[Partition, Offset | None],
        *,
        empty: bool = False,
        dirs: Collection[LogDir] | None = None,
    ) -> bool:
        """Write the offsets of these partitions into a checkpoint, leaving out those without one. False if nothing has
        changed. `empty`: also write a checkpoint without partitions. `dirs`: the directories to write in; None: all.
        """
        parts: dict[LogDir, dict[Partition, Offset]] = {log_dir: {} for log_dir in self._dirs.online if empty}
        for key, offset in offsets.items():
            part = parts.setdefault(self._dirs.of(*key), {})
            if offset is not None:
                part[key] = offset
        wanted = [log_dir for log_dir in parts if dirs is None or log_dir in dirs]
        written = [self._write(log_dir, name, parts[log_dir]) for log_dir in wanted]
        return any(written)

    def write_cleaner_offsets(self, offsets: Mapping[Partition, Offset]) -> None:
        """Write the offsets up to which logs were cleaned, and forget deleted logs."""
        parts = {log_dir: self.of(log_dir) for log_dir in self._dirs.online}
        known = {log_dir: {k: at for k, at in offsets.items() if self._dirs.of(*k) is log_dir} for log_dir in parts}
        for log_dir, files in parts.items():
            if known[log_dir] or self._dirs.is_one or files.has_written(names.CLEANER_OFFSETS):
                self._write(log_dir, names.CLEANER_OFFSETS, known[log_dir])

    def keep_offsets(self, name: str, partitions: Container[Partition], dirs: Iterable[LogDir]) -> None:
        """Rewrite the checkpoint of these directories, of those that are online, with these partitions only."""
        for log_dir in dirs:
            if log_dir.is_online:
                self.of(log_dir).keep_offsets(name, partitions)

    def _write(self, log_dir: LogDir, name: str, offsets: dict[Partition, Offset]) -> bool:
        try:
            return self.of(log_dir).write_offsets(name, offsets)
        except OSError as error:
            if len(self._dirs.online) == 1:
                raise
            self._errors.on_disk_error(error, log_dir=log_dir)
            return False
