"""One Spark for all tests that need one, started by the first of them."""

import os
from collections.abc import Iterator
from importlib.util import find_spec
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

collect_ignore_glob = [] if find_spec("pyspark") else ["*"]
"""The pipeline cannot be tested without the packages of the dependency group `pipeline`."""

QUICK_START = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
"""Halves what a short-lived Spark costs."""
FOREIGN = ("PYSPARK_SUBMIT_ARGS", "SPARK_CONF_DIR", "SPARK_HOME")
"""Variables by which a machine may configure a Spark of its own."""


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator["SparkSession"]:
    from fakekafka_spark import session

    for name in FOREIGN:
        os.environ.pop(name, None)
    os.environ["JDK_JAVA_OPTIONS"] = QUICK_START
    settings = {
        "spark.driver.memory": "1g",
        "spark.sql.shuffle.partitions": "2",
        "spark.default.parallelism": "2",
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.warehouse.dir": str(tmp_path_factory.mktemp("warehouse")),
        "spark.sql.adaptive.enabled": "false",  # this and generated code pay only for big data
        "spark.sql.codegen.wholeStage": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.log.level": "ERROR",
    }
    running = session("local[2]", settings)
    yield running
    running.stop()
