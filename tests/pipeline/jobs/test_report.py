from pathlib import Path

from fakekafka_spark.jobs.report import markdown, save
from pyspark.sql import SparkSession


def test_a_table_reads_well_as_plain_text() -> None:
    assert markdown("Title", ["name", "n"], [["a|b", 12345], [None, True], [["x", 1], 2.5]]) == (
        "# Title\n\n| name | n      |\n| ---- | ------ |\n| a\\|b | 12,345 |\n|      | True   |\n| x, 1 | 2.5    |\n"
    )


def test_what_is_left_out_is_reported() -> None:
    assert markdown("t", ["n"], [], more=7).endswith("\n… and 7 more rows\n")


def test_all_rows_are_saved_as_parquet(spark: SparkSession, tmp_path: Path) -> None:
    text = save("numbers", spark.range(300).selectExpr("id"), tmp_path)
    assert "and 100 more rows" in text
    assert (tmp_path / "report.md").read_text("utf-8") == text
    assert spark.read.parquet(str(tmp_path / "rows")).count() == 300
