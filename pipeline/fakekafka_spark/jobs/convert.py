"""Logs in another format or codec: to roll back, to move forward, or to make fixtures. Says what was lost.

Every record that is kept has its offset, key and value. Logs begin and end where they did, so that committed offsets
stay valid, and partitions without records are there as well. The report adds up:

    records_in = records + aborted_left_out + undecided_left_out

    aborted_left_out        records of aborted transactions: nothing would mark them as such afterwards. With
                            `isolation="read_uncommitted"` they are kept, readable by all, and counted as revived
    undecided_left_out      records of transactions that are open at the end, and what comes after their beginning
    control_lost            commit and abort marks, those of aborted transactions too
    headers_lost            records with headers, into format 0 or 1
    timestamps_lost         records with a timestamp, into format 0
    timestamps_missing      records without a timestamp in a format that has them (they stay without: -1)
    producers_lost          records of idempotent or transactional producers: who they were, and their sequences
"""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from fakekafka.ids import Offset, PartitionIndex, TopicName
from fakekafka.log import names
from fakekafka.releases.release import NEWEST

from fakekafka_spark.jobs.failures import in_one_line
from fakekafka_spark.jobs.source import Paths, absolute, checked, read
from fakekafka_spark.options import READ_COMMITTED, READ_UNCOMMITTED
from fakekafka_spark.views import RECORDS

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

PARTITION = ("topic", "partition")
LOOKED_AT = (*PARTITION, "offset", "headers", "timestamp_ms", "is_control", "producer_id", "magic", "codec")
WRITTEN = (*(name for name in RECORDS.default if name != "timestamp"), "timestamp_ms")
COUNTED = ("records_in", "records", "aborted_left_out", "undecided_left_out", "aborted_revived", "undecided_revived",
           "headers_lost", "timestamps_lost", "timestamps_missing", "control_lost", "producers_lost",
           "log_start_offset", "log_end_offset")  # fmt: skip


class LogEnds(NamedTuple):
    """Where a log begins, where it ends, and up to where its transactions are decided."""

    start: Offset
    end: Offset
    stable: Offset


Ends = Mapping[tuple[TopicName, PartitionIndex], LogEnds]


def convert(
    spark: "SparkSession",
    path: Paths,
    target: str | Path,
    *,
    magic: int | None = None,
    codec: str = "none",
    release: str = NEWEST,
    isolation: str = READ_COMMITTED,
    overwrite: bool = False,
) -> "DataFrame":
    """Write the records below `path` to `target` as `release` would, and return the losses: one row a partition.

    Raises `UsageError` for what the release cannot write, before anything is read; `DamagedLog` for a log that cannot
    be read to its end.
    """
    from fakekafka_spark.source.log_bounds import Bounds, as_text
    from fakekafka_spark.source.target import Target

    options = {"release": release, "codec": codec} | ({} if magic is None else {"format": str(magic)})
    into = Target.of(options).magic
    checked(spark, path)
    ends = _ends(path)
    with in_one_line():
        losses = _losses(spark, path, ends, into, isolation)
        chosen = [name for name in WRITTEN if name != "headers" or into == 2]
        kept = read(spark, path, "records", chosen, isolation=isolation)
        ordered = kept.repartition(*PARTITION).sortWithinPartitions(*PARTITION, "offset")
        bounds = {names.partition_directory(*named): Bounds(one.start, one.end) for named, one in ends.items()}
        writer = ordered.write.format("kafkalog").options(**options, logBounds=as_text(bounds))
        writer.mode("overwrite" if overwrite else "append").save(str(absolute(target)))
    return losses


def _ends(path: Paths) -> Ends:
    """Where each log begins and ends."""
    from fakekafka_spark.files import plan
    from fakekafka_spark.files.storage import urls_of
    from fakekafka_spark.files.tail import Tail
    from fakekafka_spark.query import Query

    ends = {}
    for _, place, partition in plan.located(urls_of(absolute(path)), {}, Query.of({})):
        first = partition.segments[0].base_offset if partition.segments else 0
        end, stable = (Tail(place, committed=committed).advance(partition) for committed in (False, True))
        start = max(first, partition.log_start_offset)
        ends[partition.topic, partition.partition] = LogEnds(start, max(end, start), stable)
    return ends


