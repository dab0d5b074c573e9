"""Topics at a glance: leaders, offsets, sizes, formats."""

import pytest
from fakekafka import FakeKafka


@pytest.mark.parametrize(("release", "message_format"), [("0.9.0", 0), ("0.10.2", 1), ("2.3", 2)])
def test_a_partition_shows_its_offsets_its_size_and_its_format(release: str, message_format: int) -> None:
    kafka = FakeKafka(release, topics={"orders": 2}).boot()
    kafka.send("orders", b"two apples", partition=1)
    empty, filled = kafka.describe_topics()["orders"].partitions
    assert (filled.partition, filled.leader, filled.replicas, filled.isr) == (1, 0, [0], [0])
    assert (filled.start_offset, filled.end_offset, filled.high_watermark, filled.last_stable_offset) == (0, 1, 1, 1)
    assert (filled.message_format, filled.segments, empty.size) == (message_format, 1, 0)
    assert filled.size > len(b"two apples")


def test_internal_topics_come_last_and_own_configs_are_shown() -> None:
    kafka = FakeKafka("2.3").boot()
    kafka.create_topic("__consumer_offsets")
    kafka.create_topic("orders", config={"retention.ms": 60_000})
    topics = kafka.describe_topics()
    assert [(name, topic.internal) for name, topic in topics.items()] == [
        ("orders", False),
        ("__consumer_offsets", True),
    ]
    assert topics["orders"].config == {"retention.ms": "60000"}


def test_a_partition_without_a_leader_has_no_offsets() -> None:
    kafka = FakeKafka("2.3", brokers=2, topics={"orders": 2}).boot()
    leader = kafka.describe_topics()["orders"].partitions[0].leader
    kafka.kill_broker(leader)
    partition = kafka.describe_topics()["orders"].partitions[0]
    assert (partition.leader, partition.end_offset, partition.size) == (-1, -1, 0)
