"""Kafka's files as DataFrames: a Spark source over segments, and jobs that audit, compare, convert and count.

    from fakekafka_spark import session, audit, replicas, watch, convert, verdicts, census
    spark = session()
    spark.read.format("kafkalog").load("/data/kafka-logs").where("topic = 'orders'").show()

`fakekafka_spark.columns` is the same without Spark. Nothing here needs a broker, and the emulator imports none of it.
"""

from fakekafka_spark.jobs.audit import audit
from fakekafka_spark.jobs.census import census
from fakekafka_spark.jobs.convert import convert
from fakekafka_spark.jobs.failures import in_one_line
from fakekafka_spark.jobs.replicas import replicas
from fakekafka_spark.jobs.verdicts import read_observations, record_faults, verdicts
from fakekafka_spark.jobs.watch import watch
from fakekafka_spark.session import register, session

__all__ = ["audit", "census", "convert", "in_one_line", "read_observations", "record_faults", "register", "replicas",
           "session", "verdicts", "watch"]  # fmt: skip
