"""A part of one segment: what one task reads at a time."""

from typing import NamedTuple

from fakekafka.ids import Offset, Position

from fakekafka_spark.files.layout import Segment
from fakekafka_spark.wanted import Bounds, SegmentFile


class Split(NamedTuple):
    """A part of one segment, for one task."""

    place: SegmentFile
    segment: Segment
    start: Position
    end: Position
    bounds: Bounds
    first_key: Offset | None = None
    """The offset of the index entry that points at `start`."""
    is_rough: bool = False
    """Whether it begins and ends at the first units after `start` and `end`, which have not been looked up yet."""
