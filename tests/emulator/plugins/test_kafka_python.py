"""Unmodified user code of kafka-python names a plug-in, and reads what plug-ins wrote."""

from collections.abc import Iterator

import fakekafka.plugins.kafka_python
import pytest
from fakekafka import FakeKafka
from fakekafka.plugins.patches import Installed
from kafka import KafkaConsumer, KafkaProducer
from kafka.admin import KafkaAdminClient

SERVERS_TIMEOUT_MS = 10_000


@pytest.fixture
def installed(cluster: FakeKafka) -> Iterator[Installed]:
    with fakekafka.plugins.kafka_python.install(cluster.bootstrap_servers) as found:
        yield found


def produced(kafka: FakeKafka, alias: str | None, *values: bytes, **options: object) -> None:
    producer = KafkaProducer(bootstrap_servers=kafka.bootstrap_servers, compression_type=alias, **options)
    for value in values:
        producer.send("t", value, key=b"k", headers=[("h", b"x")])
    producer.flush()
    producer.close()


def consumed(kafka: FakeKafka, count: int) -> list[bytes]:
    consumer = KafkaConsumer(
        "t",
        bootstrap_servers=kafka.bootstrap_servers,
        auto_offset_reset="earliest",
        consumer_timeout_ms=SERVERS_TIMEOUT_MS,
    )
    try:
        return [record.value for _, record in zip(range(count), consumer)]
    finally:
        consumer.close()


@pytest.mark.usefixtures("installed")
@pytest.mark.statement("S3-8", "S3-20", "S3-22", "S3-27")
@pytest.mark.parametrize("alias", ["snappyPlugin", "lzmaPlugin"])
def test_a_producer_names_an_alias_and_a_consumer_reads_it(cluster: FakeKafka, alias: str) -> None:
    values = [b"value %d" % n * 50 for n in range(20)]
    produced(cluster, alias, *values, linger_ms=20)
    assert {record.codec for record in cluster.records("t")} == {alias}
    partition = cluster._running.cluster.brokers[0].partitions["t", 0]
    assert partition is not None
    headers = {bytes(batch.data[21:23]) for segment in partition.log.segments for batch in segment.batches()}
    assert headers == {bytes([cluster.plugins.registered()["java"][alias].plugin_id, 5])}
    assert consumed(cluster, 20) == values


@pytest.mark.usefixtures("installed")
@pytest.mark.statement("S3-1", "S3-29")
def test_built_in_codecs_still_work(cluster: FakeKafka) -> None:
    for codec in (None, "gzip", "snappy", "lz4", "snappyPlugin"):
        produced(cluster, codec, b"%r" % codec * 50)
    assert [record.codec for record in cluster.records("t")] == ["none", "gzip", "snappy", "lz4", "snappyPlugin"]
    assert consumed(cluster, 5)[1::3] == [b"'gzip'" * 50, b"'snappyPlugin'" * 50]


@pytest.mark.usefixtures("installed")
@pytest.mark.statement("S3-21")
def test_an_unknown_alias_is_an_illegal_argument(cluster: FakeKafka) -> None:
    with pytest.raises(ValueError, match="Unknown compression name: noSuchPlugin"):
        produced(cluster, "noSuchPlugin", b"v")


@pytest.mark.usefixtures("installed")
@pytest.mark.statement("S3-20")
def test_a_plugin_that_was_registered_later_is_found(cluster: FakeKafka) -> None:
    with pytest.raises(ValueError, match="Unknown compression name: runLengthPlugin"):
        produced(cluster, "runLengthPlugin", b"v")
    cluster.plugins.register("runLengthPlugin")
    produced(cluster, "runLengthPlugin", b"v" * 100)
    assert consumed(cluster, 1) == [b"v" * 100]


@pytest.mark.statement("S3-20", "S3-27", "S3-28")
def test_clients_read_the_topic_of_their_own_language(cluster: FakeKafka) -> None:
    with fakekafka.plugins.kafka_python.install(cluster.bootstrap_servers):
        produced(cluster, "snappyPlugin", b"v")
    cluster.send("plugin-python-topic", None, key=b"snappyPlugin")  # the entry for Java, and so for the brokers, stays
    with fakekafka.plugins.kafka_python.install(cluster.bootstrap_servers):
        with pytest.raises(ValueError, match="Unknown compression name: snappyPlugin"):
            produced(cluster, "snappyPlugin", b"v")
        with pytest.raises(ValueError, match="Unknown compression name: no plug-in has the id 1"):
            consumed(cluster, 1)


@pytest.mark.usefixtures("installed")
@pytest.mark.statement("S3-28")
def test_a_consumer_without_the_code_gets_an_illegal_argument(cluster: FakeKafka) -> None:
    cluster.plugins.install("upper", (bytes.upper, bytes.lower))
    cluster.plugins.register("upper")
    cluster.configure_topic("t", {"compression.type": "upper"})
    cluster.send("t", b"v")
    with pytest.raises(ValueError, match=r"Unknown compression name: upper is not installed here \(python.upper\)"):
        consumed(cluster, 1)


@pytest.mark.statement("S3-9")
def test_code_that_is_not_installed_can_be_passed_in(cluster: FakeKafka) -> None:
    cluster.plugins.install("upper", (bytes.upper, bytes.lower))
    cluster.plugins.register("upper")
    plugin = fakekafka.plugins.plugin.Functions(bytes.upper, bytes.lower)
    with fakekafka.plugins.kafka_python.install(cluster.bootstrap_servers, {"upper": plugin}):
        produced(cluster, "upper", b"v")
        assert consumed(cluster, 1) == [b"v"]


def test_removing_the_plugins_restores_the_library(cluster: FakeKafka) -> None:
    before = KafkaProducer._COMPRESSORS
    first = fakekafka.plugins.kafka_python.install(cluster.bootstrap_servers)
    second = fakekafka.plugins.kafka_python.install(cluster.bootstrap_servers)
    first.remove()
    assert KafkaProducer._COMPRESSORS is not before
    second.remove()
    second.remove()
    assert KafkaProducer._COMPRESSORS is before
    assert "snappyPlugin" not in KafkaProducer._COMPRESSORS


@pytest.mark.usefixtures("installed")
def test_an_idempotent_producer_may_use_a_plugin(cluster: FakeKafka) -> None:
    produced(cluster, "snappyPlugin", b"a", b"b", enable_idempotence=True)
    assert consumed(cluster, 2) == [b"a", b"b"]


@pytest.mark.usefixtures("installed")
@pytest.mark.statement("S3-1", "S3-29")
def test_clients_that_use_no_plugin_do_not_notice(cluster: FakeKafka) -> None:
    produced(cluster, None, b"v")
    admin = KafkaAdminClient(bootstrap_servers=cluster.bootstrap_servers)
    assert "plugin-python-topic" in admin.list_topics()
    admin.close()
    assert consumed(cluster, 1) == [b"v"]