def _losses(spark: "SparkSession", path: Paths, ends: Ends, into: int, isolation: str) -> "DataFrame":
    """What is lost of each partition, found before anything is replaced."""
    every = _by_partition(all_records(spark, path, ends))
    decided = _by_partition(losses_of(read(spark, path, "records", LOOKED_AT, isolation=READ_COMMITTED), into))
    written = decided
    if isolation == READ_UNCOMMITTED:
        written = _by_partition(losses_of(read(spark, path, "records", LOOKED_AT), into))
    rows = [_row(named, one, every, decided, written, isolation) for named, one in sorted(ends.items())]
    columns = ("topic string", "partition int", "from_formats array<int>", "from_codecs array<string>")
    return spark.createDataFrame(rows, ", ".join([*columns, *(f"{name} bigint" for name in COUNTED)]))


Counts = Mapping[tuple[TopicName, PartitionIndex], Mapping[str, object]]


def _by_partition(frame: "DataFrame") -> Counts:
    return {(row["topic"], row["partition"]): row.asDict() for row in frame.collect()}


def _row(
    named: tuple[TopicName, PartitionIndex], ends: LogEnds, every: Counts, decided: Counts, written: Counts, how: str
) -> dict[str, object]:
    """The losses of one partition."""
    seen, left = every.get(named, {}), decided.get(named, {})
    undecided = _number(seen, "undecided")
    aborted = _number(seen, "records_in") - undecided - _number(left, "records")
    fate = "left_out" if how == READ_COMMITTED else "revived"
    lost: dict[str, object] = dict.fromkeys(COUNTED, 0)
    lost |= {"from_formats": [], "from_codecs": [], **written.get(named, {})}
    lost |= {"records_in": _number(seen, "records_in"), "control_lost": _number(seen, "control_lost")}
    lost |= {f"aborted_{fate}": aborted, f"undecided_{fate}": undecided}
    return lost | {
        "topic": named[0], "partition": named[1], "log_start_offset": ends.start, "log_end_offset": ends.end
    }  # fmt: skip


def _number(row: Mapping[str, object], name: str) -> int:
    value = row.get(name, 0)
    assert isinstance(value, int)
    return value


def all_records(spark: "SparkSession", path: Paths, ends: Ends) -> "DataFrame":
    """All records of each partition, including undecided ones and control records."""
    from pyspark.sql import functions as f

    stable = spark.createDataFrame(
        [(*named, one.stable) for named, one in ends.items()], "topic string, partition int, stable bigint"
    )
    records = read(spark, path, "records", (*PARTITION, "offset", "is_control"), control="true")
    data = ~f.col("is_control")
    return (
        records.join(f.broadcast(stable), list(PARTITION))
        .groupBy(*PARTITION)
        .agg(
            f.count_if(data).alias("records_in"),
            f.count_if(data & (f.col("offset") >= f.col("stable"))).alias("undecided"),
            f.count_if("is_control").alias("control_lost"),
        )
    )


def losses_of(records: "DataFrame", into: int) -> "DataFrame":
    """What is lost of records (columns LOOKED_AT) that are written in format `into`: one row a partition."""
    from pyspark.sql import functions as f

    none = f.lit(False)
    return records.groupBy(*PARTITION).agg(
        f.count("*").alias("records"),
        f.sort_array(f.collect_set("magic")).alias("from_formats"),
        f.sort_array(f.collect_set("codec")).alias("from_codecs"),
        f.count_if(f.col("headers").isNotNull() if into < 2 else none).alias("headers_lost"),
        f.count_if((f.col("timestamp_ms") >= 0) if into == 0 else none).alias("timestamps_lost"),
        f.count_if((f.col("timestamp_ms") < 0) if into > 0 else none).alias("timestamps_missing"),
        f.count_if(f.col("producer_id") >= 0).alias("producers_lost"),
    )
