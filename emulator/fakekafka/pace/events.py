"""What takes a real cluster some time, under the names that `tests/benchmarks/real_paces.py` gives to it."""

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
]
"""topic asked for: from the first Metadata for a topic that is not there until it has leaders, created by that.
CreateTopics answered, topic created: from the request to its answer, and from there until Metadata has leaders.
offsets topic, transactions topic: from the first FindCoordinator until one names a coordinator.
offsets loaded, first producer id: from there until that coordinator serves its first group, or transactional id.
markers: from the answer to EndTxn until the producer's next transaction may begin.
"""

INTERNAL_TOPICS: Final[Mapping[TopicName, Event]] = {
    "__consumer_offsets": "offsets topic",
    "__transaction_state": "transactions topic",
    "__share_group_state": "offsets topic",
}
"""They have many partitions, and take longer than others."""


def event_of(topic: TopicName) -> Event:
    """The event that a topic of this name is made."""
    return INTERNAL_TOPICS.get(topic, "topic asked for")
