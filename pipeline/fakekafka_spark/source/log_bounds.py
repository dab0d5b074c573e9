"""Where logs that are made of others begin and end: also if their last records could not be kept, or none at all.

A consumer's committed offset is valid between the two. The beginning is the base of the first segment and, as in a
broker's log directory, a line in `log-start-offset-checkpoint`. The end is that of an empty newest segment: a broker of
any release goes on there.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from fakekafka.errors import MalformedBytes
from fakekafka.ids import Offset
from fakekafka.log import names
from fakekafka.log.checkpoints import checkpoint_rows

BOUNDS = "logbounds"
"""The writer's option: {"orders-0": [start, end]} as JSON."""


class Bounds(NamedTuple):
    """The first offset of a log, and the one behind its last."""

    start: Offset
    end: Offset

    @classmethod
    def parsed(cls, text: str) -> "dict[str, Bounds]":
        """Keyed by the name of the partition's directory."""
        return {name: cls(*bounds) for name, bounds in json.loads(text).items()}


def as_text(bounds: Mapping[str, Bounds]) -> str:
    """The value of the option."""
    return json.dumps(bounds)


def end_at(folder: Path, end: Offset) -> None:
    """Have a log that was closed end at `end`, if it ends earlier: a new empty segment with the indexes of the last."""
    last = max(path.stem for path in folder.glob(f"*{names.LOG}"))
    if int(last) < end and not (folder / names.of_offset(end, names.LOG)).exists():
        for kind in (names.LOG, names.OFFSET_INDEX, names.TIME_INDEX):
            if (folder / f"{last}{kind}").exists():
                (folder / names.of_offset(end, kind)).touch()


def rows_of(checkpoint: Path) -> dict[str, Offset]:
    """The offsets of a checkpoint, by its words for the partition; nothing if there is none that can be read."""
    try:
        return {" ".join(row[:-1]): int(row[-1]) for row in checkpoint_rows(checkpoint.read_bytes())}
    except (FileNotFoundError, MalformedBytes, ValueError, IndexError):
        return {}
