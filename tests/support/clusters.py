"""Clusters of several brokers without sockets, and what tests of replication ask of them."""

from typing import NamedTuple

from fakekafka import FakeKafka, ManualClock
from fakekafka.cluster.cluster import Cluster
from fakekafka.ids import BrokerId, DurationMs, Magic, Offset, PartitionIndex
from fakekafka.settings.options import Pace
from fakekafka.state.topics import PartitionState
from fakekafka.storage.partition import Partition
from fakekafka.wire.apis.fetch import FetchPartition, FetchRequest, FetchResponse, FetchTopic

from tests.support.brokers import answer
from tests.support.seeded import NOW


def formed(
    release: str = "2.8", brokers: int = 3, partitions: int = 1, pace: Pace = "instant", **config: object
) -> FakeKafka:
    """A cluster with the topic "t", on all brokers. `config`: broker properties, with underscores for dots."""
    given: dict[str, object] = {"default.replication.factor": brokers}
    given |= {name.replace("_", "."): value for name, value in config.items()}
    topics = {"t": partitions}
    kafka = FakeKafka(release, config=given, brokers=brokers, topics=topics, pace=pace, clock=ManualClock(NOW))
    return kafka.boot()


def advance(kafka: FakeKafka, ms: DurationMs) -> None:
    """Let time pass."""
    assert isinstance(kafka.clock, ManualClock)
    kafka.clock.advance(ms)


def cluster_of(kafka: FakeKafka) -> Cluster:
    return kafka.connect().core.cluster


def state_of(kafka: FakeKafka, index: PartitionIndex = 0) -> PartitionState:
    """What the controller knows about a partition of "t"."""
    found = cluster_of(kafka).topics["t"].partition(index)
    assert found is not None
    return found


def replica(kafka: FakeKafka, node_id: BrokerId, index: PartitionIndex = 0) -> Partition:
    """One broker's copy of a partition of "t"."""
    return cluster_of(kafka).brokers[node_id].partitions["t", index]


def values(kafka: FakeKafka, node_id: BrokerId) -> list[bytes | None]:
    """The values of the records of "t" on one broker."""
    return [record.value for record in kafka.records("t", broker=node_id)]


def magics(kafka: FakeKafka, node_id: BrokerId) -> list[Magic]:
    """The formats of the records of "t" on one broker."""
    return [record.magic for record in kafka.records("t", broker=node_id)]


def ends(kafka: FakeKafka) -> dict[BrokerId, tuple[Offset, Offset]]:
    """The high watermark and log end offset of every broker's copy of "t-0"."""
    brokers = cluster_of(kafka).brokers
    copies = {node: broker.partitions["t", 0] for node, broker in sorted(brokers.items())}
    return {node: (copy.high_watermark, copy.log.log_end_offset) for node, copy in copies.items()}


class Fetched(NamedTuple):
    """What a broker returns from "t-0"."""

    error: int
    high_watermark: Offset
    records: bytes


def fetched(kafka: FakeKafka, offset: Offset, version: int, node_id: BrokerId = 0) -> Fetched:
    """Fetch as a consumer, without waiting."""
    asked = FetchPartition(partition=0, fetch_offset=offset, partition_max_bytes=1 << 20)
    topics = [FetchTopic(topic="t", partitions=[asked])]
    response = answer(kafka, FetchRequest(max_wait_ms=0, min_bytes=0, topics=topics), version, FetchResponse, node_id)
    (data,) = response.responses[0].partitions
    assert not isinstance(data.records, list)
    return Fetched(data.error_code, data.high_watermark, bytes(data.records or b""))
