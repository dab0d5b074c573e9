"""An audit that does not end: tail logs, and report at once what changes in them.

A streaming DataFrame of alerts; what they are is described in `soundness.drift`. Start it with `writeStream` like any
other, with a checkpoint, so that a restart goes on where it left off. Only headers and checksums are read. Memory is
bounded: a trigger takes a limited number of offsets (Spark 4.2 and later), and a line is remembered for each partition.
"""

import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from fakekafka.clock import SystemClock

from fakekafka_spark.jobs.source import Paths, absolute, checked
from fakekafka_spark.session import register
from fakekafka_spark.soundness.drift import HOUR_MS, Batch, Known, Limits, Watch
from fakekafka_spark.views import CORRUPT

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

OFFSETS_A_TRIGGER = 1_000_000
SEEN = ("segment", "position", "last_offset", "magic", "codec", "timestampType", "max_timestamp_ms", "leader_epoch",
        CORRUPT)  # fmt: skip
"""The fields of `Batch` as the view `batches` calls them."""
ALERTS = {
    "topic": "string", "partition": "int", "segment": "bigint", "position": "bigint", "offset": "bigint",
    "kind": "string", "before": "string", "now": "string",
}  # fmt: skip
"""The columns of the alerts, with Spark's types."""
STATE = "known string"


def watch(
    spark: "SparkSession",
    path: Paths,
    *,
    back_ms: int = HOUR_MS,
    ahead_ms: int = HOUR_MS,
    options: Mapping[str, str] | None = None,
) -> "DataFrame":
    """Alerts on what changes in the logs below `path`: a streaming DataFrame.

    `back_ms`, `ahead_ms`: how much older than the ones before, and how far ahead of the clock, a batch may be.
    `options`: those of the stream, such as `startingOffsets` and `maxOffsetsPerTrigger`, and of storages. Raises
    `UsageError` for a path that is not there or holds no log.
    """
    given = {"maxOffsetsPerTrigger": str(OFFSETS_A_TRIGGER), **(options or {})}
    register(spark)
    columns = ",".join(("topic", "partition", *SEEN))
    reader = spark.readStream.format("kafkalog").options(view="batches", columns=columns, **given)
    limits, place = Limits(back_ms, ahead_ms), absolute(checked(spark, path, options))

    def alerts(key: tuple[Any, ...], tables: Iterator[Any], state: Any) -> Iterator[Any]:
        return _alerts(key, tables, state, limits)

    return (
        reader.option("paths", json.dumps([place] if isinstance(place, str) else place))
        .load()
        .groupBy("topic", "partition")
        .applyInPandasWithState(
            alerts, ", ".join(f"{name} {kind}" for name, kind in ALERTS.items()), STATE, "append", "NoTimeout"
        )
    )


def _alerts(key: tuple[Any, ...], tables: Iterator[Any], state: Any, limits: Limits) -> Iterator[Any]:
    """What changes in one partition in one trigger; the state is brought up to date."""
    import pandas as pd  # type: ignore[import-untyped]

    known = Known.parsed(state.get[0]) if state.exists else Known()
    rows = pd.concat(list(tables)).sort_values(["segment", "position"])
    batches = (
        Batch._make(None if pd.isna(value) else value for value in row)
        for row in rows[list(SEEN)].astype(object).itertuples(index=False, name=None)
    )
    watched = Watch(known, limits, SystemClock().now_ms)
    alert_rows = [(*key, *alert) for alert in watched.alerts(batches)]
    state.update((watched.known.as_text(),))
    yield pd.DataFrame(alert_rows, columns=list(ALERTS))
