"""FindCoordinator, key 10: which broker coordinates a group or a transactional id.

Behaviour: the leader of the key's partition of the internal topic; the first look-up creates that topic.
Versions: 0 - 6; several keys from 4 on.
"""

from typing import Final, NamedTuple, assert_never

from fakekafka.cluster.broker import Broker
from fakekafka.cluster.internal_topics import ensure, partition_for
from fakekafka.errors import INVALID_REQUEST, ErrorCode
from fakekafka.handlers.call import Call, Outcome, Result, stepwise
from fakekafka.ids import TopicName
from fakekafka.pieces import Stepwise, in_turn
from fakekafka.state.topics import CONSUMER_OFFSETS, SHARE_GROUP_STATE, TRANSACTION_STATE
from fakekafka.wire.apis.find_coordinator import Coordinator, FindCoordinatorRequest, FindCoordinatorResponse

FIRST_WITH_SEVERAL_KEYS: Final = 4
"""KIP-699."""
FIRST_WITH_SHARE_GROUPS: Final = 6
"""KIP-932."""
TOPICS: Final = {0: CONSUMER_OFFSETS, 1: TRANSACTION_STATE}
"""Internal topic by key type."""
SHARE: Final = 2
NO_NODE: Final = -1
WORDS: Final = {
    ErrorCode.COORDINATOR_NOT_AVAILABLE: "The coordinator is not available.",
    ErrorCode.UNKNOWN_SERVER_ERROR: "The server experienced an unexpected error when processing the request.",
    ErrorCode.INVALID_REQUEST: INVALID_REQUEST,
}


class CoordinatorLookup(NamedTuple):
    """The coordinator of one key, or why there is none."""

    error: ErrorCode
    node: Broker | None = None
    explained: bool = True
    """Whether the error comes with a message."""


@stepwise
def handle(request: FindCoordinatorRequest, call: Call) -> Stepwise[Result]:
    """Look up every key."""
    several = call.version >= FIRST_WITH_SEVERAL_KEYS
    keys = request.coordinator_keys if several else [request.key]
    kind = request.key_type
    lookups = yield from in_turn(lambda key: _find(call, kind, key), keys)
    if any(f is None for f in lookups):
        return Outcome.CLOSE
    answers = [f for f in lookups if f is not None]
    if several:
        described = yield from in_turn(lambda found: _described(call, *found), zip(keys, answers))
        return FindCoordinatorResponse(coordinators=described)
    return _single(call, answers[0])


def _find(call: Call, kind: int, key: str) -> CoordinatorLookup | None:
    """Look up one key. None if the release closes the connection."""
    if kind in TOPICS:
        return _in_topic(call, TOPICS[kind], key)
    if kind == SHARE and (found := _of_share_partition(call, key)) is not None:
        return found
    unknown = call.profile.groups.unknown_key_type
    return None if unknown is None else CoordinatorLookup(unknown)


def _of_share_partition(call: Call, key: str) -> CoordinatorLookup | None:
    """The coordinator of a share partition. None if the release does not know that there are such."""
    match call.profile.groups.share_key_type:
        case "unknown":
            return None
        case "refused":
            is_taken = False
        case "not available":
            is_taken = True
        case "form checked":
            is_taken = len(key.rsplit(":", 2)) == 3
        case rule:
            assert_never(rule)
    if not is_taken or call.version < FIRST_WITH_SHARE_GROUPS:
        return CoordinatorLookup(ErrorCode.INVALID_REQUEST, explained=False)
    if call.groups.share_groups.is_on:
        return _in_topic(call, SHARE_GROUP_STATE, key)
    return CoordinatorLookup(ErrorCode.COORDINATOR_NOT_AVAILABLE, explained=False)


def _in_topic(call: Call, name: TopicName, key: str) -> CoordinatorLookup:
    cluster = call.broker.cluster
    is_there = name in cluster.topics
    topic = ensure(call.broker, name, at_once=False)
    if topic is None or not (is_there or cluster.lookup_waits_for_topic):
        return CoordinatorLookup(ErrorCode.COORDINATOR_NOT_AVAILABLE, explained=call.version < FIRST_WITH_SEVERAL_KEYS)
    state, own_id = topic.partition(partition_for(key, len(topic.partitions))), call.broker.node_id
    is_known = name in cluster.topics_known_to(own_id)
    known = cluster.as_known_to(own_id, state) if is_known and state is not None else None
    node = None if known is None else cluster.leader_known_to(own_id, known)
    if node is None:
        return CoordinatorLookup(ErrorCode.COORDINATOR_NOT_AVAILABLE, explained=call.version < FIRST_WITH_SEVERAL_KEYS)
    return CoordinatorLookup(ErrorCode.NONE, node)


def _described(call: Call, key: str, lookup: CoordinatorLookup) -> Coordinator:
    node = lookup.node
    words = WORDS.get(lookup.error, "") if lookup.explained else ""
    if node is None:
        return Coordinator(
            key=key, node_id=NO_NODE, host="", port=NO_NODE, error_code=lookup.error, error_message=words
        )
    return Coordinator(
        key=key, node_id=node.node_id, **call.endpoint_of(node), error_code=ErrorCode.NONE, error_message=""
    )


def _single(call: Call, lookup: CoordinatorLookup) -> FindCoordinatorResponse:
    named = call.profile.groups.coordinator_found_message == "NONE"
    node = lookup.node
    if node is None:
        words = WORDS.get(lookup.error) if named else None
        return FindCoordinatorResponse(
            error_code=lookup.error, error_message=words, node_id=NO_NODE, host="", port=NO_NODE
        )
    return FindCoordinatorResponse(
        error_code=ErrorCode.NONE,
        error_message="NONE" if named else None,
        node_id=node.node_id,
        **call.endpoint_of(node),
    )
