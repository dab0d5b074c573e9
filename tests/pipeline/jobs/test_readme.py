"""What the pipeline's README shows works, and its commands are understood."""

import re
from pathlib import Path

import pytest
from fakekafka_spark import columns
from fakekafka_spark.cli import parser
from fakekafka_spark.query import OPTIONS
from fakekafka_spark.source import target
from pyspark.sql import SparkSession

from tests.pipeline.logs import batches, write_segment

TEXT = (Path(__file__).parents[3] / "pipeline" / "README.md").read_text()
EXAMPLES = re.findall(r"^```python\n(.*?)^```", TEXT, re.DOTALL | re.MULTILINE)


def test_the_examples_run(spark: SparkSession, tmp_path: Path) -> None:
    """The examples run one after the other, on logs in place of /data/kafka-logs, and write beside those."""
    write_segment(tmp_path / "logs" / "orders-0", batches(3))
    names: dict[str, object] = {}
    for example in EXAMPLES:
        for shown, place in (("/data/kafka-logs", "logs"), ("as-0.9/", "as-0.9"), ("made/", "made")):
            example = example.replace(f'"{shown}', f'"{tmp_path / place}')
        exec(compile(example, "README.md", "exec"), names)
    assert columns.table(tmp_path / "as-0.9").num_rows == columns.table(tmp_path / "made").num_rows == 30


@pytest.mark.parametrize("command", re.findall(r"^    fakekafka-spark (.*)$", TEXT, re.MULTILINE))
def test_the_commands_are_understood(command: str) -> None:
    assert parser().parse_args(command.split()).command == command.split()[0]


def test_every_option_is_reported() -> None:
    told = set(re.findall(r"`(\w+)`", TEXT)) | set(re.findall(r'option\("(\w+)"', TEXT))
    assert set(OPTIONS + target.OPTIONS) - told <= {"path", "paths", "logBounds"}
