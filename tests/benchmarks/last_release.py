"""The ratios of the last release, and what has become worse since: `run.py --save` and `run.py --check`.

Only ratios against a peer in the same run are kept: times depend on the machine. Whoever releases saves them, see
RELEASING.md.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

from tests.benchmarks.measuring import Row

FILE: Final = Path(__file__).parent / "last_release.json"
WORSE: Final = 1.1
"""A ratio counts as worse if it has grown by more than a tenth."""
RATES: Final = ("k/s", "M/s", "MB/s", "MiB/s", "GB/s")
"""Units of which more is better."""


def ratios(title: str, rows: Iterable[Row]) -> dict[str, float]:
    """The ratios of one benchmark by name; for a rate it is the peer's to ours, so that less is always better."""
    found: dict[str, float] = {}
    last = ""
    for row in rows:
        name = f"{last}{row.what}" if row.what.startswith("  ") else row.what
        last = last if row.what.startswith("  ") else row.what
        if row.ratio:
            found[f"{title}: {name}"] = 1 / row.ratio if row.unit in RATES else row.ratio
    return found


def worse(before: Mapping[str, float], now: Mapping[str, float]) -> Iterator[str]:
    """The ratios that have become worse; a ratio that is missing on one side is not compared."""
    for name, ratio in now.items():
        if name in before and ratio > before[name] * WORSE:
            yield f"{name}: {ratio / before[name]:.2f} times as much, compared with the peer, as in the last release"


def saved() -> dict[str, float]:
    """The last release's ratios. Raises FileNotFoundError if there has been none."""
    found: dict[str, float] = json.loads(FILE.read_text("utf-8"))
    return found


def save(now: Mapping[str, float]) -> None:
    """Save the ratios as the last release's."""
    FILE.write_text(json.dumps(dict(sorted(now.items())), indent=1) + "\n", "utf-8")
