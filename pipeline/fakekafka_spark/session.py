"""A Spark session that finds Java and knows the source `kafkalog`.

Nothing here is needed to use the source: `spark.dataSource.register(KafkalogSource)`, or just having the package
`pyspark_fakekafka` installed, does it in any session. What a session of one's own should set is in SETTINGS.
"""

import os
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING

from fakekafka_spark import jre

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SETTINGS = {
    "spark.sql.python.filterPushdown.enabled": "true",  # without it every query reads everything
    "spark.ui.enabled": "false",
}
LOCAL_SETTINGS = {
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
}
"""For masters on this machine."""


def session(master: str | None = None, config: Mapping[str, str] | None = None) -> "SparkSession":
    """The running session, or a new one. `master`: `spark-submit`'s, or `local[*]`.

    `config`: Spark settings, such as {"spark.driver.memory": "4g"}. Raises `UsageError` where no Java is to be found.
    """
    from pyspark.sql import SparkSession

    running = SparkSession.getActiveSession()
    if running is None:
        _prepare_environment()
    builder = SparkSession.builder
    for name, value in (SETTINGS | _masters(master) | dict(config or {})).items():
        builder = builder.config(name, value)
    spark = builder.getOrCreate()
    register(spark)
    return spark


def register(spark: "SparkSession") -> None:
    """Make `kafkalog` known to a session."""
    from fakekafka_spark.source.kafkalog import KafkalogSource

    spark.dataSource.register(KafkalogSource)


def _masters(master: str | None) -> dict[str, str]:
    """The master, unless `spark-submit` has named one; what it has named must not be overwritten."""
    if master is None and "SPARK_ENV_LOADED" in os.environ:
        return {}
    chosen = master or "local[*]"
    return {"spark.master": chosen} | (LOCAL_SETTINGS if chosen.startswith("local") else {})


def _prepare_environment() -> None:
    """What the JVM and the Python workers are started with. Workers otherwise run the first `python3` on the path."""
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    home = jre.java_home()
    if home is not None:
        os.environ["JAVA_HOME"] = str(home)
