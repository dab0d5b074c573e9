"""The units of a part of a segment, read from its file piece by piece, with the bytes that are not units."""

from collections.abc import Iterator

from fakekafka.ids import Position
from fakekafka.plugins.dialects import FirstSetsBeside

from fakekafka_spark.files.dialects import dialect_of
from fakekafka_spark.files.indexes import read_offset_entries
from fakekafka_spark.files.layout import Segment
from fakekafka_spark.files.storage import Storage
from fakekafka_spark.parse.chunks import Chunk, Fault, Longs, Range, chunks, runs
from fakekafka_spark.parse.first_sets import units_beside
from fakekafka_spark.parse.units import Units, units_of


def walk(
    storage: Storage, segment: Segment, start: Position = 0, end: Position | None = None
) -> Iterator[Units | Fault]:
    """The headers of the units from `start` up to `end` (None: that of the segment), and the damage between them."""
    part = Range(start, segment.size if end is None else end, segment.size, segment.is_last)

    def entries() -> Longs:
        return read_offset_entries(storage, segment).positions

    dialect = dialect_of(storage, segment.path.rpartition("/")[0])
    with storage.open(segment.path) as file:
        for piece in chunks(file, part, entries):
            if isinstance(piece, Chunk):
                for magic, chunk in runs(piece._replace(dialect=dialect)):
                    if magic == 2 and isinstance(dialect, FirstSetsBeside):
                        yield from units_beside(chunk)
                    else:
                        yield units_of(chunk, magic)
            else:
                yield piece
