"""What a broker does with batches that a plug-in has compressed."""

import pytest
from fakekafka import ErrorCode, FakeKafka, UsageError
from fakekafka.binary import crc32, crc32c
from fakekafka.errors import MalformedBytes
from fakekafka.ids import Magic
from fakekafka.plugins.attributes import attributes_of
from fakekafka.plugins.plugin import Chosen, Functions
from fakekafka.records import attributes, v0, v1, v2
from fakekafka.records.record import Record
from fakekafka.records.scan import batches
from fakekafka.records.v2 import RecordBatch
from fakekafka.releases.profile import profile
from fakekafka.releases.release import Release
from fakekafka.wire.apis.fetch import FetchResponse

from tests.support import fetching
from tests.support.brokers import answer
from tests.support.plugins import LZMA, PRODUCE, SNAPPY, chosen, plugged, rows, with_plugins
from tests.support.producing import one
from tests.support.seeded import partition_of

RELEASES = ["0.11.0", "2.3", "2.8", "3.9", "4.3"]
KEY_5 = 5


def stored(kafka: FakeKafka, topic: str = "t") -> list[RecordBatch]:
    """The batches of the first partition as they are stored."""
    found = [batch for segment in partition_of(kafka, 0, topic).log.segments for batch in segment.batches()]
    assert all(isinstance(batch, RecordBatch) for batch in found)
    return [RecordBatch(batch.data) for batch in found]


@pytest.mark.statement("S3-3", "S3-22", "S3-23", "S3-25")
@pytest.mark.parametrize("release", RELEASES)
def test_a_batch_of_a_plugin_is_stored_unchanged_except_for_its_offsets(release: str) -> None:
    kafka = with_plugins(release)
    for _ in range(2):
        answered = one(kafka, plugged(), 3)
        assert answered.error_code == ErrorCode.NONE
    assert answered.base_offset == 3
    _, second = stored(kafka)
    assert bytes(second.data)[61:] == plugged()[61:]
    assert (second.codec, second.attributes, second.base_offset, second.last_offset) == (5, 0x0105, 3, 5)
    assert [record.value for record in kafka.records("t")] == [rows()[0].value] * 6
    assert {record.codec for record in kafka.records("t")} == {SNAPPY}


@pytest.mark.statement("S3-2", "S3-18")
@pytest.mark.parametrize("position", range(8, 12))
def test_four_bits_name_each_of_sixteen_plugins_wherever_they_are(position: int) -> None:
    kafka = with_plugins("3.9", *(f"plugin-{n}" for n in range(16)), position=position)
    for name in kafka.plugins.registered()["java"]:
        kafka.plugins.install(name, (lambda data, n=name: n.encode() + data, lambda data, n=name: data[len(n) :]))
    for n in range(16):
        kafka.configure_topic("t", {"compression.type": f"plugin-{n}"})
        kafka.send("t", b"hello")
    assert [batch.attributes for batch in stored(kafka)] == [5 | id << position for id in (*range(1, 16), 0)]
    assert [(r.codec, r.value) for r in kafka.records("t")] == [(f"plugin-{n}", b"hello") for n in range(16)]


@pytest.mark.statement("S3-2", "S3-26")
@pytest.mark.parametrize("position", [8, 11])
@pytest.mark.parametrize(("codec", "expected"), [("plugin-1", 5 | 2 << 16), ("gzip", 1), ("uncompressed", 0)])
def test_a_batch_of_another_codec_may_have_all_four_bits_of_an_id(position: int, codec: str, expected: int) -> None:
    """`expected`: the codec, and the id above bit 16, wherever it is in the batch."""
    kafka = with_plugins("3.9", *(f"plugin-{n}" for n in range(15)), position=position)
    same = Functions(bytes, bytes)
    for name in kafka.plugins.registered()["java"]:
        kafka.plugins.install(name, same)
    kafka.configure_topic("t", {"compression.type": codec})
    sent = v2.build(rows(), plugged=Chosen(attributes_of(15, position), "plugin-14", same))
    assert one(kafka, sent, 3).error_code == ErrorCode.NONE
    (batch,) = stored(kafka)
    assert batch.attributes == expected & 7 | expected >> 16 << position


