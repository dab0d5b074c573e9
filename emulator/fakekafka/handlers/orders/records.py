"""The order of answers about records."""

from functools import partial
from typing import Final, assert_never

from fakekafka.cluster.known_topics import known_topic
from fakekafka.errors import ErrorCode
from fakekafka.handlers.call import Call
from fakekafka.handlers.orders.keys import hash_of_id_places, hash_of_places
from fakekafka.handlers.orders.partitions import Names, Place, arrange
from fakekafka.handlers.produce_versions import VERSIONS
from fakekafka.wire.apis.produce import PartitionProduceResponse, ProduceRequest, ProduceResponse

INVALID: Final = frozenset(
    {ErrorCode.INVALID_RECORD, ErrorCode.UNSUPPORTED_COMPRESSION_TYPE, ErrorCode.UNSUPPORTED_FOR_MESSAGE_FORMAT}
)
"""Errors of sets that a version does not carry."""


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
        maps = maps._replace(asked=rules.produce_refused, answered=())
    hash_of = hash_of_id_places(call) if with_ids else hash_of_places(rules.produce_key, call)
    asked = names._replace(partitions="partition_data").places(request.topic_data)
    arrange(response.responses, asked, maps, names, hash_of, partial(_rank_of_produced, call))


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
