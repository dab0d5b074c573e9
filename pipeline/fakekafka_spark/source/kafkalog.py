"""The Spark data source `kafkalog`: Kafka's segments as DataFrames.

    spark.read.format("kafkalog").option("view", "batches").load("/data/kafka-logs")
    spark.readStream.format("kafkalog").load("/data/kafka-logs")
    df.write.format("kafkalog").option("release", "2.3").save("/data/made")

Every Spark user who has this package installed imports this module (see `pyspark_fakekafka`), so it imports nothing
that takes time; what does the work is imported when it is asked for.
"""

import sys
from typing import TYPE_CHECKING

from fakekafka.errors import UsageError
from pyspark.sql.datasource import DataSource

if TYPE_CHECKING:
    from pyspark.sql.datasource import DataSourceReader, DataSourceStreamReader, DataSourceWriter
    from pyspark.sql.types import StructType

FILTER_WORKER = "pyspark.sql.worker.data_source_pushdown_filters"
"""The module of the worker that asks a reader about filters."""


class KafkalogSource(DataSource):
    """`kafkalog`. Its options are those of `query.Query`, `stream` and `writer`."""

    @classmethod
    def name(cls) -> str:
        return "kafkalog"

    def schema(self) -> str:
        """The columns of the view that come by default, or those that the option `columns` names."""
        from fakekafka_spark.query import Query
        from fakekafka_spark.views import ddl

        query = Query.of(self.options)
        return ddl(query.view, query.columns)

    def reader(self, schema: "StructType") -> "DataSourceReader":
        """A reader of the columns in `schema`. Raises `UsageError` for columns or types that the view does not have.

        Filters are taken where that is safe (`filters`), or where the option `pushdown` says so. And Spark refuses a
        reader that takes any while `spark.sql.python.filterPushdown.enabled` is off, which only the driver knows: so
        only the worker that is about to ask gets one.
        """
        from fakekafka_spark.options import flag
        from fakekafka_spark.source.filters import KEPT_WITH_SCAN
        from fakekafka_spark.source.reader import FilteringReader, KafkalogReader, query_of

        takes = flag(self.options, "pushdown", KEPT_WITH_SCAN) and FILTER_WORKER in sys.modules
        return (FilteringReader if takes else KafkalogReader)(self.options, query_of(self.options, schema))

    def streamReader(self, schema: "StructType") -> "DataSourceStreamReader":
        """A reader that tails the records. Raises `UsageError` for other views."""
        from fakekafka_spark.source.reader import query_of
        from fakekafka_spark.source.stream import KafkalogStreamReader

        query = query_of(self.options, schema)
        if query.view.name != "records":
            raise UsageError(f"only records can be streamed, not {query.view.name}")
        return KafkalogStreamReader(self.options, query)

    def writer(self, schema: "StructType", overwrite: bool) -> "DataSourceWriter":
        """A writer of records. Raises `UsageError` for columns or options that cannot be."""
        from fakekafka_spark.source.writer import KafkalogWriter

        return KafkalogWriter(self.options, schema, overwrite)
