"""Requests that a cluster elsewhere remembers."""

from collections.abc import Callable
from typing import Any

from fakekafka.control.journal import SeenRequest

HEX = "$hex"


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
    """One request: what its line says, as attributes, and `request` and `response` decoded."""

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


class RemoteRequests(list[RemoteEntry]):
    """Requests, oldest first."""

    def __init__(self, ask: Callable[..., list[SeenRequest]], **match: Any) -> None:
        super().__init__(map(RemoteEntry, ask(**match)))
        self._ask = ask

    def where(self, api: str | None = None, *, error: str | None = None, **match: Any) -> "RemoteRequests":
        """The requests of an API that match: `topic=`, `group=`, `client_id=`, …; see `Requests.where`."""
        return RemoteRequests(self._ask, api=api, error=error, **match)
