"""Kafka's own tool reads what the writer writes, and finds nothing wrong with it or its indexes."""

import re
from pathlib import Path

import pytest
from fakekafka_spark import convert
from pyspark.sql import SparkSession

from tests.pipeline.logs import batches, write_segment
from tests.pipeline.source.dump_log_segments import dumped, why_not

pytestmark = pytest.mark.skipif(why_not() is not None, reason=why_not() or "")


@pytest.mark.parametrize(
    ("release", "codec", "magic"),
    [("0.9.0", "none", 0), ("0.9.0", "snappy", 0), ("0.10.2", "gzip", 1), ("0.10.2", "lz4", 1), ("2.3", "none", 2),
     ("3.9", "zstd", 2), ("3.9", "lz4", 2)],
)  # fmt: skip
def test_kafkas_own_tool_reads_what_is_written(
    spark: SparkSession, tmp_path: Path, release: str, codec: str, magic: int
) -> None:
    write_segment(tmp_path / "logs" / "t-0", batches(40, each=50))
    convert(spark, tmp_path / "logs", tmp_path / "made", release=release, codec=codec)
    log = tmp_path / "made" / "t-0" / "00000000000000000000.log"
    text = dumped([log], "--deep-iteration", "--print-data-log")
    assert re.findall(r"^\| offset: (\d+) .* payload: (.*)$", text, re.MULTILINE) == [
        (str(n), f"v{n}" * 5) for n in range(2000)
    ]
    assert f"magic: {magic}" in text
    assert "isvalid: false" not in text
    indexes = [path for path in log.parent.iterdir() if path.suffix in (".index", ".timeindex")]
    said = dumped(indexes, "--index-sanity-check")
    assert "corrupt" not in said.lower()
    assert "mismatch" not in dumped(indexes, "--verify-index-only").lower()