@pytest.mark.statement("S3-19")
def test_the_last_bit_of_the_low_attribute_byte_stays_free() -> None:
    used = attributes.CODEC | attributes.LOG_APPEND_TIME | attributes.TRANSACTIONAL
    used |= attributes.CONTROL | attributes.DELETE_HORIZON
    kafka = with_plugins()
    one(kafka, v2.build(rows(), plugged=chosen(), producer_id=0, producer_epoch=0, base_sequence=0), 3)
    (batch,) = stored(kafka)
    assert (used | batch.attributes) & 0x80 == 0


@pytest.mark.statement("S3-24")
@pytest.mark.parametrize("release", RELEASES)
def test_an_id_that_nobody_registered_is_an_unknown_server_error(release: str) -> None:
    kafka = with_plugins(release)
    assert one(kafka, plugged(plugin_id=9), 3).error_code == ErrorCode.UNKNOWN_SERVER_ERROR
    assert kafka.records("t") == []
    kafka.plugins.register(LZMA)
    assert one(kafka, plugged(LZMA, 2), 3).error_code == ErrorCode.NONE


@pytest.mark.statement("S3-23", "S3-24")
def test_the_broker_reads_only_the_topic_of_java_plugins() -> None:
    kafka = with_plugins()
    (python,) = kafka.records("plugin-python-topic")
    (java,) = kafka.records("plugin-java-topic")
    kafka.send("plugin-python-topic", None, key=b"snappyPlugin")
    assert one(kafka, plugged(), 3).error_code == ErrorCode.NONE
    kafka.send("plugin-java-topic", None, key=b"snappyPlugin")
    kafka.send("plugin-python-topic", python.value, key=python.key)
    assert one(kafka, plugged(), 3).error_code == ErrorCode.UNKNOWN_SERVER_ERROR
    kafka.send("plugin-java-topic", java.value, key=java.key)
    assert one(kafka, plugged(), 3).error_code == ErrorCode.NONE


@pytest.mark.statement("S3-9")
def test_a_plugin_must_be_installed_on_the_broker() -> None:
    kafka = with_plugins()
    kafka.plugins.remove(SNAPPY)
    assert one(kafka, plugged(), 3).error_code == ErrorCode.UNKNOWN_SERVER_ERROR
    kafka.plugins.install(SNAPPY, chosen().plugin)
    assert one(kafka, plugged(), 3).error_code == ErrorCode.NONE


@pytest.mark.statement("S3-25")
@pytest.mark.parametrize(("damage", "offsets"), [("payload", []), ("count", [0, 2, 4]), ("offsets", [0, 2, 2])])
def test_the_broker_validates_a_batch_with_the_plugin(damage: str, offsets: list[int]) -> None:
    """Offsets of 0, 2 and 2 agree with the header, so that only the decompressed data show what is wrong."""
    kafka = with_plugins("4.3")
    if damage == "payload":
        data = bytearray(plugged())
        data[70:] = bytes(len(data) - 70)
        data[17:21] = crc32c(data[21:]).to_bytes(4, "big")
    else:
        sent = [row._replace(offset=offset) for row, offset in zip(rows(), offsets)]
        data = bytearray(v2.build(sent, plugged=chosen()))
    assert one(kafka, data, 3).error_code != ErrorCode.NONE
    assert kafka.records("t") == []


@pytest.mark.statement("S3-8", "S3-20", "S3-26")
@pytest.mark.parametrize("release", RELEASES)
def test_a_topic_names_the_alias_into_which_the_broker_recompresses(release: str) -> None:
    kafka = with_plugins(release, SNAPPY, LZMA)
    kafka.configure_topic("t", {"compression.type": LZMA})
    for data in (v2.build(rows()), v2.build(rows(), codec=1), plugged(), plugged(LZMA, 2)):
        assert one(kafka, data, 3).error_code == ErrorCode.NONE
    assert {record.codec for record in kafka.records("t")} == {LZMA}
    assert [batch.attributes & 0xF07 for batch in stored(kafka)] == [0x205] * 4
    assert bytes(stored(kafka)[-1].data)[61:] == plugged(LZMA, 2)[61:]  # this batch had the codec already
    kafka.configure_topic("t", {"compression.type": "gzip"})
    assert one(kafka, plugged(), 3).error_code == ErrorCode.NONE
    assert stored(kafka)[-1].attributes & 0xF07 == 1


