"""A driver that is killed in the middle of a commit, and how the next job continues, both under Spark."""

import os
import subprocess
import sys
from pathlib import Path

from fakekafka_spark import columns
from fakekafka_spark.files.layout import UNCOMMITTED
from fakekafka_spark.jre import java_home
from fakekafka_spark.source import journal
from pyspark.sql import SparkSession

from tests.pipeline.conftest import FOREIGN, QUICK_START
from tests.pipeline.source.rows import write

ROOT = Path(__file__).parents[3]
JOB = Path(__file__).with_name("killed_job.py")


def values(path: Path) -> dict[int, set[bytes]]:
    rows = columns.table(path, columns="partition,value").to_pylist()
    return {row["partition"]: {r["value"] for r in rows if r["partition"] == row["partition"]} for row in rows}


def test_the_next_job_finishes_the_commit_of_a_driver_that_was_killed(spark: SparkSession, tmp_path: Path) -> None:
    """A task of the first job had failed once, too."""
    made = tmp_path / "made"
    write(made, b"old")
    environment = {name: value for name, value in os.environ.items() if name not in FOREIGN}
    environment |= {"PYSPARK_PYTHON": sys.executable, "JDK_JAVA_OPTIONS": QUICK_START}
    if home := java_home():
        environment["JAVA_HOME"] = str(home)
    command = [sys.executable, str(JOB), str(made)]
    done = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert done.returncode != 0
    assert list(made.glob(f"{UNCOMMITTED}/*/{journal.JOURNAL}")), done.stderr[-3000:]
    assert values(made) != {p: {b"new"} for p in range(3)}

    row = spark.createDataFrame([("u", 0, 0, b"later")], "topic string, partition int, offset bigint, value binary")
    row.write.format("kafkalog").mode("append").save(str(made))
    assert sorted(path.name for path in made.iterdir()) == ["t-0", "t-1", "t-2", "u-0"]
    table = columns.table(made, topics="t", columns="partition,offset,value")
    assert sorted(tuple(row.values()) for row in table.to_pylist()) == [
        (partition, offset, b"new") for partition in range(3) for offset in range(10)
    ]
