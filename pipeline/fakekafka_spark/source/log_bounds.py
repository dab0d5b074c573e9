"""Where logs that are made of others begin and end, even if their last records, or all of them, could not be kept.

A consumer's committed offset is valid between the two. The beginning is the base of the first segment and, as in a
broker's log directory, a line in `log-start-offset-checkpoint`. The end is that of an empty newest segment: a broker of
any release continues there.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from fakekafka.errors import MalformedBytes, UsageError
from fakekafka.ids import Offset
from fakekafka.log import names
from fakekafka.log.checkpoints import checkpoint_rows

from fakekafka_spark.source.legal import check_topic

BOUNDS = "logbounds"
"""The writer's option: {"orders-0": [start, end]} as JSON."""


class Bounds(NamedTuple):
    """The first offset of a log, and the one after its last."""

    start: Offset
    end: Offset

    @classmethod
    def parsed(cls, text: str) -> "dict[str, Bounds]":
        """The bounds of logs, by the names of their partitions' directories. Raises `UsageError` for a name that no
        partition has.
        """
        by_name = {name: cls(*bounds) for name, bounds in json.loads(text).items()}
        for name in by_name:
            topic, partition = names.partition_of(name) or (name, 0)
            check_topic(topic)
            if name != names.partition_directory(topic, partition):
                raise UsageError(f"{name!r} is not the name of a partition's directory")
        return by_name


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
