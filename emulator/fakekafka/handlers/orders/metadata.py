"""The order of answers about topics."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import Final, NamedTuple, TypeAlias, assert_never

from fakekafka.cluster.broker import Broker
from fakekafka.cluster.known_topics import ToldAtStart, known_topics
from fakekafka.errors import ErrorCode
from fakekafka.handlers.call import Call
from fakekafka.ids import ZERO_UUID, BrokerId, PartitionIndex, TopicName, Uuid
from fakekafka.jvm.chains import (
    case_class_hash,
    message_hash,
    numbers_through,
    place_hash,
    texts_through,
    through,
)
from fakekafka.jvm.hashes import uuid_hash
from fakekafka.jvm.maps import FIRST_TABLE, SMALL, MapKind, in_order, mutable
from fakekafka.jvm.open_maps import long_map
from fakekafka.releases.behaviours.metadata_orders import MetadataOrdersBehaviour
from fakekafka.state.topics import Addition, Topic
from fakekafka.wire.apis.metadata import (
    MetadataRequest,
    MetadataResponse,
    MetadataResponsePartition,
    MetadataResponseTopic,
)

CLUSTERS: Final = 16
"""For so many sets of topics it is remembered in which order they are."""
REMEMBERED: Final = 4096
"""For so many topics it is remembered how their partitions are listed."""
PartitionNumbers: TypeAlias = tuple[tuple[int, ...], tuple[tuple[BrokerId, ...], ...]]
"""What an answer says about a partition: numbers, and lists of brokers."""


def listed_brokers(call: Call) -> list[Broker]:
    """The brokers that the asked one knows, in the order in which it lists them."""
    brokers = call.broker.cluster.brokers_known_to(call.broker.node_id)
    if len(brokers) < 2:
        return list(brokers.values())
    return [brokers[node_id] for node_id in numbers_through(call.profile.metadata_orders.brokers, brokers)]


def listed_registrations(call: Call) -> list[Broker]:
    """The brokers that are registered, whether they run or not, in that order."""
    brokers = call.broker.cluster.known_brokers
    return [brokers[node_id] for node_id in numbers_through(call.profile.metadata_orders.brokers, brokers)]


def metadata(request: MetadataRequest, response: MetadataResponse, call: Call) -> None:
    """Ids that are not known come first, then topics that exist, those that do not, and those that the client may not
    see. Each of these is a set of its own.
    """
    rows = response.topics
    if len(rows) < 2:
        return
    rules = call.profile.metadata_orders
    if request.topics is None or (call.version == 0 and not request.topics):
        seen = {row.name or "": row for row in rows}
        known = tuple(known_topics(call.broker))
        order = _all_topics(rules, call.broker.told_at_start, known, tuple(filter(seen.__contains__, known)))
        rows[:] = [seen[name] for name in dict.fromkeys([*order, *seen])]  # what was made meanwhile comes last
        rows.sort(key=lambda row: row.error_code == ErrorCode.TOPIC_AUTHORIZATION_FAILED)
        return
    ids = dict.fromkeys(topic.topic_id for topic in request.topics if topic.topic_id != ZERO_UUID)
    in_set = through(rules.named_topics, ids, uuid_hash)
    by_id = {row.topic_id: row for row in rows if row.error_code == ErrorCode.UNKNOWN_TOPIC_ID}
    by_name = {row.name or _name(row.topic_id, call): row for row in rows if row.topic_id not in by_id}
    names = [_name(topic_id, call) for topic_id in in_set] if ids else [topic.name or "" for topic in request.topics]
    kinds = _Kinds(rules, texts_through(rules.named_topics, dict.fromkeys(names)), by_name)
    ordered = kinds.in_order(creates=_creates(request, call))
    rows[:] = [*(by_id[topic_id] for topic_id in in_set if topic_id in by_id), *(by_name[name] for name in ordered)]


@lru_cache(CLUSTERS)
def _all_topics(
    rules: MetadataOrdersBehaviour, at_start: ToldAtStart, names: tuple[TopicName, ...], seen: tuple[TopicName, ...]
) -> list[TopicName]:
    """Those topics of a cluster that a client may see, in order."""
    told = [*filter(set(names).__contains__, _told_together(rules, at_start))]
    all_names = texts_through(rules.all_topics, dict.fromkeys([*told, *names]))
    return texts_through(rules.seen_topics, filter(set(seen).__contains__, all_names))


def _name(topic_id: Uuid, call: Call) -> TopicName:
    topic = call.broker.cluster.topics_by_id.get(topic_id)
    return "" if topic is None else topic.name


def _creates(request: MetadataRequest, call: Call) -> bool:
    return request.allow_auto_topic_creation and call.broker.config.bool("auto.create.topics.enable")


class _Kinds(NamedTuple):
    """The topics that were asked for, and what the answer says about each."""

    rules: MetadataOrdersBehaviour
    asked: Sequence[TopicName]
    rows: Mapping[TopicName, MetadataResponseTopic]

    def in_order(self, *, creates: bool) -> list[TopicName]:
        seen: list[TopicName] = []
        missing: list[TopicName] = []
        unseen: list[TopicName] = []
        there = set()
        for name in filter(self.rows.__contains__, self.asked):
            error = self.rows[name].error_code
            if error == ErrorCode.TOPIC_AUTHORIZATION_FAILED:
                unseen.append(name)
                continue
            seen.append(name)
            if error == ErrorCode.NONE:
                there.add(name)
            else:
                missing.append(name)
        existing = filter(there.__contains__, self._part(seen))
        missing = self._part(missing)
        return [*existing, *(self._created(missing) if creates else missing), *self._part(unseen)]

    def _part(self, names: list[TopicName]) -> list[TopicName]:
        """Some of the topics, which were taken out of the set of all."""
        return texts_through(self.rules.part_of_names, names) if len(self.asked) > SMALL else names

    def _created(self, missing: list[TopicName]) -> list[TopicName]:
        if not self.rules.created_topics:
            return missing
        bad: list[TopicName] = []
        good: list[TopicName] = []
        for name in missing:
            (bad if self.rows[name].error_code == ErrorCode.INVALID_TOPIC_EXCEPTION else good).append(name)
        return bad + texts_through(self.rules.created_topics, good)


def listed_partitions(
    topic: Topic, partitions: list[MetadataResponsePartition], rules: MetadataOrdersBehaviour, call: Call
) -> list[MetadataResponsePartition]:
    """Partitions of a topic, which come by number, as the release lists them."""
    match rules.partitions_listed:
        case "sorted":
            return partitions
        case "set of answers":
            return [partitions[place] for place in _in_set(tuple(map(_numbers_of, partitions)))]
        case "maps":
            at_start = call.broker.told_at_start
            first = _told_together(rules, at_start).get(topic.name, ()) if topic in at_start.partitions else ()
            numbers = tuple(partition.partition_index for partition in partitions)
            copied = rules.newest_copied or not _is_news(topic, call)
            places = _in_maps(rules, topic.name, numbers, first, topic.additions, copied)
            return [partitions[place] for place in places]
        case rule:
            assert_never(rule)


def _is_news(topic: Topic, call: Call) -> bool:
    """Whether the broker has heard about nothing else since it heard about the topic, or its newest partitions."""
    newest, at_start = call.broker.cluster.tellings.times, call.broker.told_at_start
    if topic in at_start.partitions and at_start.times == newest:
        return True
    return bool(topic.additions) and topic.additions[-1].telling == newest


@lru_cache(REMEMBERED)
def _in_maps(
    rules: MetadataOrdersBehaviour,
    name: TopicName,
    numbers: tuple[PartitionIndex, ...],
    first: tuple[PartitionIndex, ...],
    additions: tuple[Addition, ...],
    copied: bool,
) -> list[int]:
    """The places of a topic's partitions in the order of the maps of a controller and of a broker. `first`: those that
    the broker heard about when it started.
    """
    told = [first] if first else []
    later = [addition for addition in additions if addition.size_before >= len(first)]
    sizes = [*(addition.size_before for addition in later), len(numbers)]
    for addition, end in zip(later, sizes[1:]):
        added = numbers[addition.size_before : end]
        told += _in_told_order(rules, ((name, added),), addition.most_told).values()
    places = {number: place for place, number in enumerate(numbers)}
    return [places[number] for number in _kept(rules, told, copied)]


@lru_cache(CLUSTERS)
def _told_together(
    rules: MetadataOrdersBehaviour, at_start: ToldAtStart
) -> dict[TopicName, tuple[PartitionIndex, ...]]:
    topics = tuple((topic.name, numbers) for topic, numbers in at_start.partitions.items())
    return _in_told_order(rules, topics, 0)


def _in_told_order(
    rules: MetadataOrdersBehaviour, topics: tuple[tuple[TopicName, tuple[PartitionIndex, ...]], ...], most: int
) -> dict[TopicName, tuple[PartitionIndex, ...]]:
    """Partitions that a controller announces together, by topic."""
    hash_of = case_class_hash if rules.told_key == "TopicAndPartition" else place_hash
    places = [(name, number) for name, numbers in topics for number in numbers]
    if rules.told_map_stays:
        places = mutable([(hash_of(place), place) for place in places], most)
    told: dict[TopicName, list[PartitionIndex]] = {}
    for name, number in through(rules.told, places, hash_of):
        told.setdefault(name, []).append(number)
    return {name: tuple(told[name]) for name in texts_through(rules.told_topics, told)}


def _kept(
    rules: MetadataOrdersBehaviour, told: Iterable[Sequence[PartitionIndex]], copied: bool
) -> list[PartitionIndex]:
    """A topic's partitions as the maps of a broker have them that heard about them one after the other."""
    match rules.kept:
        case "map":
            return numbers_through((MapKind.SCALA_2_12_MUTABLE,), chain.from_iterable(told))
        case "long map":
            kept: list[PartitionIndex] = []
            for numbers in told:
                kept = long_map([(number, number) for number in (*kept, *numbers)], len(kept) or FIRST_TABLE)
            return long_map([(number, number) for number in kept], len(kept)) if copied else kept
        case rule:
            assert_never(rule)


def _numbers_of(partition: MetadataResponsePartition) -> PartitionNumbers:
    return (
        (partition.error_code, partition.partition_index, partition.leader_id, partition.leader_epoch),
        (tuple(partition.replica_nodes), tuple(partition.isr_nodes), tuple(partition.offline_replicas)),
    )


@lru_cache(REMEMBERED)
def _in_set(answers: tuple[PartitionNumbers, ...]) -> list[int]:
    """The places of answers in the order of a set of them."""
    hashed = [(message_hash(*answer), place) for place, answer in enumerate(answers)]
    return in_order(hashed, MapKind.SCALA_2_13_MUTABLE)
