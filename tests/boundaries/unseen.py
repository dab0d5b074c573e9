"""`unseen.toml`: why real brokers show nothing of some changes, each with one sentence, by kinds of reasons.

    ["A disk that fails under a running broker"]
    "produce.old_storage_error 2.8" = "Recordings change files only while the broker is down."

A change needs no reason here if one of its sides has no release that could be asked (`reach.py`).
"""

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tests.boundaries.changes import Change
from tests.boundaries.reach import is_out_of_reach
from tests.boundaries.table import Held

PATH: Final = Path(__file__).parent / "unseen.toml"


def reasons(path: Path = PATH) -> dict[str, str]:
    """The reasons by the changes' names. Raises ValueError for a change with two reasons."""
    found: dict[str, str] = {}
    for rows in tomllib.loads(path.read_text("utf-8")).values():
        for name, sentence in rows.items():
            if name in found:
                raise ValueError(f"two reasons for {name}")
            found[name] = sentence
    return found


def unexplained(changes: dict[str, Change], table: dict[str, Held], known: dict[str, str]) -> Iterator[str]:
    """Changes that nothing shows, and that could be shown, without a reason."""
    for name, held in table.items():
        if held == Held(None, None) and name not in known and not is_out_of_reach(changes[name]):
            yield name


def needless(changes: dict[str, Change], table: dict[str, Held], known: dict[str, str]) -> Iterator[str]:
    """Reasons for changes that are gone, that are shown on both sides, or that nobody could show."""
    for name in known:
        held = table.get(name)
        if held is None or (held.without and held.with_it) or is_out_of_reach(changes[name]):
            yield name
