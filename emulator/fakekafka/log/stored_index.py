"""An index together with its file: loaded when first asked for, written to the file when it has been changed.

Both kinds of index live in memory while their segment is open. Their file is written when it is made, resized, trimmed
or flushed; a file that was only read stays as it is, byte for byte. Entries that are dropped stay in the file until
others take their place or it is trimmed (AbstractIndex only moves its end): after a kill they can still be read.
"""

from typing import Generic, Protocol, TypeVar

from fakekafka.ids import Buffer, Offset
from fakekafka.log.files import Directory, Mapped


class Index(Protocol):
    """What both kinds of index have in common."""

    max_entries: int

    @property
    def entry_size(self) -> int:
        """Bytes of an entry."""

    def __len__(self) -> int: ...
    def load(self, data: Buffer) -> None: ...
    def truncate_to(self, offset: Offset) -> None: ...
    def clear(self) -> None: ...
    def content(self) -> bytes: ...


Kind = TypeVar("Kind", bound=Index)


class StoredIndex(Generic[Kind]):
    """An index and the file `name`. A file that is missing is created, with its full size."""

    __slots__ = ("_directory", "_dropped", "_entries_flushed", "_index", "_is_loaded", "_mapped", "name")

    def __init__(self, directory: Directory, name: str, index: Kind) -> None:
        self._directory = directory
        self._index = index
        self._mapped: Mapped | None = None  # None while the file is unchanged
        self._entries_flushed = -1  # -1: the file's size has changed since the last flush
        self._dropped = b""  # the file as it was before entries were dropped: shows after those that are left
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

    def truncate_to(self, offset: Offset) -> None:
        """Drop the entries of `offset` and later."""
        self._dropped = self._content()
        self.index.truncate_to(offset)

    def clear(self) -> None:
        """Drop all entries, including those of a file that was not read yet; the file has its full size."""
        dropped = b""
        if self._is_loaded:
            dropped = self._content()
        elif self._directory.exists(self.name):
            dropped = self._directory.read_all(self.name)[: self._full_size]
        self._dropped = dropped.rstrip(b"\0")  # after a kill that is most of the file, and zeros follow anyway
        self._is_loaded = True
        self._index.clear()
        self.resize()

    def resize(self) -> None:
        """Give the file its full size, because the segment is the active one: zeros follow what it holds."""
        self._show(self._full_size)

    def trim(self) -> None:
        """Cut the file to the entries."""
        size = len(self.index) * self._index.entry_size
        self._dropped = b""
        if self._mapped is not None or self._directory.size_of(self.name) != size:
            self._show(0)

    @property
    def _full_size(self) -> int:
        return self._index.max_entries * self._index.entry_size

    def _content(self) -> bytes:
        entries = self.index.content()
        return entries + self._dropped[len(entries) :]

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
        _ = self.index  # read before the file is written
        self._entries_flushed = -1
        if self._mapped is None:
            self._mapped = self._directory.map(self.name, self._content, length)
        else:
            self._mapped.resize(length)
