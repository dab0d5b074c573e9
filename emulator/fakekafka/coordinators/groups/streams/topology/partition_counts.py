"""How many partitions internal topics are to have (RepartitionTopics, CopartitionedTopicsEnforcer, ChangelogTopics).

A repartition topic without its own count gets the largest count among the topics read by the subtopology that writes
it. Topics that are read together ("co-partitioned") must have the same count. A changelog has a partition for each
task. For an existing topic its own number counts, whatever was decided for it.
"""

from collections.abc import Iterable, Mapping, Sequence

from fakekafka.coordinators.hash_order import grown_map_order
from fakekafka.errors import ApiError, ErrorCode
from fakekafka.ids import TopicName
from fakekafka.wire.internal.streams_group_records import Subtopology


class Incomplete(Exception):
    """Topics have incompatible numbers of partitions; the message names them."""


class PartitionCounts:
    """The decisions for one topology. Raises `ApiError` 130 for an impossible one, and `Incomplete`."""

    def __init__(
        self,
        parts: Mapping[str, Subtopology],
        copartitioned: Sequence[Sequence[TopicName]],
        existing: Mapping[TopicName, int],
    ) -> None:
        """`copartitioned`: the result of the function `copartitioned`. `existing`: the partition counts of all
        topics.
        """
        self._parts = list(parts.values())
        self._existing = existing
        fixed = {t.name: t.partitions for part in self._parts for t in part.repartition_source_topics if t.partitions}
        self._fixed = grown_map_order(fixed)
        self._flexible = {t.name for part in self._parts for t in part.repartition_source_topics if not t.partitions}
        self.decided = self._of_repartition(fixed)
        for names in copartitioned:
            self._copartition(names)
        for part in self._parts:
            self._changelogs(part)

    def count(self, topic: TopicName) -> int:
        """The count of a topic that exists or was decided. Raises `ApiError` -1 for others."""
        number = self._existing.get(topic, self.decided.get(topic))
        if number is None:
            raise ApiError(ErrorCode.UNKNOWN_SERVER_ERROR)
        return number

    def most(self, topics: Iterable[TopicName]) -> int:
        """The largest count."""
        return max(map(self.count, topics))

    # ---- repartition topics

    def _of_repartition(self, fixed: Mapping[TopicName, int]) -> dict[TopicName, int]:
        counts = dict(fixed)
        open_parts = self._parts
        while open_parts:
            before = len(counts)
            open_parts = [part for part in open_parts if not self._decide_sinks(part, counts)]
            if open_parts and len(counts) == before:
                raise _impossible(
                    "Failed to compute number of partitions for all repartition topics."
                    " There may be loops in the topology that cannot be resolved."
                )
        if not counts.keys() >= {*self._fixed, *self._flexible}:
            raise _impossible(
                "Failed to compute number of partitions for all repartition topics, because a repartition source topic"
                " is never used as a sink topic."
            )
        return counts

    def _decide_sinks(self, part: Subtopology, counts: dict[TopicName, int]) -> bool:
        """Decide the counts of what a subtopology writes, if those of what it reads are known."""
        read = [counts[topic.name] for topic in part.repartition_source_topics if topic.name in counts]
        read += [self._existing[name] for name in part.source_topics if name in self._existing]
        for name in part.repartition_sink_topics:
            if name not in counts:
                if not read:
                    return False
                counts[name] = max(read)
        return True

    # ---- co-partitioned topics

    def _copartition(self, names: Sequence[TopicName]) -> None:
        internal = {name: self.count(name) for name in names if name in self._fixed or name in self._flexible}
        others = {name: self.count(name) for name in names if name not in internal}
        count = self._same(others) if others else self._of_internal(internal)
        for name in grown_map_order(internal):
            if name in self._fixed and internal[name] != count:
                raise Incomplete(
                    f"Number of partitions [{internal[name]}] of repartition topic [{name}] doesn't match"
                    f" number of partitions [{count}] of the source topic."
                )
        self.decided.update(dict.fromkeys(internal, count))

    def _of_internal(self, internal: Mapping[TopicName, int]) -> int:
        """The count if only repartition topics are read together. Every fixed count of the topology takes part."""
        counts = [self.count(name) for name in self._fixed]
        if len(set(counts)) > 1:
            raise _unequal(internal)
        return counts[0] if counts else max(internal.values())

    def _same(self, others: Mapping[TopicName, int]) -> int:
        if len(set(others.values())) > 1:
            raise _unequal(others)
        return next(iter(others.values()))

    # ---- changelogs

    def _changelogs(self, part: Subtopology) -> None:
        names = [*part.source_topics, *(topic.name for topic in part.repartition_source_topics)]
        if not names:
            raise _impossible(f"No source topics found for subtopology {part.subtopology_id}")
        count = self.most(names)
        self.decided.update({topic.name: count for topic in part.state_changelog_topics})


def copartitioned(parts: Mapping[str, Subtopology]) -> list[list[TopicName]]:
    """Which topics are read together. Raises `ApiError` -1 for one that the subtopology does not have."""
    groups = []
    for part in parts.values():
        repartition = [topic.name for topic in part.repartition_source_topics]
        for group in part.copartition_groups:
            names = _picked(part.source_topics, group.source_topics)
            groups.append(names + _picked(repartition, group.repartition_source_topics))
    return [names for names in groups if names]


def _picked(names: Sequence[TopicName], places: Iterable[int]) -> list[TopicName]:
    if any(not 0 <= at < len(names) for at in places):
        raise ApiError(ErrorCode.UNKNOWN_SERVER_ERROR)
    return [names[at] for at in places]


def _unequal(counts: Mapping[TopicName, int]) -> Incomplete:
    shown = ", ".join(f"{name}={count}" for name, count in sorted(counts.items()))
    return Incomplete(f"Following topics do not have the same number of partitions: [{{{shown}}}]")


def _impossible(words: str) -> ApiError:
    return ApiError(ErrorCode.STREAMS_INVALID_TOPOLOGY, words)
