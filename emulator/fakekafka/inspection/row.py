"""One line of a listing: its kind, and its fields in order."""

import json
from collections.abc import Mapping
from typing import Literal, NamedTuple, TypeAlias

Value: TypeAlias = object
"""A number, a text, bytes, None, or a list or mapping of these."""


RowKind: TypeAlias = Literal[
    "batch", "record", "index", "timeindex", "txnindex", "producer", "checkpoint", "property", "broken"
]
"""The kind of a row; "broken" is the position from which a file cannot be read."""


class Row(NamedTuple):
    """A row of a file. `position`: its position in the file; None for text files."""

    kind: RowKind
    position: int | None
    fields: Mapping[str, Value]
    depth: int = 0
    """1 if it is part of the row before it."""

    def as_text(self) -> str:
        """The row for people: `position kind name=value …`."""
        at = "" if self.position is None else f"{self.position:>10} "
        words = (f"{name}={_text(value)}" for name, value in self.fields.items())
        return f"{'  ' * self.depth}{at}{self.kind} {' '.join(words)}".rstrip()

    def as_json(self) -> str:
        """The row for programs: one JSON object. Bytes are strings if they are UTF-8, otherwise {"hex": …}."""
        at = {} if self.position is None else {"position": self.position}
        return json.dumps({"kind": self.kind} | at | {name: plain(value) for name, value in self.fields.items()})


def plain(value: Value) -> Value:
    """The value as JSON has it."""
    if isinstance(value, bytes | bytearray | memoryview):
        data = bytes(value)
        try:
            return data.decode()
        except UnicodeDecodeError:
            return {"hex": data.hex()}
    if isinstance(value, Mapping):
        return {str(name): plain(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [plain(inner) for inner in value]
    return value


def _text(value: Value) -> str:
    if value is None:
        return "null"
    if isinstance(value, bytes | bytearray | memoryview):
        return repr(bytes(value))[1:]
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping | list | tuple):
        return json.dumps(plain(value), separators=(",", ":"))
    return str(value)
