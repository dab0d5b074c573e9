"""The log directories of one broker (`log.dirs`): which partition lies in which, and where a new one goes.

Together they look like one directory to a caller that asks for a partition's directory by its name. A new partition
goes into the directory with the fewest partitions, the first such in the order of `log.dirs`, unless a move has asked
for another one (LogManager.nextLogDirs, KIP-113). Asked of 0.8.2.2 to 4.1.1. `root_files.py` has the files at the root
of each.
"""

from collections.abc import Mapping

from fakekafka.errors import BrokerWillNotStart
from fakekafka.ids import PartitionIndex, TopicName
from fakekafka.log import names
from fakekafka.log.files import Directory
from fakekafka.log.memory_files import MemoryDirectory


class LogDir:
    """One log directory. `path`: its name in `log.dirs`."""

    __slots__ = ("directory", "is_online", "leads", "path")

    def __init__(self, path: str, directory: Directory) -> None:
        self.path = path
        self.directory = directory
        self.is_online = True
        """Whether there has been no disk error since the start (KIP-112)."""
        self.leads = True
        """Whether partitions in it can have a leader here."""


class LogDirs:
    """All log directories of one broker: `places` by path, in order."""

    def __init__(self, places: Mapping[str, Directory]) -> None:
        self.all = [LogDir(path, directory) for path, directory in places.items()]
        self._first = self.all[0]
        self._where: dict[str, LogDir] = {}
        self._wanted: dict[str, LogDir] = {}
        self.all_lead = True
        """Whether partitions of every directory can have a leader here."""
        self.discover()

    def discover(self) -> None:
        """Find out which partition is in which directory, as a start does. Raises `BrokerWillNotStart` if a
        partition is there twice, or a directory cannot be read.
        """
        self._where, self._wanted = {}, {}
        self.all_lead = True
        for log_dir in self.all:
            log_dir.is_online = log_dir.leads = True
            try:
                names_there = log_dir.directory.directories()
            except (FileNotFoundError, NotADirectoryError) as error:
                raise BrokerWillNotStart(f"{log_dir.path} is not a readable log directory.") from error
            for name in names_there:
                if name in self._where and names.partition_of(name) is not None:
                    twice = f"{self._where[name].path}/{name}, {log_dir.path}/{name}"
                    raise BrokerWillNotStart(f"Duplicate log directories found: {twice}!")
                self._where[name] = log_dir

    def let_lead(self, log_dir: LogDir, leads: bool) -> None:
        """Note whether partitions in a directory can have a leader here."""
        log_dir.leads = leads
        self.all_lead = self.all_lead and leads

    @property
    def is_one(self) -> bool:
        return len(self.all) == 1

    @property
    def in_memory(self) -> bool:
        return isinstance(self._first.directory, MemoryDirectory)

    @property
    def online(self) -> list[LogDir]:
        """The directories that can be used."""
        return [log_dir for log_dir in self.all if log_dir.is_online]

    @property
    def paths(self) -> str:
        """The value of `log.dirs`."""
        return ",".join(log_dir.path for log_dir in self.all)

    def at(self, path: str) -> LogDir | None:
        """The directory with that path."""
        return next((log_dir for log_dir in self.all if log_dir.path == path), None)

    def of(self, topic: TopicName, index: PartitionIndex) -> LogDir:
        """The directory that holds, or would hold, a partition."""
        return self._first if self.is_one else self._place(names.partition_directory(topic, index))

    def holding(self, name: str) -> LogDir:
        """The log directory in which a directory lies."""
        return self._place(name)

    def want(self, topic: TopicName, index: PartitionIndex, log_dir: LogDir) -> None:
        """Have a future partition created in that directory."""
        self._wanted[names.partition_directory(topic, index)] = log_dir

    # ---- as one directory

    def directory(self, name: str) -> Directory:
        """The directory of that name, created if it is missing."""
        log_dir = self._first if self.is_one else self._where.setdefault(name, self._place(name))
        return log_dir.directory.directory(name)

    def rename_directory(self, old: str, new: str) -> None:
        """Rename a directory within the log directory that has it."""
        log_dir = self._place(old)
        log_dir.directory.rename_directory(old, new)
        self._where.pop(old, None)
        self._where[new] = log_dir

    def delete_directory(self, name: str) -> None:
        """Delete a directory with everything in it. Nothing happens if it does not exist."""
        self._place(name).directory.delete_directory(name)
        self._where.pop(name, None)

    def make(self, name: str, log_dir: LogDir) -> Directory:
        """Create a directory in that log directory."""
        self._where[name] = log_dir
        return log_dir.directory.directory(name)

    def unlock(self) -> None:
        """Unlock the directories: the broker stops."""
        for log_dir in self.all:
            log_dir.directory.unlock()

    def _place(self, name: str) -> LogDir:
        if self.is_one:
            return self._first
        log_dir = self._where.get(name) or self._wanted.get(name)
        return log_dir if log_dir is not None else min(self.online or self.all, key=self._load)

    def _load(self, log_dir: LogDir) -> int:
        """How many logs there are in the directory, without those that are to be deleted."""
        marks = (names.DELETE_DIRECTORY, names.STRAY_DIRECTORY)
        return sum(where is log_dir and not name.endswith(marks) for name, where in self._where.items())