@pytest.mark.statement("S3-26")
def test_a_broker_names_the_alias_for_all_its_topics() -> None:
    kafka = with_plugins(config={"compression.type": SNAPPY})
    assert one(kafka, v2.build(rows()), 3).error_code == ErrorCode.NONE
    assert {record.codec for record in kafka.records("t")} == {SNAPPY}
    assert {record.codec for record in kafka.records("plugin-java-topic")} == {"none"}


@pytest.mark.statement("S3-21", "S3-26")
def test_an_unregistered_alias_is_noticed_only_when_it_is_needed() -> None:
    kafka = with_plugins()
    kafka.configure_topic("t", {"compression.type": "noSuchPlugin"})
    assert one(kafka, v2.build(rows()), 3).error_code == ErrorCode.UNKNOWN_SERVER_ERROR
    assert kafka.records("t") == []


@pytest.mark.statement("S3-27")
@pytest.mark.parametrize("release", ["0.11.0", "2.3", "3.9"])
@pytest.mark.parametrize("magic", [0, 1])
def test_clients_of_older_formats_get_plain_messages(release: str, magic: Magic) -> None:
    kafka = with_plugins(release)
    one(kafka, plugged(), 3)
    found = fetching.only(fetching.fetch(kafka, ("t", 0, 0), version={0: 1, 1: 3}[magic]))
    assert found.error_code == ErrorCode.NONE
    units = [b for b in batches(fetching.data_of(found)) if b.size < 1000]
    assert [(unit.magic, unit.codec, next(unit.records()).value) for unit in units] == [(magic, 0, rows()[0].value)] * 3
    kafka.plugins.remove(SNAPPY)
    found = fetching.only(fetching.fetch(kafka, ("t", 0, 0), version={0: 1, 1: 3}[magic]))
    assert found.error_code == ErrorCode.UNSUPPORTED_COMPRESSION_TYPE


@pytest.mark.statement("S3-27")
def test_clients_of_format_2_get_the_bytes_that_are_stored() -> None:
    kafka = with_plugins()
    one(kafka, plugged(), 3)
    for version in (4, 9, 12):
        found = fetching.only(fetching.fetch(kafka, ("t", 0, 0), version=version))
        assert fetching.data_of(found)[61:] == plugged()[61:]


@pytest.mark.statement("S3-2")
@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize("position", [8, 11])
@pytest.mark.parametrize("count", [1, 10, 15])
def test_an_append_time_is_stamped_and_the_id_stays(release: str, count: int, position: int) -> None:
    """All four bits of the id stay, wherever they are. `count`: how many plug-ins there are; the last one is chosen."""
    names = [*(f"plugin-{n}" for n in range(count - 1)), SNAPPY]
    kafka = with_plugins(release, *names, position=position)
    kafka.configure_topic("t", {"message.timestamp.type": "LogAppendTime"})
    sent = plugged(plugin_id=count, position=position)
    assert one(kafka, sent, 3).error_code == ErrorCode.NONE
    (batch,) = stored(kafka)
    assert (batch.attributes, batch.crc_ok()) == (0x0D | count << position, True)
    assert {record.timestamp_type for record in kafka.records("t")} == {"LogAppendTime"}


def test_topics_of_older_formats_have_no_room_for_an_id() -> None:
    old = {"log.message.format.version": "0.10.2", "inter.broker.protocol.version": "0.10.2"}
    kafka = with_plugins("2.8", config=old)
    assert one(kafka, plugged(), 3).error_code == ErrorCode.UNKNOWN_SERVER_ERROR
    for build in (v0.build, v1.build):
        data = bytearray(build(rows(1)))
        data[17] |= KEY_5
        data[12:16] = crc32(data[16:]).to_bytes(4, "big")
        assert one(kafka, data, PRODUCE[data[16]]).error_code == ErrorCode.UNKNOWN_SERVER_ERROR


def test_what_the_cleaner_rebuilds_is_compressed_by_the_same_plugin() -> None:
    kafka = with_plugins()
    kafka.configure_topic("t", {"cleanup.policy": "compact"})
    one(kafka, plugged(), 3)
    one(kafka, v2.build(rows(2), plugged=chosen()), 3)
    kafka.compact("t", roll=True)
    assert [record.offset for record in kafka.records("t")] == [2, 3, 4]
    assert [(b.attributes, b.count, b.crc_ok()) for b in stored(kafka)] == [(0x105, 1, True), (0x105, 2, True)]


