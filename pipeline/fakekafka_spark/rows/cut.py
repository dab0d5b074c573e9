"""Byte strings and headers cut out of a buffer as Arrow arrays, without a loop over records.

The trick: read the buffer as the byte strings "value, gap, value, gap, ...", whose offsets are start, end, start, end,
and take every other one. It needs spans that do not overlap and come in the order of the buffer, as records do.
"""

from typing import Any

import numpy as np
import pyarrow as pa
from fakekafka.records.compression import CODEC_NAMES
from fakekafka.records.record import header_key

from fakekafka_spark.parse.chunks import Longs
from fakekafka_spark.parse.spans import Headers, Spans

MOST_BYTES = (1 << 31) - 1
"""What Arrow's plain binary arrays can address."""


def binary(data: bytes, spans: Spans) -> Any:
    """The spans as a binary array; null where the size is -1."""
    number = len(spans.starts)
    if not number:
        return pa.array([], pa.binary())
    edges = np.empty(2 * number, np.int64)
    null = spans.sizes < 0
    edges[0::2] = spans.starts
    edges[1::2] = spans.starts + np.maximum(spans.sizes, 0)
    if null.any():
        np.maximum.accumulate(edges, out=edges)  # a null's place means nothing: it just must not go back
    wide = len(data) > MOST_BYTES
    offsets = pa.py_buffer(edges if wide else edges.astype(np.int32))
    kind = pa.large_binary() if wide else pa.binary()
    whole = pa.Array.from_buffers(kind, 2 * number - 1, [None, offsets, pa.py_buffer(data)])
    which = pa.array(np.arange(0, 2 * number, 2), mask=null if null.any() else None)
    return whole.take(which).cast(pa.binary())


def headers(data: bytes, spans: Headers | None, number: int, kind: Any) -> Any:
    """The headers of `number` records as an array of lists; null for a record without any, as in Spark's connector."""
    if spans is None:
        return pa.nulls(number, kind)
    entries = pa.StructArray.from_arrays(
        [_texts(binary(data, spans.keys)), binary(data, spans.values)], fields=list(kind.value_type)
    )
    ends = np.cumsum(spans.counts)
    offsets = np.concatenate([[0], ends]).astype(np.int32)
    return pa.ListArray.from_arrays(pa.array(offsets), entries, type=kind, mask=pa.array(spans.counts == 0))


def _texts(keys: Any) -> Any:
    """Header keys as a Java client decodes them."""
    try:
        return keys.cast(pa.string())
    except pa.ArrowInvalid:
        return pa.array([header_key(key) for key in keys.to_pylist()], pa.string())


def timestamps(milliseconds: Longs) -> Any:
    """Milliseconds as Spark's timestamps; null where microseconds do not fit into 64 bits."""
    most = np.iinfo(np.int64).max // 1000
    outside = (milliseconds > most) | (milliseconds < -most)
    mask = outside if outside.any() else None
    return pa.array(np.where(outside, 0, milliseconds) * 1000, mask=mask).cast(pa.timestamp("us", tz="UTC"))


def codec_names(codecs: Longs) -> Any:
    """Codecs by name; an unknown one is named by its number."""
    names = pa.array([*CODEC_NAMES, "5", "6", "7"])
    return pa.DictionaryArray.from_arrays(pa.array(codecs.astype(np.int32)), names).cast(pa.string())


def booleans(flags: Any) -> Any:
    return pa.array(flags.astype(bool))
