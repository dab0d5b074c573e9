import pytest
from fakekafka import FakeKafka, ManualClock
from fakekafka.cluster.internal_topics import Producer, append, ensure, partition_count, partition_for
from fakekafka.errors import ErrorCode
from fakekafka.jvm.hashes import java_hash
from fakekafka.state.topics import CONSUMER_OFFSETS, SHARE_GROUP_STATE, TRANSACTION_STATE
from hypothesis import given
from hypothesis import strategies as st

from tests.support.seeded import NOW, booted, broker_of, partition_of

INDEX: dict[str, object] = {"log.index.size.max.bytes": 4096}


def started(release: str, brokers: int = 1, **config: object) -> FakeKafka:
    given_ = {name.replace("_", "."): value for name, value in config.items()}
    return FakeKafka(release, brokers=brokers, config=INDEX | given_, clock=ManualClock(NOW)).boot()


# ---- which partition


@pytest.mark.parametrize(
    ("text", "expected"),
    [("", 0), ("a", 97), ("group", 98629247), ("polygenelubricants", -(2**31)), ("ä€", 15432), ("\U0001f600", 1772899)],
)
def test_texts_have_the_hash_code_that_java_gives_them(text: str, expected: int) -> None:
    assert java_hash(text) == expected


@given(st.text(), st.integers(1, 60))
def test_every_key_has_a_partition(key: str, count: int) -> None:
    assert 0 <= partition_for(key, count) < count


def test_the_lowest_hash_code_belongs_to_partition_0() -> None:
    assert partition_for("polygenelubricants", 50) == 0
    assert partition_for("group", 50) == 98629247 % 50


# ---- how they come to be


@pytest.mark.parametrize("release", ["0.8.2", "0.10.0", "2.3", "4.3"])
def test_the_offsets_topic_is_created_with_the_configs_of_the_release(release: str) -> None:
    kafka = started(release)
    broker = broker_of(kafka)
    assert partition_count(broker, CONSUMER_OFFSETS) == 50
    topic = ensure(broker, CONSUMER_OFFSETS)
    assert topic is not None
    assert len(topic.partitions) == partition_count(broker, CONSUMER_OFFSETS) == 50
    assert (topic.overrides["cleanup.policy"], topic.overrides["segment.bytes"]) == ("compact", "104857600")
    assert topic.overrides.get("compression.type") == (
        None if release == "0.8.2" else "uncompressed" if release == "0.9.0" else "producer"
    )
    assert ensure(broker, CONSUMER_OFFSETS) is topic
    assert list(broker.cluster.topics) == ["__consumer_offsets"]


def test_broker_configs_shape_the_offsets_topic() -> None:
    kafka = started("3.8", offsets_topic_num_partitions=3, offsets_topic_segment_bytes=1_000_000)
    topic = ensure(broker_of(kafka), CONSUMER_OFFSETS)
    assert topic is not None
    assert (len(topic.partitions), topic.overrides["segment.bytes"]) == (3, "1000000")


@pytest.mark.parametrize("name", [TRANSACTION_STATE, SHARE_GROUP_STATE])
def test_other_coordinators_have_their_own_topics(name: str) -> None:
    topic = ensure(broker_of(started("4.3")), name)
    assert topic is not None
    assert len(topic.partitions) == 50
    expected = {TRANSACTION_STATE: "compact", SHARE_GROUP_STATE: "delete"}
    assert topic.overrides["cleanup.policy"] == expected[name]


@pytest.mark.parametrize(("release", "replicas"), [("0.10.2", 2), ("0.11.0", None), ("4.3", None)])
def test_the_offsets_topic_may_have_fewer_replicas_than_configured_up_to_0_10(
    release: str, replicas: int | None
) -> None:
    kafka = started(release, 2, offsets_topic_replication_factor=3, offsets_topic_num_partitions=4)
    topic = ensure(broker_of(kafka), CONSUMER_OFFSETS)
    assert (None if topic is None else len(topic.partitions[0].replicas)) == replicas


# ---- writing


@pytest.mark.parametrize(("release", "magic"), [("0.9.0", 0), ("0.10.0", 1), ("0.11.0", 2), ("4.3", 2)])
def test_appended_records_have_the_topics_format_and_wake_waiters(release: str, magic: int) -> None:
    kafka = booted(release)
    partition, waiters, woken = partition_of(kafka), broker_of(kafka).waiters, list[str]()
    waiters.watch([partition.key], lambda: woken.append("woken"))
    done = append(waiters, partition, [(b"a", b"1"), (b"b", None)], NOW)
    waiters.run_ready()
    assert (done.error, done.base_offset, woken) == (ErrorCode.NONE, 0, ["woken"])
    records = kafka.records("t")
    assert [(r.offset, r.key, r.value, r.magic) for r in records] == [(0, b"a", b"1", magic), (1, b"b", None, magic)]
    assert {r.timestamp for r in records} == {NOW if magic else -1}


def test_the_header_of_a_batch_says_which_transaction_it_belongs_to() -> None:
    kafka = booted("3.8")
    partition, waiters = partition_of(kafka), broker_of(kafka).waiters
    append(waiters, partition, [(b"a", b"1")], NOW)
    append(waiters, partition, [(b"a", b"1")], NOW, producer=Producer(7, 3, 0))
    plain, of_transaction = partition.log.segments[-1].batches()
    assert (plain.producer_id, plain.base_sequence, plain.is_transactional) == (-1, -1, False)
    assert (of_transaction.producer_id, of_transaction.producer_epoch, of_transaction.is_transactional) == (7, 3, True)


def test_an_append_above_the_size_limit_is_an_error() -> None:
    kafka = booted("3.8", max_message_bytes="100")
    done = append(broker_of(kafka).waiters, partition_of(kafka), [(b"a", b"1" * 200)], NOW)
    assert done.error is ErrorCode.MESSAGE_TOO_LARGE