def test_offsets_are_found_by_time_within_a_batch() -> None:
    from fakekafka.wire.apis.list_offsets import (
        ListOffsetsPartition,
        ListOffsetsRequest,
        ListOffsetsResponse,
        ListOffsetsTopic,
    )

    kafka = with_plugins()
    one(kafka, plugged(), 3)
    wanted = ListOffsetsPartition(partition_index=0, timestamp=rows()[1].timestamp)
    asked = ListOffsetsRequest(replica_id=-1, topics=[ListOffsetsTopic(name="t", partitions=[wanted])])
    found = answer(kafka, asked, 2, ListOffsetsResponse).topics[0].partitions[0]
    assert (found.offset, found.timestamp) == (1, rows()[1].timestamp)


# ---- clusters in which one broker lacks the plug-in


def test_a_follower_copies_batches_that_it_cannot_read() -> None:
    kafka = with_plugins(brokers=2, config={"default.replication.factor": 2})
    leader = partition_leader(kafka)
    other = 1 - leader
    kafka.plugins.remove(SNAPPY, broker=other)
    assert kafka.plugins.installed(other) == [LZMA, "runLengthPlugin"]
    answered = one_at(kafka, leader, plugged())
    assert answered == ErrorCode.NONE
    copies = [
        b"".join(bytes(b.data) for s in node.partitions["t", 0].log.segments for b in s.batches())
        for node in kafka.connect(leader).core.cluster.brokers.values()
    ]
    assert copies[0] == copies[1]
    kafka.kill_broker(leader)
    assert (
        one_at(kafka, other, plugged()) == ErrorCode.UNKNOWN_SERVER_ERROR
    )  # this broker leads now, and cannot validate
    found = fetching.only(answer(kafka, fetching.request(("t", 0, 0)), 12, FetchResponse, other))
    assert fetching.data_of(found)[61:] == plugged()[61:]  # the broker sends the stored bytes


def test_the_cleaner_leaves_batches_alone_that_it_cannot_read() -> None:
    kafka = with_plugins()
    kafka.create_topic("other", config={"cleanup.policy": "compact"})
    kafka.configure_topic("t", {"cleanup.policy": "compact"})
    for _ in range(2):
        one(kafka, plugged(), 3)
        kafka.send("other", b"value", key=b"k")
    before = [bytes(batch.data) for batch in stored(kafka)]
    kafka.plugins.remove(SNAPPY)
    for topic in ("t", "other"):
        kafka.compact(topic, roll=True)
    assert [bytes(batch.data) for batch in stored(kafka)] == before
    assert len(kafka.records("other")) == 1
    kafka.plugins.install(SNAPPY, chosen().plugin)
    (compaction,) = kafka.compact("t", roll=True)
    assert (
        compaction.failure is not None
    )  # like any log on which the cleaner has failed, it is left out until a restart
    kafka.restart()
    kafka.compact("t", roll=True)
    assert [record.offset for record in kafka.records("t")] == [3, 4, 5]


def partition_leader(kafka: FakeKafka) -> int:
    return kafka.connect().core.cluster.topics["t"].partitions[0].leader


def one_at(kafka: FakeKafka, node_id: int, data: bytes) -> int:
    from tests.support.producing import T0, parts, produce, request

    (part,) = parts(produce(kafka, request({T0: bytearray(data)}), 9, node_id)).values()
    return part.error_code


# ---- without the draft


@pytest.mark.statement("S3-1", "S3-29")
@pytest.mark.parametrize("codec", range(5))
def test_the_built_in_codecs_keep_their_numbers_and_bytes(codec: int) -> None:
    sent = v2.build(rows(), codec=codec)
    files = []
    for drafts in ([], ["KIP-984"]):
        kafka = FakeKafka("3.9", drafts=drafts, topics={"t": 1}).boot()
        assert one(kafka, bytearray(sent), 7).error_code == ErrorCode.NONE
        (batch,) = stored(kafka)
        assert batch.codec == codec
        files.append(bytes(batch.data))
    assert files[0] == files[1]
    assert files[0][61:] == sent[61:]


