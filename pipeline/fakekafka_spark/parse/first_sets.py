"""The headers of sets of KIP-98's first draft, as those of shipped batches (`units.py`).

A header does not say how many messages there are, nor which of them are the broker's, so each set is opened. Nobody has
large logs of a draft.
"""

from collections.abc import Iterator
from itertools import groupby

import numpy as np
from fakekafka.errors import MalformedBytes
from fakekafka.ids import NO_EPOCH
from fakekafka.records import attributes as bits
from fakekafka.records.drafts.first_set import CRC_AT, FirstSet, FirstSets, is_first_set

from fakekafka_spark.parse.chunks import Chunk, Longs
from fakekafka_spark.parse.units import UNKNOWN, Units, units_of


def units_beside(chunk: Chunk) -> Iterator[Units]:
    """Units of format 2, in runs that are of the draft, or as shipped. What has no right checksum counts as shipped."""
    drafted = [is_first_set(chunk.unit(n)) for n in range(len(chunk.starts))]
    for is_draft, numbers in groupby(range(len(drafted)), drafted.__getitem__):
        indexes = list(numbers)
        part = chunk.part(indexes[0], indexes[-1] + 1)
        yield _units(part._replace(dialect=FirstSets())) if is_draft else units_of(part, 2)


def _units(chunk: Chunk) -> Units:
    """The headers of sets. Of one that cannot be opened, the count is unknown."""
    sets = [FirstSet(chunk.unit(n)) for n in range(len(chunk.starts))]
    highest = _longs([each.max_timestamp for each in sets])
    return Units(
        chunk,
        2,
        _longs([each.attributes | (bits.CONTROL if each.is_control else 0) for each in sets]),
        _longs([int.from_bytes(each.data[CRC_AT : CRC_AT + 4], "big") for each in sets]),
        _longs([each.base_offset for each in sets]),
        _longs([each.last_offset for each in sets]),
        highest,
        highest,
        _longs([each.timestamp_type for each in sets]),
        np.full(len(sets), NO_EPOCH, np.int64),
        _longs([each.producer_id for each in sets]),
        _longs([each.producer_epoch for each in sets]),
        _longs([each.base_sequence for each in sets]),
        _longs([_count(each) for each in sets]),
        {},
    )


def _count(each: FirstSet) -> int:
    try:
        return each.count
    except MalformedBytes:
        return UNKNOWN


def _longs(numbers: list[int]) -> Longs:
    return np.array(numbers, np.int64)
