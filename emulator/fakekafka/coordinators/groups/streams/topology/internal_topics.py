"""How the broker creates the internal topics of a topology (DefaultAutoTopicCreationManager).

A heartbeat that finds them missing has them created, and the next one finds them. What could not be created is not
tried again for two heartbeat intervals, and members are told why.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fakekafka.cluster.topic_creation.creation import create_topics
from fakekafka.cluster.topic_creation.new_topics import NewTopic
from fakekafka.coordinators.groups.streams.topology.configured import MISSING_INTERNAL_TOPICS, SHOWN, Status
from fakekafka.coordinators.hash_order import grown_map_order
from fakekafka.errors import ApiError
from fakekafka.ids import DurationMs, TimestampMs, TopicName
from fakekafka.jvm.hashes import MASK, java_hash
from fakekafka.jvm.maps import champ
from fakekafka.pieces import finished

if TYPE_CHECKING:
    from fakekafka.cluster.broker import Broker

SMALL_MAP = 4
"""Up to this many entries, the immutable maps of Scala keep the order in which they were filled."""


class InternalTopics:
    """Which internal topics could not be created."""

    def __init__(self, broker: "Broker") -> None:
        self._broker = broker
        self._failures: dict[TopicName, tuple[TimestampMs, str]] = {}
        """For each failure, until when it counts, and why the topic could not be created."""

    def with_failures(self, statuses: Sequence[Status], topics: Sequence[NewTopic]) -> list[Status]:
        """The statuses of a member, with what is known about topics that are still missing."""
        failed = self._failed([topic.name for topic in topics])
        if not failed:
            return list(statuses)
        shown = ", ".join(f"{name} ({self._failures[name][1]})" for name in failed[:SHOWN])
        rest = f" and {len(failed) - SHOWN} more" if len(failed) > SHOWN else ""
        return [
            status._replace(words=f"{status.words}; Creation failed: {shown}{rest}.")
            if status.code == MISSING_INTERNAL_TOPICS
            else status
            for status in statuses
        ]

    def create(self, topics: Sequence[NewTopic], client_id: str | None, kept_ms: DurationMs) -> None:
        """Create topics, except those that have failed recently. `kept_ms`: for how long a failure counts."""
        failed = self._failed([topic.name for topic in topics])
        asked = [topic for topic in topics if topic.name not in failed]
        try:
            results = finished(create_topics(self._broker, asked, client_id, validate_only=False))
        except ApiError as refused:
            results = [refused] * len(asked)
        until = self._now + kept_ms
        for topic, result in zip(asked, results, strict=True):
            if isinstance(result, ApiError):
                self._failures[topic.name] = (until, result.message or "")

    @property
    def _now(self) -> TimestampMs:
        return self._broker.cluster.clock.now_ms

    def _failed(self, names: Sequence[TopicName]) -> list[TopicName]:
        """The topics whose failure still counts, in the order of the broker's map."""
        now = self._now
        self._failures = {name: failure for name, failure in self._failures.items() if failure[0] > now}
        failed = grown_map_order(name for name in names if name in self._failures)
        return failed if len(failed) <= SMALL_MAP else champ([(java_hash(name) & MASK, name) for name in failed])
