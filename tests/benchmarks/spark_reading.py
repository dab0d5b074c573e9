"""Reading: vectorised beside one record at a time, both through Spark; headers beside records; and Kafka's own tool."""

import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fakekafka.records.scan import units_in_file, view
from fakekafka_spark import columns
from fakekafka_spark.views import CORRUPT, RECORDS, ddl
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition

from tests.benchmarks import spark_logs
from tests.benchmarks.measuring import Row, children_cpu_ms, compared, in_turns
from tests.benchmarks.spark_cpu import cpu_of
from tests.pipeline.source.dump_log_segments import command, why_not

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

SEVENTEEN = (
    *("key", "value", "topic", "partition", "offset", "timestamp", "timestampType", "headers", "magic", "codec"),
    *("leader_epoch", "producer_id", "producer_epoch", "base_sequence", "position", "base_offset", CORRUPT),
)
TOOLS_COLUMNS = ("key", "value", "offset", "timestamp", "timestampType", "headers", "sequence")
MEMORY_LIMIT_MB = 700
CODE = """
import resource, sys
from fakekafka_spark import columns
rows = sum(batch.num_rows for batch in columns.read(sys.argv[1]))
print(rows, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
"""


def alone(folder: Path, quick: bool) -> list[Row]:
    """Reading without Spark: records per second, and how much memory a big segment takes."""
    size = (500 if quick else 2000) << 20
    number = spark_logs.write(folder / "big-0", size)
    part = spark_logs.write(folder / "part-0", 200 << 20)
    rates = []
    for _ in range(2 if quick else 4):
        started = time.process_time()
        assert sum(rows.num_rows for rows in columns.read(folder / "part-0")) == part
        rates.append(part / (time.process_time() - started) / 1e6)
    said = subprocess.run(
        [sys.executable, "-c", CODE, str(folder / "big-0")],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
    )
    rows, peak = map(int, said.stdout.split())
    assert rows == number
    rate = Row("Arrow batches, 100-byte records, one core", "M/s", max(rates), goal="at least 2 M/s")
    memory = Row(f"memory for a segment of {size >> 20} MB", "MB", peak, goal=f"at most {MEMORY_LIMIT_MB} MB")
    return [rate._replace(reached=max(rates) >= 2), memory._replace(reached=peak <= MEMORY_LIMIT_MB)]


class TupleSource(DataSource):
    """The same rows as the source `kafkalog`, one tuple at a time from fakekafka's own reader."""

    @classmethod
    def name(cls) -> str:
        return "tuples"

    def schema(self) -> str:
        return ddl(RECORDS, SEVENTEEN)

    def reader(self, schema: object) -> "TupleReader":
        return TupleReader(self.options)


class TupleReader(DataSourceReader):
    def __init__(self, options: Mapping[str, str]) -> None:
        self.path = options["path"]

    def partitions(self) -> Sequence[InputPartition]:
        return [InputPartition(str(path)) for path in sorted(Path(self.path).glob("*/*.log"))]

    def read(self, partition: InputPartition) -> Iterator[tuple[Any, ...]]:
        from datetime import UTC, datetime

        data = Path(partition.value).read_bytes()
        for unit in units_in_file(data):
            batch = view(data, unit)
            assert batch.crc_ok()
            of_batch = (batch.magic, "none", batch.leader_epoch, batch.producer_id, batch.producer_epoch,
                        batch.base_sequence, unit.position, batch.base_offset, None)  # fmt: skip
            for record in batch.records():
                moment = datetime.fromtimestamp(record.timestamp / 1000, UTC)
                yield (record.key, record.value, "t", 0, record.offset, moment, record.timestamp_type, None, *of_batch)


