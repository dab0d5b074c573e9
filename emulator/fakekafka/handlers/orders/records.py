"""The order of answers about records."""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, Final, assert_never

from fakekafka.cluster.known_topics import known_topic
from fakekafka.errors import ErrorCode
from fakekafka.handlers.call import Call
from fakekafka.handlers.orders.keys import hash_of_id_places, hash_of_places
from fakekafka.handlers.orders.partitions import Names, Place, arrange
from fakekafka.handlers.produce_versions import VERSIONS
from fakekafka.jvm.chains import case_class_hash, place_hash, through
from fakekafka.jvm.maps import SMALL
from fakekafka.releases.behaviours.order_maps import AS_ASKED, PartitionMaps
from fakekafka.wire.apis.delete_records import DeleteRecordsRequest, DeleteRecordsResponse
from fakekafka.wire.apis.fetch import FetchableTopicResponse
from fakekafka.wire.apis.list_offsets import ListOffsetsRequest, ListOffsetsResponse
from fakekafka.wire.apis.offset_for_leader_epoch import OffsetForLeaderEpochRequest, OffsetForLeaderEpochResponse
from fakekafka.wire.apis.produce import PartitionProduceResponse, ProduceRequest, ProduceResponse

INVALID: Final = frozenset(
    {ErrorCode.INVALID_RECORD, ErrorCode.UNSUPPORTED_COMPRESSION_TYPE, ErrorCode.UNSUPPORTED_FOR_MESSAGE_FORMAT}
)
"""Errors of sets that a version does not carry."""


LATE: Final[Mapping[int, int]] = {ErrorCode.TOPIC_AUTHORIZATION_FAILED: 1}
"""Errors of partitions that brokers add last."""
NOT_DELETED: Final[Mapping[int, int]] = {**LATE, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION: 2}
LISTED: Final = Names("name", "partitions", "partition_index")
OF_EPOCHS: Final = Names("topic", "partitions", "partition")


def produce(request: ProduceRequest, response: ProduceResponse, call: Call) -> None:
    """Partitions whose sets are not given to a log are added after the others."""
    topics = response.responses
    if len(topics) == 1 and len(topics[0].partition_responses) == 1:  # as nearly always
        return
    with_ids = VERSIONS[call.version].topic_ids
    names = Names("topic_id" if with_ids else "name", "partition_responses", "index")
    rules = call.profile.orders
    maps = rules.produce
    if call.refused_as_a_whole:
        maps = maps._replace(asked=rules.produce_refused, answered=(), first=(), later=())
    elif all(_rank_of_produced(call, place, row) for topic in topics for place, row in names.rows(topic)):
        maps = maps._replace(answered=rules.produce_without_logs)
    hash_of = hash_of_id_places(call) if with_ids else hash_of_places(rules.produce_key, call)
    asked = names._replace(partitions="partition_data").places(request.topic_data)
    arrange(response.responses, asked, maps, names, hash_of, partial(_rank_of_produced, call))


def appended(places: Iterable[Place], call: Call) -> list[Place]:
    """Partitions of a Produce in the order in which they are appended to."""
    rules = call.profile.orders
    return through(rules.produce.asked, places, hash_of_places(rules.produce_key, call))


def _rank_of_produced(call: Call, place: Place, row: PartitionProduceResponse) -> int:
    error = row.error_code
    if error == ErrorCode.TOPIC_AUTHORIZATION_FAILED:
        return 1
    if error == ErrorCode.UNKNOWN_TOPIC_OR_PARTITION:
        match call.profile.produce.looked_up_first:
            case "nothing":
                return 0
            case "topic":
                return 2 if known_topic(call.broker, place[0]) is None else 0
            case "partition":
                return 2
            case rule:
                assert_never(rule)
    return 3 if error in INVALID else 0


def fetch(topics: list[FetchableTopicResponse], call: Call) -> None:
    """Put the topics of a Fetch in order, in releases that have them in maps."""
    names = Names("topic", "partitions", "partition_index")
    arrange(topics, names.places(topics), call.profile.orders.fetch, names, case_class_hash)


def list_offsets(request: ListOffsetsRequest, response: ListOffsetsResponse, call: Call) -> None:
    """Partitions that the client may not see are added last."""
    if call.refused_as_a_whole:
        return
    hash_of = hash_of_places(call.profile.orders.list_offsets_key, call)
    _listed(request.topics, response.topics, call.profile.orders.list_offsets, LISTED, hash_of)


def delete_records(request: DeleteRecordsRequest, response: DeleteRecordsResponse, call: Call) -> None:
    """Partitions that the client may not see are added after the others, and then those that do not exist."""
    rules, rows = call.profile.orders, [row for topic in response.topics for row in topic.partitions]
    maps = rules.delete_records
    if all(row.error_code in NOT_DELETED for row in rows):
        maps = rules.delete_records_without_logs
        maps = maps._replace(grouped=()) if len(rows) <= SMALL else maps
    _listed(request.topics, response.topics, maps, LISTED, place_hash, NOT_DELETED)


def offset_for_leader_epoch(
    request: OffsetForLeaderEpochRequest, response: OffsetForLeaderEpochResponse, call: Call
) -> None:
    """Partitions that the client may not see are added last."""
    _listed(request.topics, response.topics, call.profile.orders.offset_for_leader_epoch, OF_EPOCHS, place_hash)


def _listed(
    asked: list[Any],
    answered: list[Any],
    maps: PartitionMaps,
    names: Names,
    hash_of: Callable[[Any], int],
    late: Mapping[int, int] = LATE,
) -> None:
    if maps != AS_ASKED and names.is_long(answered):
        arrange(answered, names.places(asked), maps, names, hash_of, lambda _, row: late.get(row.error_code, 0))
