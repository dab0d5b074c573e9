"""Kafka's files as DataFrames: a Spark source over segments, and pipelines that audit, convert, judge and count.

    from fakekafka_spark import session, audit, convert, verdicts, census
    spark = session()
    spark.read.format("kafkalog").load("/data/kafka-logs").where("topic = 'orders'").show()

`fakekafka_spark.columns` is the same without Spark. Nothing here needs a broker, and the emulator imports none of it.
"""

from fakekafka_spark.jobs.audit import audit
from fakekafka_spark.jobs.census import census
from fakekafka_spark.jobs.convert import convert
from fakekafka_spark.jobs.verdicts import read_observations, record_faults, verdicts
from fakekafka_spark.session import register, session

__all__ = ["audit", "census", "convert", "read_observations", "record_faults", "register", "session", "verdicts"]
