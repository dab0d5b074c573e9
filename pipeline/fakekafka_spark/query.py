"""What a user asks for, from the options of a source or the arguments of a function: one value, checked.

Offsets of partitions are written as in Spark's Kafka connector: {"orders": {"0": 23, "1": -2}}, where -2 means the
beginning and -1 the end; `earliest` and `latest` mean that for all partitions. A plain number, which the connector does
not take, is the offset in every partition.
"""

import json
from collections.abc import Mapping
from typing import NamedTuple, Self, TypeAlias

from fakekafka.errors import UsageError
from fakekafka.ids import Offset, PartitionIndex, TopicName

from fakekafka_spark.options import ISOLATIONS, READ_COMMITTED, check_names, choice, flag, number
from fakekafka_spark.views import View, mode_of, selected, view_of
from fakekafka_spark.wanted import HIGHEST, LOWEST, Bounds, Wanted

SPLIT_BYTES = 64 << 20

EARLIEST, LATEST = -2, -1
WORDS = {"earliest": EARLIEST, "latest": LATEST}

Offsets: TypeAlias = dict[TopicName, dict[str, Offset]]
"""Offsets by topic, then by partition; in JSON, keys are texts."""

OPTIONS = (
    "view", "columns", "mode", "isolation", "control", "deleted", "checkCrcs", "useIndex", "splitBytes", "pushdown",
    "topic", "partition", "startingOffsets", "endingOffsets", "startingTimestamp", "maxOffsetsPerTrigger",
    "failOnDataLoss", "path", "paths",
)  # fmt: skip
"""Every option of readers; all others begin with `storage.`."""


class Query(NamedTuple):
    """A view of some partitions."""

    view: View
    columns: tuple[str, ...]
    mode: str
    committed: bool = False
    """Whether what was aborted and what is undecided is left out."""
    control: bool = False
    deleted: bool = False
    """Whether records below the log start offset are wanted."""
    check_crcs: bool = True
    use_index: bool = True
    split_bytes: int = SPLIT_BYTES
    topics: frozenset[TopicName] | None = None
    """None: all."""
    partitions: frozenset[PartitionIndex] | None = None
    named_topics: frozenset[TopicName] = frozenset()
    """The topics that the user named, which must exist; filters may ask for others."""
    named_partitions: frozenset[PartitionIndex] = frozenset()
    starts: Offset | Offsets = EARLIEST
    ends: Offset | Offsets = LATEST
    """The first offset that is not wanted any more."""
    bounds: Bounds = Bounds()
    """What holds for all partitions alike."""
    streamed: bool = False
    """Whether it is read bit by bit, each bit once."""

    @classmethod
    def of(cls, options: Mapping[str, str]) -> Self:
        """The query that these options ask for. Raises `UsageError`."""
        options = {name.lower(): value for name, value in options.items()}
        check_names(options, OPTIONS)
        view = view_of(options.get("view", "records"))
        mode = mode_of(view, options.get("mode"))
        return cls(
            view=view,
            columns=selected(view, options.get("columns"), mode),
            mode=mode,
            committed=choice(options, "isolation", ISOLATIONS) == READ_COMMITTED,
            control=flag(options, "control", False),
            deleted=flag(options, "deleted", False),
            check_crcs=flag(options, "checkCrcs", True),
            use_index=flag(options, "useIndex", True),
            split_bytes=number(options, "splitBytes", SPLIT_BYTES),
            topics=_names(options.get("topic")),
            partitions=_partitions(options.get("partition")),
            named_topics=_names(options.get("topic")) or frozenset(),
            named_partitions=_partitions(options.get("partition")) or frozenset(),
            starts=_offsets(options.get("startingoffsets", "earliest"), "startingOffsets"),
            ends=_offsets(options.get("endingoffsets", "latest"), "endingOffsets"),
            bounds=Bounds(timestamp_from=number(options, "startingTimestamp", LOWEST)),
        )

    def of_partition(self, topic: TopicName, partition: PartitionIndex) -> Bounds:
        """What is wanted of one partition."""
        start = offset_in(self.starts, topic, partition, EARLIEST)
        end = offset_in(self.ends, topic, partition, LATEST)
        return self.bounds._replace(
            offset_from=max(self.bounds.offset_from, HIGHEST if start == LATEST else start),
            offset_end=min(self.bounds.offset_end, {LATEST: HIGHEST, EARLIEST: LOWEST}.get(end, end)),
        )

    def wanted(self) -> Wanted:
        """What a reader of one segment is given; the bounds are the split's."""
        return Wanted(self.view, self.columns, self.mode, self.check_crcs, self.control, committed=self.committed,
                      streamed=self.streamed)  # fmt: skip


def offset_in(given: Offset | Offsets, topic: TopicName, partition: PartitionIndex, default: Offset) -> Offset:
    """What was given for a partition; `default` for one that is not named."""
    if isinstance(given, int):
        return given
    return given.get(topic, {}).get(str(partition), default)


def _offsets(text: str, name: str) -> Offset | Offsets:
    """The value of an option: one offset for all, or one for each partition. Raises `UsageError`."""
    if text in WORDS:
        return WORDS[text]
    if text.isdecimal():
        return int(text)
    try:
        parsed = json.loads(text)
        return {topic: {str(int(p)): int(o) for p, o in some.items()} for topic, some in parsed.items()}
    except (ValueError, AttributeError, TypeError):
        raise UsageError(
            f'{name} is earliest, latest, a number, or like {{"orders": {{"0": 23}}}}, not {text!r}'
        ) from None


def _names(text: str | None) -> frozenset[str] | None:
    return None if text is None else frozenset(map(str.strip, text.split(",")))


def _partitions(text: str | None) -> frozenset[PartitionIndex] | None:
    names = _names(text)
    if names is None:
        return None
    if not all(map(str.isdecimal, names)):
        raise UsageError(f"partition is a number, or several with commas, not {text!r}")
    return frozenset(map(int, names))
