"""A Spark session that finds Java and knows the source `kafkalog`.

Nothing here is needed to use the source: `spark.dataSource.register(KafkalogSource)`, or just having the package
`pyspark_fakekafka` installed, does it in any session. SETTINGS has what a session of your own should set.
"""

import os
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING

from fakekafka_spark import jre

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SETTINGS = {
    "spark.sql.python.filterPushdown.enabled": "true",  # without it no source is asked about filters
    "spark.python.unix.domain.socket.enabled": str(os.name == "posix").lower(),  # rows come through it, at less cost
    "spark.ui.enabled": "false",
}
LOCAL_SETTINGS = {
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
}
"""Settings for masters on this machine."""

ARROW_OPTIONS = "-Darrow.enable_unsafe_memory_access=true -Darrow.enable_null_check_for_get=false"
"""Arrow's Java code otherwise checks every access twice: an eighth of what reading costs."""
COLLECTOR = "-XX:+UseParallelGC"
"""It is cheaper for many short-lived rows than the default, which is made for short pauses: a quarter of the JVM's
part.
"""
JVM_SETTINGS = ("spark.driver.defaultJavaOptions", "spark.executor.defaultJavaOptions")
"""The options that come before the user's own `extraJavaOptions`."""
SAYS_JVM_OPTIONS = ("JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS", "SPARK_SUBMIT_OPTS", "SPARK_CONF_DIR", "SPARK_HOME")
"""Where a user may have chosen a collector; a JVM does not start with two."""

ALLOCATION = {"MALLOC_TRIM_THRESHOLD_": str(256 << 20), "MALLOC_MMAP_THRESHOLD_": str(64 << 20)}
"""Have glibc give memory back only when there is much of it. It otherwise takes and returns every chunk of a log that a
worker reads: a seventh of the worker's time.
"""


def session(master: str | None = None, config: Mapping[str, str] | None = None) -> "SparkSession":
    """The running session, or a new one. `master`: `spark-submit`'s, or `local[*]`.

    `config`: Spark settings, such as {"spark.driver.memory": "4g"}. Raises `UsageError` where no Java can be found.
    """
    from pyspark.sql import SparkSession

    running = SparkSession.getActiveSession()
    if running is None:
        _prepare_environment()
    builder = SparkSession.builder
    settings = SETTINGS | _masters(master) | dict(config or {})
    for name, value in (jvm_settings(settings) | settings).items():
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


def jvm_settings(settings: Mapping[str, str]) -> dict[str, str]:
    """How to start JVMs and workers, besides what the user says; what was given to `spark-submit` must stay."""
    if "SPARK_ENV_LOADED" in os.environ:
        return {}
    chosen = any("GC" in value for name, value in settings.items() if name.endswith("JavaOptions"))
    chosen |= any(name in os.environ for name in SAYS_JVM_OPTIONS)
    options = ARROW_OPTIONS if chosen else f"{ARROW_OPTIONS} {COLLECTOR}"
    workers = {f"spark.executorEnv.{name}": value for name, value in ALLOCATION.items()}
    return dict.fromkeys(JVM_SETTINGS, options) | workers


def _prepare_environment() -> None:
    """What the JVM and the Python workers are started with. Otherwise, workers run the first `python3` on the path."""
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    for name, value in ALLOCATION.items():
        os.environ.setdefault(name, value)
    home = jre.java_home()
    if home is not None:
        os.environ["JAVA_HOME"] = str(home)
