"""Records as positions in a buffer: what both vectorised parsers make, and what the views are cut from.

Nothing is copied here: keys, values and headers are spans of `data`, a start and a size, where size -1 is null. Every
array has one element a record (those of `Headers`: one a header), in the order of the log.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from fakekafka_spark.parse.chunks import Longs

Flags = npt.NDArray[np.bool_]


class Spans(NamedTuple):
    """Byte strings in a buffer."""

    starts: Longs
    sizes: Longs
    """-1: null."""

    def pick(self, which: Longs | Flags) -> "Spans":
        return Spans(self.starts[which], self.sizes[which])


class Headers(NamedTuple):
    """The headers of all records, in the order of the records."""

    counts: Longs
    """Headers of each record."""
    keys: Spans
    values: Spans


class Records(NamedTuple):
    """Records whose bytes are in `data`."""

    data: bytes
    units: Longs
    """Number of the unit that each record is in."""
    offsets: Longs
    timestamps: Longs
    timestamp_types: Longs
    keys: Spans
    values: Spans
    headers: Headers | None
    """None: no record has any."""

    def pick(self, which: Flags) -> "Records":
        """Some of the records."""
        if which.all():
            return self
        return Records(
            self.data,
            self.units[which],
            self.offsets[which],
            self.timestamps[which],
            self.timestamp_types[which],
            self.keys.pick(which),
            self.values.pick(which),
            None if self.headers is None else _headers_of(self.headers, which),
        )


def _headers_of(headers: Headers, which: Flags) -> Headers:
    kept = np.repeat(which, headers.counts)
    return Headers(headers.counts[which], headers.keys.pick(kept), headers.values.pick(kept))
