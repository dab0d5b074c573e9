"""One Spark for all tests that need one, started by the first of them."""

import os
from collections.abc import Iterator
from importlib.util import find_spec
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

collect_ignore_glob = [] if find_spec("pyspark") else ["*"]
"""Nothing of the pipeline can be tested without what the dependency group `pipeline` brings."""

QUICK_START = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
"""Halves what a short-lived Spark costs."""
FOREIGN = ("PYSPARK_SUBMIT_ARGS", "SPARK_CONF_DIR", "SPARK_HOME")
"""What a machine may say about a Spark of its own."""


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
        "spark.sql.adaptive.enabled": "false",  # this and code made for each query pay for big data only
        "spark.sql.codegen.wholeStage": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.log.level": "ERROR",
    }
    running = session("local[2]", settings)
    yield running
    running.stop()
