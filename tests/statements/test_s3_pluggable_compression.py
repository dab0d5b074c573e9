"""S3: KIP-984 would have let users plug in codecs. It was never built: the tests show what Kafka does where a plug-in
would begin. What has no such place (the plug-ins' topic, the tool that fills it) cannot be shown.
"""

import pytest
from fakekafka import BrokerWillNotStart, ErrorCode, FakeKafka, UsageError
from fakekafka.binary import crc32, crc32c
from fakekafka.errors import MalformedBytes
from fakekafka.ids import Magic
from fakekafka.records import attributes, v0, v1, v2
from fakekafka.records.attributes import CREATE_TIME_TYPE
from fakekafka.records.record import Record
from fakekafka.records.scan import batches
from fakekafka.releases.profile import profile
from fakekafka.releases.release import Release
from fakekafka.wire.apis.produce import (
    PartitionProduceData,
    ProduceRequest,
    ProduceResponse,
    TopicProduceData,
)

from tests.support.brokers import answer

PLUGIN = 5
"""The codec that was to mark a plugin: the first that the three bits leave free."""
RECORD = Record(0, 1_600_000_000_000, CREATE_TIME_TYPE, b"key", b"value")


def of_a_plugin(magic: Magic) -> bytes:
    """A set that claims codec 5, its checksum right."""
    data = bytearray((v0.build, v1.build, v2.build)[magic]([RECORD]))
    if magic == 2:
        data[22] |= PLUGIN
        data[17:21] = crc32c(data[21:]).to_bytes(4, "big")
    else:
        data[17] |= PLUGIN
        data[12:16] = crc32(data[16:]).to_bytes(4, "big")
    return bytes(data)


def produced(release: str, magic: Magic) -> int:
    kafka = FakeKafka(release, topics={"t": 1}).boot()
    data = PartitionProduceData(index=0, records=of_a_plugin(magic))
    request = ProduceRequest(acks=1, timeout_ms=1000, topic_data=[TopicProduceData(name="t", partition_data=[data])])
    response = answer(kafka, request, {0: 0, 1: 2, 2: 3}[magic], ProduceResponse)
    assert kafka.records("t") == []
    return response.responses[0].partition_responses[0].error_code


PLAYED = [("0.8.2", 0), ("0.9.0", 0), ("0.10.2", 1), ("0.11.0", 2), ("2.3", 1), ("2.3", 2), ("3.9", 2), ("4.3", 2)]


@pytest.mark.statement("S3-2", "S3-3", "S3-22", "S3-23", "S3-24", "S3-25")
@pytest.mark.parametrize(("release", "magic"), PLAYED)
def test_codec_5_is_an_error_and_nothing_is_stored(release: str, magic: Magic) -> None:
    assert produced(release, magic) == ErrorCode.UNKNOWN_SERVER_ERROR


@pytest.mark.statement("S3-27", "S3-28")
@pytest.mark.parametrize("magic", [0, 1, 2])
def test_records_of_codec_5_cannot_be_read(magic: Magic) -> None:
    (batch,) = batches(of_a_plugin(magic))
    with pytest.raises(MalformedBytes):
        list(batch.records())


@pytest.mark.statement("S3-8", "S3-20", "S3-26")
@pytest.mark.parametrize("release", ["0.9.0", "0.10.2", "2.3", "3.9", "4.3"])
def test_an_alias_is_no_compression_type(release: str) -> None:
    with pytest.raises(BrokerWillNotStart, match="snappyPlugin"):
        FakeKafka(release, config={"compression.type": "snappyPlugin"})
    with pytest.raises(UsageError, match=r"Invalid value snappyPlugin for configuration compression\.type"):
        FakeKafka(release).boot().create_topic("t", config={"compression.type": "snappyPlugin"})


@pytest.mark.statement("S3-1")
@pytest.mark.parametrize("codec", [0, 1, 2, 3, 4])
def test_the_built_in_codecs_keep_their_numbers(codec: int) -> None:
    (batch,) = batches(v2.build([RECORD], codec=codec))
    assert batch.codec == codec
    assert next(iter(batch.records())).value == b"value"


@pytest.mark.statement("S3-19")
def test_the_last_bit_of_the_low_attribute_byte_is_free() -> None:
    used = attributes.CODEC | attributes.LOG_APPEND_TIME | attributes.TRANSACTIONAL
    used |= attributes.CONTROL | attributes.DELETE_HORIZON
    assert used == 0x7F


@pytest.mark.statement("S3-32")
def test_levels_of_the_codecs_came_without_plugins() -> None:
    levels = {"compression.gzip.level", "compression.lz4.level", "compression.zstd.level"}  # KIP-390
    assert not levels & profile(Release.parse("3.7")).topic_configs.keys()
    assert levels <= profile(Release.parse("3.8")).topic_configs.keys()
