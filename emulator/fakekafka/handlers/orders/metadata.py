"""The order of answers about topics."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain, pairwise
from typing import Final, NamedTuple, TypeAlias, assert_never

from fakekafka.cluster.broker import Broker
from fakekafka.cluster.known_topics import known_topics
from fakekafka.errors import ErrorCode
from fakekafka.handlers.call import Call
from fakekafka.ids import ZERO_UUID, BrokerId, PartitionIndex, TopicName, Uuid
from fakekafka.jvm.chains import (
    Chain,
    case_class_hash,
    message_hash,
    numbers_through,
    place_hash,
    texts_through,
    through,
)
from fakekafka.jvm.hashes import uuid_hash
from fakekafka.jvm.maps import FIRST_TABLE, SMALL, MapKind, in_order
from fakekafka.jvm.open_maps import long_map
from fakekafka.releases.behaviours.metadata_orders import MetadataOrdersBehaviour
from fakekafka.state.topics import Topic
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


def metadata(request: MetadataRequest, response: MetadataResponse, call: Call) -> None:
    """Ids that are not known come first, then topics that exist, those that do not, and those that the client may not
    see. Each of these is a set of its own.
    """
    rows = response.topics
    if len(rows) < 2:
        return
    rules = call.profile.metadata_orders
    if request.topics is None or (call.version == 0 and not request.topics):
        places = _places(rules.all_topics, tuple(known_topics(call.broker)))
        rows.sort(key=lambda row: places.get(row.name or "", len(places)))  # what was made meanwhile comes last
        return
    ids = dict.fromkeys(topic.topic_id for topic in request.topics if topic.topic_id != ZERO_UUID)
    in_set = through(rules.named_topics, ids, uuid_hash)
    by_id = {row.topic_id: row for row in rows if row.error_code == ErrorCode.UNKNOWN_TOPIC_ID}
    by_name = {row.name or _name(row.topic_id, call): row for row in rows if row.topic_id not in by_id}
    names = [_name(topic_id, call) for topic_id in in_set] if ids else [topic.name or "" for topic in request.topics]
    kinds = _Kinds(rules, texts_through(rules.named_topics, dict.fromkeys(names)), by_name)
    known = kinds.in_order(creates=_creates(request, call))
    rows[:] = [*(by_id[topic_id] for topic_id in in_set if topic_id in by_id), *(by_name[name] for name in known)]


@lru_cache(CLUSTERS)
def _places(maps: Chain, names: tuple[TopicName, ...]) -> dict[TopicName, int]:
    """The places of all topics of a cluster."""
    return {name: place for place, name in enumerate(texts_through(maps, names))}


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
        seen = self._part(lambda error: error != ErrorCode.TOPIC_AUTHORIZATION_FAILED)
        missing = self._part(lambda error: error not in (ErrorCode.NONE, ErrorCode.TOPIC_AUTHORIZATION_FAILED))
        unseen = self._part(lambda error: error == ErrorCode.TOPIC_AUTHORIZATION_FAILED)
        existing = [name for name in seen if self.rows[name].error_code == ErrorCode.NONE]
        return [*existing, *(self._created(missing) if creates else missing), *unseen]

    def _part(self, is_wanted: Callable[[int], bool]) -> list[TopicName]:
        names = [name for name in self.asked if name in self.rows and is_wanted(self.rows[name].error_code)]
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
            numbers = tuple(partition.partition_index for partition in partitions)
            copied = rules.newest_copied or not _is_news(topic, call)
            places = _in_maps(rules, topic.name, numbers, topic.sizes_before, copied)
            return [partitions[place] for place in places]
        case rule:
            assert_never(rule)


def _is_news(topic: Topic, call: Call) -> bool:
    """Whether the controller has told brokers of nothing since the topic was made."""
    newest = next(reversed(call.broker.cluster.topics.values()), None)
    return topic is newest and all(state.leader_epoch == 0 for state in topic.partitions)


@lru_cache(REMEMBERED)
def _in_maps(
    rules: MetadataOrdersBehaviour,
    name: TopicName,
    numbers: tuple[PartitionIndex, ...],
    sizes_before: tuple[int, ...],
    copied: bool,
) -> list[int]:
    """The places of a topic's partitions in the order of the maps of a controller and of a broker. `sizes_before`: how
    many it had each time before others were added.
    """
    additions = [numbers[start:end] for start, end in pairwise((0, *sizes_before, len(numbers)))]
    places = {number: place for place, number in enumerate(numbers)}
    return [places[number] for number in _kept(rules, [_told(rules, name, added) for added in additions], copied)]


def _told(rules: MetadataOrdersBehaviour, name: TopicName, added: Iterable[PartitionIndex]) -> list[PartitionIndex]:
    """Partitions that were added together, as the controller tells brokers of them."""
    hash_of = case_class_hash if rules.told_key == "TopicAndPartition" else place_hash
    return [number for _, number in through(rules.told, [(name, number) for number in added], hash_of)]


def _kept(
    rules: MetadataOrdersBehaviour, told: Iterable[Sequence[PartitionIndex]], copied: bool
) -> Sequence[PartitionIndex]:
    """A topic's partitions as a broker keeps them."""
    match rules.kept:
        case "map":
            return numbers_through((MapKind.SCALA_2_12_MUTABLE,), chain.from_iterable(told))
        case "long map":
            kept: list[PartitionIndex] = []
            for numbers in told:
                kept = long_map([(number, number) for number in [*kept, *numbers]], len(kept) or FIRST_TABLE)
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
