"""Unmodified user code of aiokafka names a plug-in, and reads what plug-ins wrote."""

import asyncio
from collections.abc import Iterator

import fakekafka.plugins.aiokafka
import pytest
from aiokafka import AIOKafkaConsumer, AIOKafkaProducer
from fakekafka import FakeKafka
from fakekafka.plugins.patches import Installed


@pytest.fixture
def installed(cluster: FakeKafka) -> Iterator[Installed]:
    with fakekafka.plugins.aiokafka.install(cluster.bootstrap_servers) as found:
        yield found


async def produced(kafka: FakeKafka, alias: str | None, *values: bytes, **options: object) -> None:
    async with AIOKafkaProducer(
        bootstrap_servers=kafka.bootstrap_servers, compression_type=alias, **options
    ) as producer:
        for sent in [await producer.send("t", value, key=b"k") for value in values]:
            await sent


async def consumed(kafka: FakeKafka, count: int) -> list[bytes]:
    async with AIOKafkaConsumer(
        "t", bootstrap_servers=kafka.bootstrap_servers, auto_offset_reset="earliest"
    ) as consumer:
        return [(await asyncio.wait_for(consumer.getone(), 10)).value for _ in range(count)]


@pytest.mark.usefixtures("installed")
@pytest.mark.statement("S3-8", "S3-20", "S3-22", "S3-27")
@pytest.mark.parametrize("alias", ["snappyPlugin", "lzmaPlugin"])
@pytest.mark.parametrize("idempotent", [False, True])
def test_a_producer_names_an_alias_and_a_consumer_reads_it(cluster: FakeKafka, alias: str, idempotent: bool) -> None:
    values = [b"value %d" % n * 50 for n in range(20)]

    async def there_and_back() -> list[bytes]:
        await produced(cluster, alias, *values, linger_ms=20, enable_idempotence=idempotent)
        return await consumed(cluster, 20)

    assert asyncio.run(there_and_back()) == values
    assert {record.codec for record in cluster.records("t")} == {alias}


@pytest.mark.usefixtures("installed")
@pytest.mark.statement("S3-1", "S3-29")
def test_built_in_codecs_still_work(cluster: FakeKafka) -> None:
    async def there_and_back() -> list[bytes]:
        for codec in (None, "gzip", "snappy", "lz4", "zstd", "lzmaPlugin"):
            await produced(cluster, codec, b"%r" % codec * 50)
        return await consumed(cluster, 6)

    assert asyncio.run(there_and_back())[-1] == b"'lzmaPlugin'" * 50
    found = [record.codec for record in cluster.records("t")]
    assert found == ["none", "gzip", "snappy", "lz4", "zstd", "lzmaPlugin"]


@pytest.mark.usefixtures("installed")
@pytest.mark.statement("S3-21")
def test_an_unknown_alias_is_an_illegal_argument(cluster: FakeKafka) -> None:
    with pytest.raises(ValueError, match="Unknown compression name: noSuchPlugin"):
        asyncio.run(produced(cluster, "noSuchPlugin", b"v"))


@pytest.mark.usefixtures("installed")
@pytest.mark.statement("S3-28")
def test_a_consumer_without_the_code_reads_nothing(cluster: FakeKafka) -> None:
    cluster.plugins.install("upper", (bytes.upper, bytes.lower))
    cluster.plugins.register("upper")
    cluster.configure_topic("t", {"compression.type": "upper"})
    cluster.send("t", b"v")
    with pytest.raises(ValueError, match="Unknown compression name: upper is not installed here"):
        asyncio.run(consumed(cluster, 1))


def test_removing_the_plugins_restores_the_library(cluster: FakeKafka) -> None:
    before = AIOKafkaProducer.__init__
    with fakekafka.plugins.aiokafka.install(cluster.bootstrap_servers):
        assert AIOKafkaProducer.__init__ is not before
    assert AIOKafkaProducer.__init__ is before
    with pytest.raises(ValueError, match="Invalid compression type"):
        asyncio.run(produced(cluster, "snappyPlugin", b"v"))
