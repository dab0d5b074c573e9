"""The contents of a cluster's plug-in topics, `plugin-java-topic` and the like, read and written without a client."""

from collections.abc import Iterator, Mapping
from typing import Final

from fakekafka.cluster.cluster import Cluster
from fakekafka.cluster.internal_topics import append
from fakekafka.errors import ErrorCode, MalformedBytes, UsageError
from fakekafka.ids import Offset
from fakekafka.log.partition_log import PartitionLog
from fakekafka.plugins.entry import JAVA, Language, PluginEntry, language_of, topic_of
from fakekafka.plugins.registration import Registered, by_language
from fakekafka.records.record import Record
from fakekafka.state.topics import Topic
from fakekafka.storage.partition import Partition

REPLICAS: Final = 3
"""Replicas of each topic, if there are that many brokers."""
CONFIGS: Final = {"cleanup.policy": "compact", "compression.type": "producer"}
"""Configs of each topic. The topics that name the plug-ins are not compressed by one themselves."""


class Registry:
    """The plug-ins that are registered in `cluster`."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._java: Mapping[str, PluginEntry] = {}
        self._read_up_to: tuple[PartitionLog, Offset] | None = None
        self._is_reading = False

    def all(self) -> Registered:
        """The entries by language and alias; a language with a topic is included even if the topic is empty."""
        entries: dict[Language, Mapping[str, PluginEntry]] = {}
        for name, topic in self._cluster.topics.items():
            if (language := language_of(name)) is not None:
                entries[language] = self._entries(language, topic)
        return entries

    def java(self) -> Mapping[str, PluginEntry]:
        """The Java entries, which brokers use, by alias. They are read again when the topic has grown."""
        topic = self._cluster.topics.get(topic_of(JAVA))
        partition = None if topic is None else self._leader(topic)
        if topic is None or partition is None or self._is_reading:
            return {}
        read_up_to = partition.log, partition.log.log_end_offset
        if read_up_to != self._read_up_to:
            self._java, self._read_up_to = self._entries(JAVA, topic), read_up_to
        return self._java

    def _entries(self, language: Language, topic: Topic) -> Mapping[str, PluginEntry]:
        records = ((language, bytes(r.key or b""), r.value and bytes(r.value)) for r in self._records(topic))
        return by_language(records).get(language, {})

    def _records(self, topic: Topic) -> Iterator[Record]:
        """Every record that can be read here; those that a plug-in has compressed cannot."""
        partition = self._leader(topic)
        self._is_reading = True
        try:
            for segment in () if partition is None else partition.log.segments:
                for batch in segment.batches():
                    try:
                        yield from [] if batch.is_control else list(batch.records())
                    except MalformedBytes:
                        continue
        finally:
            self._is_reading = False

    def _leader(self, topic: Topic) -> Partition | None:
        """The leader's partition; any replica if nobody leads."""
        brokers = self._cluster.brokers.values()
        for broker in brokers:  # called for each batch
            led = broker.partition(topic.name, 0)
            if led is not None:
                return led
        return next((hosted for b in brokers if (hosted := b.partitions.get((topic.name, 0))) is not None), None)

    # ---- writing

    def write(self, entries: Mapping[Language, PluginEntry]) -> None:
        """Store an entry for each language in the topic of that language, which is created if it is missing, in place
        of an older entry with the same alias.

        Raises `UsageError` if no topic may have a language's name or one of the topics has no leader; nothing is stored
        then. Raises it also if a topic's leader refuses an entry; those before it are stored then.
        """
        partitions = {language: self._led(topic_of(language)) for language in entries}
        for language, entry in entries.items():
            self._write(partitions[language], entry)

    def _led(self, name: str) -> Partition:
        """The leader's partition of a topic, which is created if it is missing. Raises `UsageError`."""
        partition = self._leader(self._cluster.topics.get(name) or self._make(name))
        if partition is None or not partition.leads:
            raise UsageError(f"nobody leads {name} now")
        return partition

    def _write(self, partition: Partition, entry: PluginEntry) -> None:
        cluster = self._cluster
        done = append(cluster.waiters, partition, [(entry.key, entry.value)], cluster.clock.now_ms)
        if done.error is not ErrorCode.NONE:
            raise UsageError(f"{partition.topic.name} does not take {entry.alias}: {done.error.name}")

    def _make(self, name: str) -> Topic:
        cluster = self._cluster
        replicas = cluster.assign(1, min(REPLICAS, len(cluster.registered)))
        has_ids = cluster.brokers[cluster.controller_id].has_topic_ids
        return cluster.new_topic(name, dict(enumerate(replicas)), dict(CONFIGS), has_ids)
