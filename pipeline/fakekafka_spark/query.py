"""What a user asks for, from the options of a source or the arguments of a function: one value, checked."""

from collections.abc import Mapping
from typing import NamedTuple, Self

from fakekafka.errors import UsageError
from fakekafka.ids import Offset, PartitionIndex, TopicName

from fakekafka_spark import offsets
from fakekafka_spark.offsets import EARLIEST, LATEST, Offsets
from fakekafka_spark.options import check_names, choice, flag, number
from fakekafka_spark.views import View, mode_of, selected, view_of
from fakekafka_spark.wanted import HIGHEST, LOWEST, Bounds, Wanted

READ_UNCOMMITTED, READ_COMMITTED = ISOLATIONS = ("read_uncommitted", "read_committed")
SPLIT_BYTES = 64 << 20

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
    """Leave out what was aborted and what is undecided."""
    control: bool = False
    deleted: bool = False
    """Are records below the log start offset wanted?"""
    check_crcs: bool = True
    use_index: bool = True
    split_bytes: int = SPLIT_BYTES
    topics: frozenset[TopicName] | None = None
    """None: all."""
    partitions: frozenset[PartitionIndex] | None = None
    starts: Offset | Offsets = EARLIEST
    ends: Offset | Offsets = LATEST
    """The first offset that is not wanted any more."""
    bounds: Bounds = Bounds()
    """What holds for all partitions alike."""

    @classmethod
    def of(cls, options: Mapping[str, str]) -> Self:
        """Raises `UsageError`."""
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
            starts=offsets.parsed(options.get("startingoffsets", "earliest"), "startingOffsets"),
            ends=offsets.parsed(options.get("endingoffsets", "latest"), "endingOffsets"),
            bounds=Bounds(timestamp_from=number(options, "startingTimestamp", LOWEST)),
        )

    def of_partition(self, topic: TopicName, partition: PartitionIndex) -> Bounds:
        """What is wanted of one partition."""
        start = offsets.of_partition(self.starts, topic, partition, EARLIEST)
        end = offsets.of_partition(self.ends, topic, partition, LATEST)
        return self.bounds._replace(
            offset_from=max(self.bounds.offset_from, HIGHEST if start == LATEST else start),
            offset_end=min(self.bounds.offset_end, {LATEST: HIGHEST, EARLIEST: LOWEST}.get(end, end)),
        )

    def wanted(self) -> Wanted:
        """What a reader of one segment is told; the bounds and what was aborted are the split's."""
        return Wanted(self.view, self.columns, self.mode, self.check_crcs, self.control)


def _names(text: str | None) -> frozenset[str] | None:
    return None if text is None else frozenset(map(str.strip, text.split(",")))


def _partitions(text: str | None) -> frozenset[PartitionIndex] | None:
    found = _names(text)
    if found is None:
        return None
    if not all(map(str.isdecimal, found)):
        raise UsageError(f"partition is a number, or several with commas, not {text!r}")
    return frozenset(map(int, found))
