"""`cells.toml`: which clients there are, and which cells a subset has.

A subset is a list of blocks; a block is the cross product of its lists. Axes that a block does not name default to all
clients, all releases and scenarios of the table, the release's own format, no phase, and no codec.
"""

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from itertools import product
from pathlib import Path
from typing import Any, Final, NamedTuple

from fakekafka import Release, UsageError
from fakekafka.releases.phases import find_phase
from fakekafka_spark.observations import Cell

AXES: Final = ("client", "release", "format", "phase", "codec", "scenario")
ARROW: Final = " -> "
"""The separator of the releases in an upgrade path."""
UPGRADES: Final = ("upgrade", "rolling upgrade")
"""The scenarios whose phase is an upgrade path. The second one has three brokers."""
WRITTEN_BY: Final = "written by"
SASL_SSL: Final = "SASL_SSL with"
MECHANISMS: Final = ("PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512")
"""The mechanisms by which clients log in, in scenarios whose names begin with `SASL_SSL`."""
CODECS: Final = ("none", "gzip", "snappy", "lz4", "zstd")
NEWEST_CAP: Final = 18
"""The highest existing versions of Produce and Fetch."""
HERE: Final = Path(__file__).parent
RUNTIMES: Final = {".py": "python", ".mjs": "node", ".java": "jdk"}
"""The field in a client's entry with the version of its driver's runtime, by the driver's suffix."""


class Client(NamedTuple):
    """A client library in one version."""

    name: str
    library: str
    """The library's name in its registry."""
    version: str
    packages: tuple[str, ...]
    """What the client's environment holds."""
    runtime: str
    """The version of its runtime: the Python, "3.11"; or the oldest Node, "20", or JDK, "17"."""
    driver: Path
    oldest: str
    """The oldest release that it talks to; `newest` is the newest one; "" is any."""
    newest: str
    transactions: bool
    negotiates: bool
    """Whether it sends each API in the highest version that both sides know. Other clients assume a release."""
    codecs: tuple[str, ...]
    """The codecs that it can write and read."""
    reads_from: int
    """The oldest message format that it can read."""
    assigns: bool
    """Whether it can be assigned partitions. Other clients read as a group of one, and may get records again."""
    mechanisms: tuple[str, ...]
    """The SASL mechanisms by which it can log in over TLS."""
    logs_in_from: str
    """The oldest release to which it can log in."""


class Table(NamedTuple):
    """A `cells.toml`."""

    clients: Mapping[str, Client]
    everything: Mapping[str, list[str]]
    """The default values of each axis, for blocks that do not name it."""
    subsets: Mapping[str, list[Mapping[str, list[str]]]]


def default_table() -> Path:
    """The path of `cells.toml`: in an installed wheel it lies in the package, in a source tree beside it."""
    inside = HERE / "cells.toml"
    return inside if inside.exists() else HERE.parent / "cells.toml"


def read_table(path: Path) -> Table:
    """Read a table; drivers are relative to it. Raises `UsageError` if it cannot be read."""
    try:
        content = tomllib.loads(path.read_text("utf-8"))
        clients = {name: _client(name, entry, path.parent) for name, entry in content["clients"].items()}
        everything = {
            "client": list(clients),
            "release": content["releases"],
            "format": [""],
            "phase": [""],
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
        entry[RUNTIMES[Path(entry["driver"]).suffix]],
        folder / entry["driver"],
        entry.get("oldest", "0.8.0"),
        entry.get("newest", ""),
        entry.get("transactions", False),
        entry.get("negotiates", False),
        tuple(entry.get("codecs", CODECS)),
        entry.get("reads_from", 0),
        entry.get("assigns", True),
        tuple(entry.get("mechanisms", ())),
        entry.get("logs_in_from", "0.10.0"),
    )


def cells(table: Table, subset: str | None, wanted: Mapping[str, list[str]]) -> list[Cell]:
    """The cells of a subset that are `wanted`, by axis; without a subset, all possible cells of what is wanted.

    Raises `UsageError` for names that the table does not have, and if no cell is left.
    """
    if subset is not None and subset not in table.subsets:
        raise UsageError(f"no subset {subset!r}: one of {', '.join(table.subsets)}")
    unknown = [name for name in wanted.get("client", ()) if name not in table.clients]
    if unknown:
        raise UsageError(f"no client {unknown[0]!r}: one of {', '.join(table.clients)}")
    blocks = [wanted] if subset is None else table.subsets[subset]
    everything = (cell for block in blocks for cell in _cross(table, block))
    chosen = list(dict.fromkeys(cell for cell in everything if _is_wanted(cell, wanted) and makes_sense(cell)))
    if not chosen:
        raise UsageError("no cells: an upgrade has a way, --phase '0.10.2 -> 2.3', others one phase of it, or none")
    return chosen


def makes_sense(cell: Cell) -> bool:
    """Whether this is a valid cell: an upgrade has a path from its release; the phase of any other cell is one of its
    release.
    """
    if (cell.scenario in UPGRADES) != (ARROW in cell.phase and ":" not in cell.phase):
        return False
    if not cell.phase:
        return True
    first = cell.phase.split(ARROW)[0]
    begins = Release.parse(first) if cell.scenario in UPGRADES else find_phase(cell.phase).release
    return begins == Release.parse(cell.release)


def _cross(table: Table, block: Mapping[str, list[str]]) -> Iterator[Cell]:
    axes = {**table.everything, **block}
    axes["scenario"] = [scenario for each in axes["scenario"] for scenario in _scenarios(table, each)]
    for values in product(*(axes[axis] for axis in AXES)):
        cell = Cell.of(*values)
        if cell.scenario != f"{WRITTEN_BY} {cell.client}":  # which is a round trip
            yield cell


def _scenarios(table: Table, text: str) -> Iterable[str]:
    """ "written by *" means by each client, "SASL_SSL with *" with each mechanism, "capped at *" at each version."""
    if not text.endswith(" *"):
        return [text]
    each: Iterable[object] = range(NEWEST_CAP + 1)
    if text.startswith(WRITTEN_BY):
        each = table.clients
    elif text.startswith(SASL_SSL):
        each = MECHANISMS
    return [text.replace("*", str(one)) for one in each]


def _is_wanted(cell: Cell, wanted: Mapping[str, list[str]]) -> bool:
    return all(any(fnmatchcase(getattr(cell, axis), value) for value in values) for axis, values in wanted.items())
