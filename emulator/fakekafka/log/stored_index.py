"""An index together with its file: loaded when first asked for, written to the file when it has been changed.

Both kinds of index live in memory while their segment is open. Their file is written when it is made, resized, trimmed
or flushed; a file that was only read stays as it is, byte for byte.
"""

from typing import Generic, Protocol, TypeVar

from fakekafka.ids import Buffer
from fakekafka.log.files import Directory, Mapped


class Index(Protocol):
    """What both kinds of index have in common."""

    max_entries: int

    @property
    def entry_size(self) -> int:
        """Bytes of an entry."""

    def __len__(self) -> int: ...
    def load(self, data: Buffer) -> None: ...
    def clear(self) -> None: ...
    def content(self) -> bytes: ...


Kind = TypeVar("Kind", bound=Index)


class StoredIndex(Generic[Kind]):
    """An index and the file `name`. A file that is missing is created, with its full size."""

    __slots__ = ("_directory", "_entries_flushed", "_index", "_is_loaded", "_mapped", "name")

    def __init__(self, directory: Directory, name: str, index: Kind) -> None:
        self._directory = directory
        self._index = index
        self._mapped: Mapped | None = None  # None while the file holds what it held before
        self._entries_flushed = -1  # -1: the file's size has changed since the last flush
        self.name = name
        self._is_loaded = not directory.exists(name)
        if self._is_loaded:
            self.resize()

    @property
    def index(self) -> Kind:
        """The index, with what the file holds."""
        if not self._is_loaded:
            self._is_loaded = True
            self._index.load(self._directory.read_all(self.name))
        return self._index

    def clear(self) -> None:
        """Drop all entries, including those of a file that was not read yet; the file has its full size."""
        self._is_loaded = True
        self._index.clear()
        self.resize()

    def resize(self) -> None:
        """Give the file its full size, with zeros after the entries, because the segment is the active one."""
        self._show(self._index.max_entries * self._index.entry_size)

    def trim(self) -> None:
        """Cut the file to the entries."""
        size = len(self.index) * self._index.entry_size
        if self._mapped is not None or self._directory.size_of(self.name) != size:
            self._show(0)

    def flush(self) -> None:
        """Write what has changed; a real broker's memory map is always up to date."""
        if self._mapped is not None and len(self._index) != self._entries_flushed:
            self._entries_flushed = len(self._index)
            self._mapped.flush()

    def close(self) -> None:
        """Flush and release the file."""
        if self._mapped is not None:
            self._mapped.close()

    def _show(self, length: int) -> None:
        index = self.index
        self._entries_flushed = -1
        if self._mapped is None:
            self._mapped = self._directory.map(self.name, index.content, length)
        else:
            self._mapped.resize(length)
