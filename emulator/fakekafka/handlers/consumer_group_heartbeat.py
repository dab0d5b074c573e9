"""ConsumerGroupHeartbeat, key 68: everything that a member of a consumer group does (KIP-848).

Behaviour: `coordinators.groups.consumer.heartbeat`; error 35 while the protocol is off.
Versions: 0 - 1; member ids that clients make up, and patterns, from 1 on.
Not done: the early access of 3.5 and 3.6, which brokers served only with hidden configs.
"""

from collections.abc import Sequence
from typing import Final

from fakekafka.coordinators.groups.consumer.group import Assignment as Assigned
from fakekafka.coordinators.groups.consumer.heartbeat import ConsumerHeartbeat, HeartbeatResult, heartbeat, validate
from fakekafka.coordinators.hash_order import Filled, partition_order, topic_order
from fakekafka.errors import ApiError, ErrorCode
from fakekafka.handlers.call import Call
from fakekafka.ids import PartitionIndex, Uuid
from fakekafka.wire.apis.consumer_group_heartbeat import (
    Assignment,
    ConsumerGroupHeartbeatRequest,
    ConsumerGroupHeartbeatResponse,
    TopicPartitions,
)

FIRST_WITH_OWN_IDS: Final = 1
"""KIP-1082."""
UNCHANGED: Final = -1
WORDS: Final = {
    ErrorCode.COORDINATOR_LOAD_IN_PROGRESS: "The coordinator is loading and hence can't process requests.",
    ErrorCode.NOT_COORDINATOR: "This is not the correct coordinator.",
}
"""What the early access said beside an error of the coordinator. Recorded from 3.7.2: odd_heartbeats."""


def handle(request: ConsumerGroupHeartbeatRequest, call: Call) -> ConsumerGroupHeartbeatResponse:
    """Carry out the heartbeat."""
    groups = call.groups.consumer_groups
    if not groups.is_on:
        return ConsumerGroupHeartbeatResponse(error_code=ErrorCode.UNSUPPORTED_VERSION, assignment=None)
    asked = _asked(request, call)
    try:
        if groups.rules.checked_first == "request":
            validate(groups, asked)
        status = call.groups.status(request.group_id)
        if status is not ErrorCode.NONE:
            words = WORDS.get(status) if groups.rules.is_early else None
            return ConsumerGroupHeartbeatResponse(error_code=status, error_message=words, assignment=None)
        validate(groups, asked)
        return _response(heartbeat(groups, asked))
    except ApiError as refused:
        return ConsumerGroupHeartbeatResponse(error_code=refused.code, error_message=refused.message, assignment=None)


def _asked(request: ConsumerGroupHeartbeatRequest, call: Call) -> ConsumerHeartbeat:
    timeout = request.rebalance_timeout_ms
    return ConsumerHeartbeat(
        group_id=request.group_id,
        member_id=request.member_id,
        epoch=request.member_epoch,
        instance_id=request.instance_id,
        rack=request.rack_id,
        client_id=call.client_id or "",
        client_host=f"/{call.client_host}",
        rebalance_timeout_ms=None if timeout == UNCHANGED else timeout,
        topics=request.subscribed_topic_names,
        regex=request.subscribed_topic_regex,
        assignor=request.server_assignor,
        owned=None if request.topic_partitions is None else _owned(request.topic_partitions),
        names_itself=call.version >= FIRST_WITH_OWN_IDS,
    )


def _owned(rows: Sequence[TopicPartitions]) -> dict[Uuid, frozenset[PartitionIndex]]:
    owned: dict[Uuid, frozenset[PartitionIndex]] = {}
    for row in rows:
        owned[row.topic_id] = owned.get(row.topic_id, frozenset()) | frozenset(row.partitions)
    return owned


def _response(result: HeartbeatResult) -> ConsumerGroupHeartbeatResponse:
    return ConsumerGroupHeartbeatResponse(
        error_code=ErrorCode.NONE,
        member_id=result.member_id,
        member_epoch=result.epoch,
        heartbeat_interval_ms=result.interval_ms,
        assignment=None if result.assignment is None else _assignment(result.assignment),
    )


def _assignment(assigned: Assigned) -> Assignment:
    return Assignment(
        topic_partitions=[
            TopicPartitions(topic_id=topic, partitions=partition_order(assigned[topic]))
            for topic in topic_order(assigned, Filled.COMPUTED)
        ]
    )
