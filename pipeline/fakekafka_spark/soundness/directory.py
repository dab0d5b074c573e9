"""A directory of any storage, as the checks of `fakekafka.log` expect one."""

from collections.abc import Sequence
from typing import NamedTuple

from fakekafka.ids import Buffer, Position, TimestampMs

from fakekafka_spark.files.storage import Storage


class StorageFile(NamedTuple):
    """A file that is opened again for each piece, so that it need not be closed."""

    storage: Storage
    path: str
    size: int

    def read(self, position: Position, size: int) -> Sequence[Buffer]:
        """Up to `size` bytes from `position` on."""
        with self.storage.open(self.path) as file:
            return [file.read_at(max(0, min(size, self.size - position)), position)]


class StorageDirectory:
    """A `ReadableDirectory`. Its files and directories are listed once."""

    def __init__(self, storage: Storage, path: str) -> None:
        self._storage = storage
        self._path = path
        entries = storage.entries(path)
        self._sizes = {entry.name: entry.size for entry in entries if entry.is_file}
        self._directories = [entry.name for entry in entries if not entry.is_file]

    def names(self) -> list[str]:
        return sorted(self._sizes)

    def exists(self, name: str) -> bool:
        return name in self._sizes

    def last_modified_ms(self, name: str) -> TimestampMs:
        """Not known, and not needed."""
        return 0

    def open(self, name: str, now: TimestampMs) -> StorageFile:
        return StorageFile(self._storage, f"{self._path}/{name}", self._sizes[name])

    def read_all(self, name: str) -> bytes:
        return self._storage.read(f"{self._path}/{name}")

    def directories(self) -> list[str]:
        return sorted(self._directories)

    def directory(self, name: str) -> "StorageDirectory":
        return StorageDirectory(self._storage, f"{self._path}/{name}")
