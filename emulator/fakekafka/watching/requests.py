"""The remembered requests: searched, waited for, and exported for tools."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, SupportsIndex, overload

from fakekafka.errors import UsageError
from fakekafka.server.journal import Entry, Journal

if TYPE_CHECKING:
    from fakekafka.faults.match import Apis, Match
    from fakekafka.inspection.journal_lines import JournalLine

MOST_SHOWN = 10


class Requests(list[Entry]):
    """Requests, oldest first. `where` picks some of them."""

    def where(
        self, api: "Apis" = None, *, error: str | None = None, answered: bool | None = None, **match: Any
    ) -> "Requests":
        """The requests of an API, by name or key, that fit `match`: any field of a fault rule's match, such as
        `topic="orders"`, `client_id="svc-*"`, `group=`, `version=`, `broker=`, `where=`.

        `error`: one that the answer has, or "closed", "no answer". `answered`: whether there is an answer already.
        Raises `UsageError` for an API or a field that does not exist.
        """
        wanted = Wanted(api, error, answered, match)
        return Requests(each for each in self if wanted.is_like(each))

    def to_jsonl(self, path: str | Path) -> None:
        """Write a file of JSON lines, as `fakekafka diagnose` reads it (`inspection.journal_lines`)."""
        from fakekafka.inspection.journal_lines import written

        lines = "\n".join(written(map(_line, self)))
        Path(path).write_text(lines + "\n" if lines else "", "utf-8")

    def to_pcap(self, path: str | Path) -> None:
        """Write a capture that Wireshark shows as Kafka: each broker is a host that listens on port 9092, whatever its
        real port, and encrypted connections are plain. Answers that cannot be read any more are left out.
        """
        from fakekafka.watching.capture import capture

        Path(path).write_bytes(capture(self))

    @overload
    def __getitem__(self, at: SupportsIndex) -> Entry: ...
    @overload
    def __getitem__(self, at: slice) -> "Requests": ...
    def __getitem__(self, at: SupportsIndex | slice) -> "Entry | Requests":
        return Requests(super().__getitem__(at)) if isinstance(at, slice) else super().__getitem__(at)


def _line(entry: Entry) -> "JournalLine":
    from fakekafka.inspection.journal_lines import line_of

    ended = None if entry.response is not None else entry.error or "no answer yet"
    call = entry.call
    return line_of(
        entry.at_ms,
        str(entry.connection),
        call.client_id,
        entry.request,
        call.version,
        entry.response,
        ended,
        entry.broker,
        entry.took_ms,
        entry.fault,
    )


class Wanted:
    """A filter for requests."""

    def __init__(self, api: "Apis", error: str | None, answered: bool | None, match: dict[str, Any]) -> None:
        from fakekafka.faults.match import matching

        self.match: Match = matching(api, match)
        self._error = error
        self._answered = answered

    def is_like(self, entry: Entry) -> bool:
        """Whether a request passes the filter."""
        from fakekafka.faults.seen import seen

        if self._answered not in (None, entry.is_over):
            return False
        if self._error is not None and self._error not in (entry.error or "").split(", "):
            return False
        api = self.match.api
        return (api is None or entry.call.key in api) and self.match.is_like(seen(entry.call, entry.request))


class RequestsThere:
    """At least `count` requests that pass a filter, including those remembered when the wait begins."""

    def __init__(self, journal: Callable[[], Journal], wanted: Wanted, count: int) -> None:
        self._journal = journal
        self._wanted = wanted
        self._count = count
        self._matching: dict[Entry, None] = {}
        if count < 1:
            raise UsageError(f"count={count}: wait for one request at least")

    def ask(self) -> Requests | None:
        journal = self._journal()
        if not journal.length:
            raise UsageError("requests are not remembered: leave out journal=0")
        for entry in journal.entries:
            if entry not in self._matching and self._wanted.is_like(entry):
                self._matching[entry] = None
        return Requests(self._matching) if len(self._matching) >= self._count else None

    def instead(self) -> str:
        last = list(self._journal().entries)[-MOST_SHOWN:]
        return f"{len(self._matching)} of {self._count} requests came; the last of all: {_listed(last) or 'none'}"


def _listed(entries: Sequence[Entry] | Iterable[Entry]) -> str:
    return "; ".join(map(repr, entries))
