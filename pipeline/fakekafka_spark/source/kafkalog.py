"""The Spark data source `kafkalog`: Kafka's segments as DataFrames.

    spark.read.format("kafkalog").option("view", "batches").load("/data/kafka-logs")
    spark.readStream.format("kafkalog").load("/data/kafka-logs")
    df.write.format("kafkalog").option("release", "2.3").save("/data/made")

Every Spark user who has this package installed imports this module (see `pyspark_fakekafka`), so it imports nothing
that takes time; what does the work is imported when it is needed.
"""

import json
import sys
from typing import TYPE_CHECKING

from fakekafka.errors import UsageError
from pyspark.sql.datasource import DataSource

if TYPE_CHECKING:
    from pyspark.sql.datasource import DataSourceReader, DataSourceStreamReader, DataSourceWriter
    from pyspark.sql.types import StructType

METADATA = "kafkalog.options"
"""In a column's metadata: the options of the table that it belongs to, as JSON."""
FILTER_WORKER = "pyspark.sql.worker.data_source_pushdown_filters"
"""The module of the worker that asks a reader about filters."""


class KafkalogSource(DataSource):
    """`kafkalog`. Its options are those of `query.Query`, `stream` and `writer`."""

    @classmethod
    def name(cls) -> str:
        return "kafkalog"

    def schema(self) -> "str | StructType":
        """The columns of the view that come by default, or those that the option `columns` names.

        Of a table of the catalog, Spark up to 4.3 asks for the schema with the table's options, when it is created, and
        for a reader without any. So the schema, which the catalog keeps, carries them: as metadata of its columns.
        """
        from fakekafka_spark.options import PROVIDER, of_table
        from fakekafka_spark.query import OPTIONS, Query
        from fakekafka_spark.views import ddl

        options = of_table(self.options, OPTIONS)
        query = Query.of(options)
        if PROVIDER not in self.options:
            return ddl(query.view, query.columns)
        return with_options({name: query.view.columns[name] for name in query.columns}, options)

    def reader(self, schema: "StructType") -> "DataSourceReader":
        """A reader of the columns in `schema`. Raises `UsageError` for columns or types that the view does not have.

        Filters are taken where that is safe (`filters`), or where the option `pushdown` says so. And Spark refuses a
        reader that takes any while `spark.sql.python.filterPushdown.enabled` is off, which only the driver knows: so
        only the worker that is about to ask gets one.
        """
        from fakekafka_spark.options import flag
        from fakekafka_spark.source.filters import KEPT_WITH_SCAN
        from fakekafka_spark.source.reader import FilteringReader, KafkalogReader, query_of

        options = self._options(schema)
        takes = flag(options, "pushdown", KEPT_WITH_SCAN) and FILTER_WORKER in sys.modules
        return (FilteringReader if takes else KafkalogReader)(options, query_of(options, schema))

    def streamReader(self, schema: "StructType") -> "DataSourceStreamReader":
        """A reader that tails records or batches. Raises `UsageError` for other views."""
        from fakekafka_spark.source.reader import query_of
        from fakekafka_spark.source.stream import KafkalogStreamReader

        options = self._options(schema)
        query = query_of(options, schema)
        if query.view.name not in ("records", "batches"):
            raise UsageError(f"records and batches can be streamed, not {query.view.name}")
        return KafkalogStreamReader(options, query)

    def writer(self, schema: "StructType", overwrite: bool) -> "DataSourceWriter":
        """A writer of records. Raises `UsageError` for impossible columns or options, and for an INSERT.

        Spark up to 4.3 does not tell a Python source which table an INSERT goes to. The metadata of the columns does
        not tell either: it may be that of the table that is read, which must not be written to.
        """
        from fakekafka_spark.source.writer import KafkalogWriter

        if "path" not in self.options:
            raise UsageError(
                "there is no path to write to. For an INSERT into a table, or a CREATE TABLE ... AS, Spark does not "
                "say where that table lies: write with df.write.format('kafkalog').mode('append').save(path)"
            )
        return KafkalogWriter(self.options, schema, overwrite)

    def _options(self, schema: "StructType") -> dict[str, str]:
        """The options of this frame, or those of the table whose schema it is."""
        from fakekafka_spark.options import of_table
        from fakekafka_spark.query import OPTIONS

        kept = next((field.metadata[METADATA] for field in schema.fields if METADATA in (field.metadata or {})), "{}")
        return dict(json.loads(kept)) | of_table(self.options, OPTIONS)


def with_options(columns: dict[str, str], options: dict[str, str]) -> "StructType":
    """Columns with their types in Spark's language as a schema, with the options of a table as metadata."""
    from pyspark.sql import types

    from fakekafka_spark.views import HEADERS

    header = types.StructType().add("key", types.StringType()).add("value", types.BinaryType())
    simple = (types.LongType, types.IntegerType, types.StringType, types.BinaryType, types.BooleanType,
              types.TimestampType)  # fmt: skip
    kinds: dict[str, types.DataType] = {kind().simpleString(): kind() for kind in simple}
    kinds[HEADERS] = types.ArrayType(header)
    note = {METADATA: json.dumps(options)}
    return types.StructType([types.StructField(name, kinds[kind], True, note) for name, kind in columns.items()])
