"""What takes a real cluster some time, under the names that `tests/benchmarks/real_paces.py` uses."""

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

from fakekafka.ids import TopicName

Event: TypeAlias = Literal[
    "topic asked for",
    "CreateTopics answered",
    "topic created",
    "offsets topic",
    "offsets loaded",
    "transactions topic",
    "first producer id",
    "markers",
    "reassignment",
    "news",
    "told what it leads",
    "death noticed",
    "replicated",
    "high watermark",
]
"""topic asked for: from the first Metadata for a missing topic, which creates it, until it has leaders.
CreateTopics answered, topic created: from the request to its answer, and from there until Metadata has leaders.
offsets topic, transactions topic: from the first FindCoordinator until one names a coordinator.
offsets loaded, first producer id: from then on until that coordinator serves its first group, or transactional id.
markers: from the answer to EndTxn until the producer's next transaction may begin.
reassignment: from the answer to AlterPartitionReassignments until the partition, which is empty, is no longer listed.
news: from when the first broker knows a new topic until another one does.
told what it leads: from when a broker under ZooKeeper answers after a restart until it knows its partitions.
death noticed: from the kill of a broker, with a session of 6 s, until another broker names other leaders.
replicated, high watermark: what acks=all takes longer than acks=1, and how much later a follower shows the record.
"""

INTERNAL_TOPICS: Final[Mapping[TopicName, Event]] = {
    "__consumer_offsets": "offsets topic",
    "__transaction_state": "transactions topic",
    "__share_group_state": "offsets topic",
}
"""Topics that have many partitions, and take longer than others."""


def event_of(topic: TopicName) -> Event:
    """The event of creating a topic with this name."""
    return INTERNAL_TOPICS.get(topic, "topic asked for")
