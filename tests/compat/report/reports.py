"""Reports of made-up observations."""

from collections.abc import Sequence

from fakekafka_compat.findings import Finding
from fakekafka_compat.report.matrix_report import Report, matrix_report
from fakekafka_compat.report.spark_verdicts import SparkVerdicts
from fakekafka_compat.report.story import story
from fakekafka_compat.table import default_table, read_table
from fakekafka_spark.observations import Cell, Observation

from tests.compat.report.observed import converted, differing, many, refused, skipped, zero_copy

KNOWN = [Finding("kafka-python 3.0.12: it <forgets>", ("kp3012/*/*",))]


def small(spark: SparkVerdicts | None = None) -> Report:
    """One cell of each kind."""
    rows: list[tuple[Cell, list[Observation]]] = [
        (Cell.of("own", "2.3", "", "", "none", "roundtrip"), skipped()),
        (Cell.of("ck2161", "2.3", "", "", "none", "roundtrip"), differing()),
        (Cell.of("kp3012", "2.3", "0.9.0", "", "gzip", "roundtrip"), converted()),
        (Cell.of("kp3012", "2.3", "", "", "none", "group"), zero_copy()),
        (Cell.of("kp3012", "0.10.2", "", "", "none", "oversize"), refused()),
        (Cell.of("kp3012", "4.3", "", "", "none", "group"), differing()),
    ]
    return of(rows, spark)


def large(count: int) -> Report:
    """The first cells of a large matrix."""
    return of(list(many(count)), None)


def of(rows: Sequence[tuple[Cell, list[Observation]]], spark: SparkVerdicts | None) -> Report:
    clients = dict(read_table(default_table()).clients)
    stories = [story(cell, observed) for cell, observed in rows]
    return matrix_report("Compatibility matrix", "21 November 2026", stories, clients, KNOWN, spark)