def through_spark(spark: "SparkSession", folder: Path, quick: bool) -> list[Row]:
    """CPU seconds for a million records, through Spark, dropping the rows."""
    logs = folder / "logs"
    number = sum(spark_logs.write(logs / f"t-{n}", (40 if quick else 150) << 20) for n in range(2)) / 1e6
    spark.dataSource.register(TupleSource)
    kafkalog = spark.read.format("kafkalog")
    arrow = kafkalog.option("columns", ",".join(SEVENTEEN)).load(str(logs))
    tuples = spark.read.format("tuples").load(str(logs))
    batches = spark.read.format("kafkalog").option("view", "batches").load(str(logs))
    sides = [lambda frame=frame: number / cpu_of(lambda: to_nowhere(frame)) for frame in (arrow, tuples, batches)]
    in_turns(1, *sides)  # the first query is two or three times slower than the third
    by_arrow, by_tuple, by_batch = in_turns(2 if quick else 4, *sides)
    return [
        compared("17 columns: Arrow / tuples, per CPU s", "M/s", by_arrow, by_tuple, at_least=4),
        compared("view batches with checksums / records", "M/s", by_batch, by_arrow, at_least=3),
    ]


def to_nowhere(frame: "DataFrame") -> None:
    """Make every row, and drop it in the JVM."""
    frame.write.format("noop").mode("overwrite").save()


def beside_kafkas_tool(spark: "SparkSession", folder: Path, quick: bool) -> list[Row]:
    """Records for a CPU second of all processes, beside DumpLogSegments with `--deep-iteration --print-data-log`.

    Both read the same two partitions at once, verify checksums, and hand over what the tool prints of each record
    (TOOLS_COLUMNS; it prints the topic and partition once a file): the tool as text to /dev/null, in a process for each
    partition, Spark as rows to its no-op sink. The time to start and to warm up is left out on both sides: each reads
    small logs and big ones, and the difference counts.
    """
    if reason := why_not():
        print(f"  not beside DumpLogSegments: {reason}")
        return []
    small, big = folder / "small", folder / "big"
    sizes = (20, 70) if quick else (50, 250)
    few, many = (
        sum(spark_logs.write(at / f"t-{n}", mb << 20) for n in range(2)) for at, mb in zip((small, big), sizes)
    )

    def rate(cpu: Callable[[Path], float]) -> float:
        return (many - few) / (cpu(big) - cpu(small)) / 1e6

    def frame(logs: Path, names: Sequence[str]) -> "DataFrame":
        return spark.read.format("kafkalog").option("columns", ",".join(names)).load(str(logs))

    sides: list[Callable[[Path], float]] = [
        _tool_cpu,
        lambda logs: cpu_of(lambda: to_nowhere(frame(logs, TOOLS_COLUMNS))),
        lambda logs: cpu_of(lambda: to_nowhere(frame(logs, SEVENTEEN))),
        lambda logs: cpu_of(lambda: sum(rows.num_rows for rows in columns.read(logs, columns=TOOLS_COLUMNS))),
    ]
    in_turns(9, *(lambda cpu=cpu: cpu(big) for cpu in sides[1:]))  # the JVM's compilers are at work all that time
    turns = in_turns(2 if quick else 7, *(lambda cpu=cpu: rate(cpu) for cpu in sides))
    by_tool, by_arrow, by_seventeen, by_python = turns
    return [
        compared("Arrow / Kafka's DumpLogSegments, per CPU s", "M/s", by_arrow, by_tool, at_least=5),
        compared("the same with 17 columns", "M/s", by_seventeen, by_tool),
        compared("the same without Spark", "M/s", by_python, by_tool, at_least=5),
    ]


def _tool_cpu(logs: Path) -> float:
    """CPU seconds of Kafka's tool, started once for each partition."""
    before = children_cpu_ms()
    dump = [command([log], "--deep-iteration", "--print-data-log") for log in sorted(logs.glob("*/*.log"))]
    started = [subprocess.Popen(one, stdout=subprocess.DEVNULL) for one in dump]
    statuses = [process.wait() for process in started]
    if any(statuses):
        raise RuntimeError("DumpLogSegments failed")
    return (children_cpu_ms() - before) / 1000
