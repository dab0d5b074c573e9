"""Requests that a cluster in another process remembers."""

import inspect
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from fakekafka.control import journal
from fakekafka.control.journal import SeenRequest
from fakekafka.errors import UsageError
from fakekafka.faults.match import api_name, matching
from fakekafka.remote.forwarding import Remote, forwarded
from fakekafka.watching import TIMEOUT_S

if TYPE_CHECKING:
    from fakekafka.faults.match import Apis

HEX: Final = "$hex"
EVERY: Final = 1 << 31
"""More requests than are ever remembered."""
FIELDS: Final = frozenset(inspect.signature(journal.requests).parameters)
"""Fields of a match that say something about a request by itself."""


class Fields:
    """The fields of a message as attributes."""

    def __init__(self, fields: dict[str, Any]) -> None:
        self.__dict__.update({name: _value(value) for name, value in fields.items()})

    def __repr__(self) -> str:
        return f"Fields({', '.join(f'{name}={value!r}' for name, value in vars(self).items())})"


def _value(value: Any) -> Any:
    if isinstance(value, dict):
        return bytes.fromhex(value[HEX]) if value.keys() == {HEX} else Fields(value)
    return [_value(each) for each in value] if isinstance(value, list) else value


class RemoteEntry:
    """One request: the fields of its line as attributes, and `request` and `response` decoded."""

    def __init__(self, seen: SeenRequest) -> None:
        self.line = seen.line
        self.request: Any = Fields(seen.request)
        self.response: Any = None if seen.response is None else Fields(seen.response)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self.line, name)

    def __repr__(self) -> str:
        return f"<{self.line}>"


class RemoteJournal(Remote):
    """The journal of a cluster in another process."""

    _requests = forwarded(journal.requests)
    _wait = forwarded(journal.wait_for_request)
    pcap = forwarded(journal.requests_as_pcap)
    json_lines = forwarded(journal.requests_as_json_lines)

    def picked(
        self, api: "Apis" = None, error: str | None = None, answered: bool | None = None, **match: Any
    ) -> list[SeenRequest]:
        """The requests that match; see `Requests.where`, also for what it raises."""
        return self._requests(**_as_sent(api, match), error=error, answered=answered, limit=EVERY)

    def waited_for(
        self,
        api: "Apis" = None,
        count: int = 1,
        error: str | None = None,
        answered: bool | None = None,
        timeout: float = TIMEOUT_S,
        **match: Any,
    ) -> list[SeenRequest]:
        """The requests that match, as soon as there are `count`; see `FakeKafka.wait_for_request`."""
        sent = _as_sent(api, match)
        return self._wait(**sent, error=error, answered=answered, count=count, timeout=timeout)


def _as_sent(api: "Apis", match: dict[str, Any]) -> dict[str, Any]:
    """A filter as the operations take it. Raises `UsageError` for a filter that no request could pass."""
    wanted = matching(api, match)
    if wanted.where is not None:
        raise UsageError("where= takes a function, which cannot be sent to another process")
    fields = {name: value for name, value in match.items() if name in FIELDS}
    return {"api": None if wanted.api is None else ",".join(map(api_name, wanted.api)), **fields}


class RemoteRequests(list[RemoteEntry]):
    """Requests, oldest first."""

    def __init__(self, journal: RemoteJournal, seen: Iterable[SeenRequest]) -> None:
        super().__init__(map(RemoteEntry, seen))
        self._journal = journal

    def where(
        self, api: "Apis" = None, *, error: str | None = None, answered: bool | None = None, **match: Any
    ) -> "RemoteRequests":
        """The requests that match: `topic=`, `group=`, `client_id=`, …; see `Requests.where`."""
        own = {entry.number for entry in self}
        picked = self._journal.picked(api, error, answered, **match)
        return RemoteRequests(self._journal, (each for each in picked if each.line.number in own))

    def to_jsonl(self, path: str | Path) -> None:
        """Write a file of JSON lines; see `Requests.to_jsonl`."""
        Path(path).write_bytes(self._journal.json_lines([entry.number for entry in self]))

    def to_pcap(self, path: str | Path) -> None:
        """Write a packet capture; see `Requests.to_pcap`."""
        Path(path).write_bytes(self._journal.pcap([entry.number for entry in self]))
