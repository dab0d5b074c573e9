"""The section about topics."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from fakekafka.cluster.cluster import compact_topic
from fakekafka.handle.section import Section
from fakekafka.ids import TopicName
from fakekafka.storage.cleaning import Compaction

if TYPE_CHECKING:
    from fakekafka.overview.topics import TopicOverview


class Topics(Section):
    """Create, configure, describe, compact and delete topics."""

    def describe_topics(self) -> "dict[TopicName, TopicOverview]":
        """Every topic, including internal ones: leaders, offsets, sizes and formats of its partitions."""
        from fakekafka.overview.topics import topics_of

        return {topic.name: topic for topic in self._on_loop(lambda: topics_of(self._running.cluster))}

    def create_topic(self, name: TopicName, partitions: int = 1, config: Mapping[str, object] | None = None) -> None:
        """Create a topic. Raises `UsageError` with the broker's reason when it refuses."""
        from fakekafka.admin import direct  # only needed once a topic is created

        overrides = {key: str(value) for key, value in (config or {}).items()}
        self._on_loop(lambda: direct.create_topic(self._running.cluster, name, partitions, overrides))

    def configure_topic(self, name: TopicName, config: Mapping[str, object | None]) -> None:
        """Set configs of a topic, now; None removes one. Raises `UsageError` with the broker's reason."""
        from fakekafka.admin import direct

        changes = {key: None if value is None else str(value) for key, value in config.items()}
        self._on_loop(lambda: direct.configure_topic(self._running.cluster, self._topic(name), changes))

    def delete_topic(self, name: TopicName) -> None:
        """Delete a topic and its records. Raises `UsageError` if there is no such topic."""
        self._on_loop(lambda: self._running.cluster.remove_topic(self._topic(name)))

    def compact(self, topic: TopicName, *, roll: bool = False) -> list[Compaction]:
        """Run one pass of the cleaner over a topic, however little is dirty; returns what the pass did, by partition.

        As always, the active segment stays as it is, like whatever `min.compaction.lag.ms` or an open transaction
        holds. `roll`: end the active segments first, so that every record so far can be compacted. Without this method,
        the cleaner follows the clock. Raises `UsageError` for a topic whose `cleanup.policy` does not say "compact".
        """
        return self._on_loop(lambda: compact_topic(self._running.cluster, self._topic(topic), roll))

    def topics(self) -> dict[TopicName, int]:
        """The topics and their number of partitions, internal ones left out."""
        topics = self._on_loop(lambda: list(self._running.cluster.topics.values()))
        return {topic.name: len(topic.partitions) for topic in topics if not topic.is_internal}
