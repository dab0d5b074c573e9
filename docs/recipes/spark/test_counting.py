import pytest
from counting import run
from pyspark.sql import SparkSession

pytestmark = pytest.mark.fake_kafka(release=["2.3", "3.9"], topics={"orders": 1, "counts": 1})


@pytest.fixture(scope="session")
def spark():
    session = (
        SparkSession.builder.master("local[1]")
        .config("spark.jars.packages", "org.apache.spark:spark-sql-kafka-0-10_2.13:4.2.0")
        .config("spark.sql.shuffle.partitions", 1)
        .config("spark.ui.enabled", "false")
        .getOrCreate()
    )
    yield session
    session.stop()


def test_a_second_run_continues_where_the_first_one_stopped(spark, fake_kafka, tmp_path):
    checkpoints = str(tmp_path / "checkpoints")
    for thing in (b"apples", b"pears", b"apples"):
        fake_kafka.send("orders", thing)
    run(spark, fake_kafka.bootstrap_servers, checkpoints)
    fake_kafka.send("orders", b"apples")
    run(spark, fake_kafka.bootstrap_servers, checkpoints)
    counts = [(record.key, record.value) for record in fake_kafka.records("counts")]
    assert sorted(counts[:2]) == [(b"apples", b"2"), (b"pears", b"1")]
    assert counts[2:] == [(b"apples", b"3")]
