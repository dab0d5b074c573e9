"""What a reader does in Spark's workers, shown without Spark."""

import os
import platform
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pytest
from fakekafka_spark import columns
from fakekafka_spark.query import Query
from fakekafka_spark.source import reader

from tests.pipeline.logs import batches, write_segment

IN_A_WORKER = """
import gc, sys
from fakekafka_spark.query import Query
from fakekafka_spark.source.reader import KafkalogReader
reader = KafkalogReader({"path": sys.argv[1]}, Query.of({}))
(task,) = reader.partitions()
planned = gc.get_freeze_count()
print(planned > 10_000, sum(rows.num_rows for rows in reader.read(task)), gc.get_freeze_count() <= planned)
"""
AFTER_A_TASK = """
import sys
from pathlib import Path
from fakekafka_spark.query import Query
from fakekafka_spark.source import reader

def resident_mb():
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 >> 20

small = [bytes(1000) for _ in range(200_000)]
kept = small[-1]  # the end of the heap stays in use
full = resident_mb()
del small
kafkalog = reader.KafkalogReader({"path": sys.argv[1]}, Query.of({}))
(task,) = kafkalog.partitions()
for rows in kafkalog.read(task):
    pass
print(full - resident_mb() > 100)
"""


def test_a_worker_that_is_used_again_need_not_look_through_its_modules_each_time(tmp_path: Path) -> None:
    write_segment(tmp_path / "t-0", batches(3))
    said = {
        reused: subprocess.run(
            [sys.executable, "-c", IN_A_WORKER, str(tmp_path)],
            env={name: value for name, value in os.environ.items() if name != "SPARK_REUSE_WORKER"} | reused_by,
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=True,
        ).stdout
        for reused, reused_by in (("again", {"SPARK_REUSE_WORKER": "1"}), ("once", {}))
    }
    assert said == {"again": "True 30 True\n", "once": "False 30 True\n"}


def test_rows_go_to_the_jvm_in_chunks_that_it_can_pool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_segment(tmp_path / "t-0", batches(3))
    monkeypatch.setattr(reader, "MOST_ROWS", 8)
    source = reader.KafkalogReader({"path": str(tmp_path)}, Query.of({}))
    (task,) = source.partitions()
    pieces = list(source.read(task))
    assert [piece.num_rows for piece in pieces] == [8, 8, 8, 6]
    assert pa.Table.from_batches(pieces).combine_chunks().equals(columns.table(tmp_path).combine_chunks())


@pytest.mark.skipif(
    sys.platform != "linux" or platform.libc_ver()[0] != "glibc", reason="it is glibc that keeps memory"
)
def test_a_task_gives_back_the_memory_that_was_freed(tmp_path: Path) -> None:
    write_segment(tmp_path / "t-0", batches(3))
    done = subprocess.run(
        [sys.executable, "-c", AFTER_A_TASK, str(tmp_path)], capture_output=True, text=True, check=True
    )
    assert done.stdout == "True\n"
