"""`cells.toml`: which clients there are, and which cells a subset has.

A subset is a list of blocks; a block is the cross product of its lists. What a block does not name is all clients, all
releases and scenarios of the table, the release's own format, and no codec.
"""

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from pathlib import Path
from typing import Any, Final, NamedTuple

from fakekafka import UsageError
from fakekafka_spark.observations import Cell

AXES: Final = ("client", "release", "format", "codec", "scenario")
HERE: Final = Path(__file__).parent


class Client(NamedTuple):
    """A client library in one version."""

    name: str
    library: str
    """Its name on the package index."""
    version: str
    packages: tuple[str, ...]
    """What its environment holds."""
    python: str
    """ "3.11": the Python of its environment."""
    driver: Path
    oldest: str
    """The oldest release that it talks to; `newest` likewise, "" for any."""
    newest: str
    transactions: bool
    negotiates: bool
    """Sends each API in the highest version that both sides know. Others go by what they take the release to be."""


class Table(NamedTuple):
    """A `cells.toml`."""

    clients: Mapping[str, Client]
    everything: Mapping[str, list[str]]
    """The values of each axis that a block which does not name it gets."""
    subsets: Mapping[str, list[Mapping[str, list[str]]]]


def default_table() -> Path:
    """Of an installed wheel it lies in the package, of a tree beside it."""
    inside = HERE / "cells.toml"
    return inside if inside.exists() else HERE.parent / "cells.toml"


def read_table(path: Path) -> Table:
    """Drivers are relative to the table. Raises `UsageError` for a table that is none."""
    try:
        content = tomllib.loads(path.read_text())
        clients = {name: _client(name, entry, path.parent) for name, entry in content["clients"].items()}
        everything = {
            "client": list(clients),
            "release": content["releases"],
            "format": [""],
            "codec": ["none"],
            "scenario": content["scenarios"],
        }
    except (OSError, tomllib.TOMLDecodeError, KeyError) as e:
        raise UsageError(f"{path}: {type(e).__name__} {e}; compat/README.md shows what a table needs") from None
    return Table(clients, everything, content.get("subsets", {}))


def _client(name: str, entry: Mapping[str, Any], folder: Path) -> Client:
    return Client(
        name,
        entry["library"],
        entry["version"],
        tuple(entry["packages"]),
        entry["python"],
        folder / entry["driver"],
        entry.get("oldest", "0.8.0"),
        entry.get("newest", ""),
        entry.get("transactions", False),
        entry.get("negotiates", False),
    )


def cells(table: Table, subset: str | None, wanted: Mapping[str, list[str]]) -> list[Cell]:
    """The cells of a subset that are `wanted`, by axis; without a subset, all that can be made of what is wanted.

    Raises `UsageError` for names that the table does not have.
    """
    if subset is not None and subset not in table.subsets:
        raise UsageError(f"no subset {subset!r}: one of {', '.join(table.subsets)}")
    unknown = [name for name in wanted.get("client", ()) if name not in table.clients]
    if unknown:
        raise UsageError(f"no client {unknown[0]!r}: one of {', '.join(table.clients)}")
    if subset is None:
        return list(_cross({**table.everything, **wanted}))
    found = (cell for block in table.subsets[subset] for cell in _cross({**table.everything, **block}))
    return list(dict.fromkeys(cell for cell in found if _is_wanted(cell, wanted)))


def _cross(axes: Mapping[str, Iterable[str]]) -> Iterator[Cell]:
    for client, release, format, codec, scenario in product(*(axes[axis] for axis in AXES)):
        yield Cell.of(client, release, format, "", codec, scenario)


def _is_wanted(cell: Cell, wanted: Mapping[str, list[str]]) -> bool:
    return all(getattr(cell, axis) in values for axis, values in wanted.items())
