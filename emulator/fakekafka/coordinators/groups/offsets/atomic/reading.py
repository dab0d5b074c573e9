"""Messages of the "offset-commit-log", put together into commits."""

from typing import NamedTuple

from fakekafka.coordinators.groups.offsets.atomic.entries import Entry
from fakekafka.ids import Offset


class Commit(NamedTuple):
    """The existing messages of one commit, one after the other."""

    entries: list[Entry]
    is_whole: bool


class CommitReader:
    """Takes the messages of a log that begins at `start`, in their order.

    A commit is whole if as many messages with its id follow each other as it says. Messages that the cleaner has
    removed leave gaps between offsets, those that were never written do not: so gaps next to a commit count in its
    favour. A tombstone stands for itself.
    """

    def __init__(self, start: Offset) -> None:
        self._behind = start
        """The offset after the last commit."""
        self._open: list[Entry] = []

    def take(self, entry: Entry) -> list[Commit]:
        """The commits that end before this message, or with it."""
        goes_on = bool(self._open) and _transaction(self._open[0]) == _transaction(entry)
        ended = [] if goes_on else self.close(entry.at)
        self._open.append(entry)
        if entry.value is None or len(self._open) >= entry.value.size:
            ended += self.close(entry.at + 1)
        return ended

    def close(self, end: Offset) -> list[Commit]:
        """The commit whose messages end here, if one has begun."""
        if not self._open:
            return []
        value = self._open[0].value
        commit = Commit(self._open, value is None or end - self._behind >= value.size)
        self._behind, self._open = self._open[-1].at + 1, []
        return [commit]


def _transaction(entry: Entry) -> int | None:
    return None if entry.value is None else entry.value.transaction
