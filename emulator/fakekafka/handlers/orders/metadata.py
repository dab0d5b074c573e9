"""The order of answers about topics."""

from functools import lru_cache
from typing import Final, assert_never

from fakekafka.cluster.known_topics import known_topics
from fakekafka.errors import ErrorCode
from fakekafka.handlers.call import Call
from fakekafka.ids import ZERO_UUID, PartitionIndex, TopicName, Uuid
from fakekafka.jvm.chains import Chain, case_class_hash, fields_hash, numbers_through, place_hash, texts_through, through
from fakekafka.jvm.hashes import uuid_hash
from fakekafka.jvm.maps import MapKind, in_order
from fakekafka.releases.behaviours.metadata_orders import MetadataOrdersBehaviour
from fakekafka.state.topics import Topic
from fakekafka.wire.apis.metadata import (
    MetadataRequest,
    MetadataResponse,
    MetadataResponsePartition,
    MetadataResponseTopic,
)

REMEMBERED: Final = 256
"""For so many topics it is remembered how their partitions are listed."""


def metadata(request: MetadataRequest, response: MetadataResponse, call: Call) -> None:
    """Topics that exist are followed by those that do not, and then by those that the client may not see. Ids that are
    not known come first.
    """
    if len(response.topics) < 2:
        return
    rules = call.profile.metadata_orders
    if request.topics is None or (call.version == 0 and not request.topics):
        keys: list[TopicName | Uuid] = [*texts_through(rules.all_topics, known_topics(call.broker))]
    elif ids := [topic.topic_id for topic in request.topics if topic.topic_id != ZERO_UUID]:
        keys = _ids_and_names(ids, rules, call)
    else:
        keys = [*texts_through(rules.named_topics, dict.fromkeys(topic.name or "" for topic in request.topics))]
    places = {key: place for place, key in enumerate(keys)}
    response.topics.sort(key=lambda topic: (_rank(topic), places.get(topic.name or topic.topic_id, len(places))))


def _ids_and_names(ids: list[Uuid], rules: MetadataOrdersBehaviour, call: Call) -> list[TopicName | Uuid]:
    in_set = through(rules.named_topics, dict.fromkeys(ids), uuid_hash)
    known = call.broker.cluster.topics_by_id
    return [*in_set, *texts_through(rules.named_topics, [known[id].name for id in in_set if id in known])]


def _rank(topic: MetadataResponseTopic) -> int:
    match topic.error_code:
        case ErrorCode.UNKNOWN_TOPIC_ID:
            return 0
        case ErrorCode.NONE:
            return 1
        case ErrorCode.TOPIC_AUTHORIZATION_FAILED:
            return 3
    return 2


def listed_partitions(
    topic: Topic, partitions: list[MetadataResponsePartition], call: Call
) -> list[MetadataResponsePartition]:
    """Partitions of a topic, which come by number, as the release lists them."""
    rules = call.profile.metadata_orders
    match rules.partitions_listed:
        case "sorted":
            return partitions
        case "set of answers":
            return in_order([(_hash(partition), partition) for partition in partitions], MapKind.SCALA_2_13_MUTABLE)
        case "maps":
            newest = next(reversed(call.broker.cluster.topics.values()), None) is topic
            by_number = {partition.partition_index: partition for partition in partitions}
            kept = rules.kept_newest if newest else rules.kept
            is_case_class = rules.told_key == "TopicAndPartition"
            order = _numbers(rules.told, kept, is_case_class, topic.name, tuple(by_number))
            return [by_number[number] for number in order]
        case rule:
            assert_never(rule)


@lru_cache(REMEMBERED)
def _numbers(
    told: Chain, kept: Chain, is_case_class: bool, name: TopicName, numbers: tuple[PartitionIndex, ...]
) -> list[PartitionIndex]:
    """A topic's partitions as the maps of a controller and of a broker have them."""
    places = through(told, [(name, number) for number in numbers], case_class_hash if is_case_class else place_hash)
    return numbers_through(kept, [number for _, number in places])


def _hash(partition: MetadataResponsePartition) -> int:
    return fields_hash(
        partition.error_code,
        partition.partition_index,
        partition.leader_id,
        partition.leader_epoch,
        partition.replica_nodes,
        partition.isr_nodes,
        partition.offline_replicas,
    )
