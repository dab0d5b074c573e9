from pyspark.sql import functions as f


def counts(spark, servers):
    """How often each thing was ordered, as records for a topic."""
    orders = (
        spark.readStream.format("kafka")
        .option("kafka.bootstrap.servers", servers)
        .option("subscribe", "orders")
        .option("startingOffsets", "earliest")
        .load()
    )
    counted = orders.groupBy(f.col("value").cast("string").alias("key")).count()
    return counted.select("key", f.col("count").cast("string").alias("value"))


def run(spark, servers, checkpoints):
    """Count the orders that are there, and stop."""
    query = (
        counts(spark, servers)
        .writeStream.format("kafka")
        .option("kafka.bootstrap.servers", servers)
        .option("topic", "counts")
        .option("checkpointLocation", checkpoints)
        .outputMode("update")
        .trigger(availableNow=True)
        .start()
    )
    query.awaitTermination()