@pytest.mark.statement("S3-1", "S3-29")
@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize("wanted", ["producer", "uncompressed", "gzip", "snappy", "lz4", "zstd"])
def test_the_draft_does_not_change_the_output_of_the_built_in_codecs(release: str, wanted: str) -> None:
    """Batches are recompressed at the topic's level, in the release's blocks; plug-ins are registered, but not used."""
    if wanted == "zstd" and release == "0.11.0":
        return  # it came with 2.1
    files = []
    for drafts in ([], ["KIP-984"]):
        kafka = FakeKafka(release, drafts=drafts).boot()
        config = {"compression.type": wanted}
        if wanted == "gzip" and release in ("3.9", "4.3"):
            config["compression.gzip.level"] = "1"
        kafka.create_topic("t", config=config)
        if drafts:
            kafka.plugins.register(SNAPPY)
        for codec in range(4):
            long = [row._replace(value=bytes(range(256)) * 300) for row in rows()]
            assert one(kafka, bytearray(v2.build(long, codec=codec)), 3).error_code == ErrorCode.NONE
        files.append([bytes(batch.data) for batch in stored(kafka)])
        assert len({record.value for record in kafka.records("t")}) == 1
    assert files[0] == files[1]


@pytest.mark.statement("S3-29")
@pytest.mark.parametrize(("release", "magic"), [("0.11.0", 2), ("2.3", 1), ("2.3", 2), ("3.9", 2), ("4.3", 2)])
def test_codec_5_is_an_error_without_the_draft(release: str, magic: Magic) -> None:
    data = bytearray(plugged() if magic == 2 else v1.build(rows(1)))
    if magic < 2:
        data[17] |= KEY_5
        data[12:16] = crc32(data[16:]).to_bytes(4, "big")
    kafka = FakeKafka(release, topics={"t": 1}).boot()
    assert one(kafka, data, PRODUCE[magic]).error_code == ErrorCode.UNKNOWN_SERVER_ERROR
    assert kafka.records("t") == []


@pytest.mark.statement("S3-28")
def test_a_batch_of_an_unknown_plugin_cannot_be_read() -> None:
    (batch,) = batches(plugged())
    with pytest.raises(MalformedBytes, match="codec 5"):
        list(batch.records())
    kafka = with_plugins()
    one(kafka, plugged(), 3)
    kafka.plugins.remove(SNAPPY)
    with pytest.raises(UsageError, match="Unknown compression name: snappyPlugin is not installed on broker 0"):
        kafka.records("t")


@pytest.mark.statement("S3-31")
def test_the_batch_holds_the_id_and_no_class_name() -> None:
    kafka = with_plugins()
    name = b"com.example.VeryLongClassNameOfAPlugin"
    kafka.plugins.register(LZMA, {"java": name.decode(), "python": name.decode()})
    one(kafka, plugged(LZMA, 2), 3)
    (batch,) = stored(kafka)
    assert name not in bytes(batch.data)
    assert bytes(batch.data)[61:] == chosen(LZMA).plugin.compress(v2.build(rows())[61:])


def test_compression_by_a_plugin_preserves_a_record() -> None:
    row = Record(0, rows()[0].timestamp, 0, None, None, headers=(("h", b"x"), ("n", None)))
    kafka = with_plugins()
    assert one(kafka, v2.build([row], plugged=chosen()), 3).error_code == ErrorCode.NONE
    (found,) = kafka.records("t")
    assert (found.key, found.value, found.headers) == (None, None, row.headers)


@pytest.mark.statement("S3-32")
def test_levels_of_kafkas_codecs_can_be_configured_beside_plugins() -> None:
    levels = {"compression.gzip.level", "compression.lz4.level", "compression.zstd.level"}  # KIP-390, shipped in 3.8
    assert not levels & profile(Release.parse("3.7")).topic_configs.keys()
    kafka = with_plugins("3.8")
    for level in ("1", "9"):
        kafka.configure_topic("t", {"compression.type": "gzip", "compression.gzip.level": level})
        one(kafka, plugged(count=100), 3)
    quick, thorough = stored(kafka)
    assert len(thorough.data) < len(quick.data)
