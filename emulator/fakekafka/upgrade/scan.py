"""What a cluster's logs hold that matters to conversions: units by format and codec, and what older formats lack."""

from collections.abc import Iterator
from typing import NamedTuple

from fakekafka.cluster.cluster import Cluster
from fakekafka.cluster.formats import TOPIC_CONFIG
from fakekafka.ids import Magic, TopicName
from fakekafka.records.batch import Batch
from fakekafka.records.compression import NONE
from fakekafka.state.topics import Topic


class Units(NamedTuple):
    """The units of one format and one codec in one topic."""

    magic: Magic
    codec: int = NONE
    units: int = 0
    records: int = 0
    size: int = 0
    """Bytes, as they are stored."""
    control: int = 0
    """Transaction markers."""
    headers: int = 0
    """Units with a record that has headers."""

    def with_unit(self, batch: Batch) -> "Units":
        """These units and one more."""
        has_headers = batch.magic > 1 and not batch.is_control and any(record.headers for record in batch.records())
        more = (1, batch.count, batch.size, batch.is_control, has_headers)
        return Units(self.magic, self.codec, *(mine + one for mine, one in zip(self[2:], more, strict=True)))


class Held(NamedTuple):
    """What a topic holds."""

    name: TopicName
    format_version: str | None
    """Its own `message.format.version`."""
    units: list[Units]
    """One entry for each format and codec, the oldest format first."""


def scan(cluster: Cluster) -> list[Held]:
    """The topics of clients, by name; every record is read."""
    topics = sorted(cluster.topics.values(), key=lambda topic: topic.name)
    return [_held(cluster, topic) for topic in topics if not topic.is_internal]


def _held(cluster: Cluster, topic: Topic) -> Held:
    counts: dict[tuple[Magic, int], Units] = {}
    for batch in _batches(cluster, topic):
        kind = (batch.magic, batch.codec)
        counts[kind] = counts.get(kind, Units(*kind)).with_unit(batch)
    return Held(topic.name, topic.overrides.get(TOPIC_CONFIG), [counts[kind] for kind in sorted(counts)])


def _batches(cluster: Cluster, topic: Topic) -> Iterator[Batch]:
    """The batches of each partition, as its leader holds them."""
    for state in topic.partitions:
        broker = cluster.brokers.get(state.leader)
        partition = None if broker is None else broker.partition(topic.name, state.index)
        for segment in [] if partition is None else partition.log.segments:
            yield from segment.batches()
