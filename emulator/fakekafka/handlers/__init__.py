"""One module per API that is served, in key order. A handler is `handle(request, call) -> Result`.

A module is loaded when its first request comes; its name is its API's: `ApiKey.LIST_OFFSETS` is `list_offsets.py`.
"""

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any, Final, TypeAlias

from fakekafka.handlers.call import Call, Outcome, Result
from fakekafka.ids import ApiKey
from fakekafka.wire.message import Request

Handler: TypeAlias = Callable[[Request, Call], Result]
Arrangement: TypeAlias = Callable[[Any, Any, Call], None]
"""Takes a request and its answer, and puts what the answer lists in order."""

SERVED: tuple[ApiKey, ...] = (
    ApiKey.PRODUCE,
    ApiKey.FETCH,
    ApiKey.LIST_OFFSETS,
    ApiKey.METADATA,
    ApiKey.LEADER_AND_ISR,
    ApiKey.STOP_REPLICA,
    ApiKey.UPDATE_METADATA,
    ApiKey.CONTROLLED_SHUTDOWN,
    ApiKey.OFFSET_COMMIT,
    ApiKey.OFFSET_FETCH,
    ApiKey.FIND_COORDINATOR,
    ApiKey.JOIN_GROUP,
    ApiKey.HEARTBEAT,
    ApiKey.LEAVE_GROUP,
    ApiKey.SYNC_GROUP,
    ApiKey.DESCRIBE_GROUPS,
    ApiKey.LIST_GROUPS,
    ApiKey.SASL_HANDSHAKE,
    ApiKey.API_VERSIONS,
    ApiKey.CREATE_TOPICS,
    ApiKey.DELETE_TOPICS,
    ApiKey.DELETE_RECORDS,
    ApiKey.INIT_PRODUCER_ID,
    ApiKey.OFFSET_FOR_LEADER_EPOCH,
    ApiKey.ADD_PARTITIONS_TO_TXN,
    ApiKey.ADD_OFFSETS_TO_TXN,
    ApiKey.END_TXN,
    ApiKey.WRITE_TXN_MARKERS,
    ApiKey.TXN_OFFSET_COMMIT,
    ApiKey.DESCRIBE_ACLS,
    ApiKey.CREATE_ACLS,
    ApiKey.DELETE_ACLS,
    ApiKey.DESCRIBE_CONFIGS,
    ApiKey.ALTER_CONFIGS,
    ApiKey.ALTER_REPLICA_LOG_DIRS,
    ApiKey.DESCRIBE_LOG_DIRS,
    ApiKey.SASL_AUTHENTICATE,
    ApiKey.CREATE_PARTITIONS,
    ApiKey.CREATE_DELEGATION_TOKEN,
    ApiKey.RENEW_DELEGATION_TOKEN,
    ApiKey.EXPIRE_DELEGATION_TOKEN,
    ApiKey.DESCRIBE_DELEGATION_TOKEN,
    ApiKey.DELETE_GROUPS,
    ApiKey.ELECT_LEADERS,
    ApiKey.INCREMENTAL_ALTER_CONFIGS,
    ApiKey.ALTER_PARTITION_REASSIGNMENTS,
    ApiKey.LIST_PARTITION_REASSIGNMENTS,
    ApiKey.OFFSET_DELETE,
    ApiKey.DESCRIBE_CLIENT_QUOTAS,
    ApiKey.ALTER_CLIENT_QUOTAS,
    ApiKey.DESCRIBE_USER_SCRAM_CREDENTIALS,
    ApiKey.ALTER_USER_SCRAM_CREDENTIALS,
    ApiKey.DESCRIBE_QUORUM,
    ApiKey.ALTER_PARTITION,
    ApiKey.UPDATE_FEATURES,
    ApiKey.ENVELOPE,
    ApiKey.DESCRIBE_CLUSTER,
    ApiKey.DESCRIBE_PRODUCERS,
    ApiKey.UNREGISTER_BROKER,
    ApiKey.DESCRIBE_TRANSACTIONS,
    ApiKey.LIST_TRANSACTIONS,
    ApiKey.ALLOCATE_PRODUCER_IDS,
    ApiKey.CONSUMER_GROUP_HEARTBEAT,
    ApiKey.CONSUMER_GROUP_DESCRIBE,
    ApiKey.GET_TELEMETRY_SUBSCRIPTIONS,
    ApiKey.PUSH_TELEMETRY,
    ApiKey.LIST_CONFIG_RESOURCES,
    ApiKey.DESCRIBE_TOPIC_PARTITIONS,
    ApiKey.SHARE_GROUP_HEARTBEAT,
    ApiKey.SHARE_GROUP_DESCRIBE,
    ApiKey.SHARE_FETCH,
    ApiKey.SHARE_ACKNOWLEDGE,
    ApiKey.ADD_RAFT_VOTER,
    ApiKey.REMOVE_RAFT_VOTER,
    ApiKey.INITIALIZE_SHARE_GROUP_STATE,
    ApiKey.READ_SHARE_GROUP_STATE,
    ApiKey.WRITE_SHARE_GROUP_STATE,
    ApiKey.DELETE_SHARE_GROUP_STATE,
    ApiKey.READ_SHARE_GROUP_STATE_SUMMARY,
    ApiKey.STREAMS_GROUP_HEARTBEAT,
    ApiKey.STREAMS_GROUP_DESCRIBE,
    ApiKey.DESCRIBE_SHARE_GROUP_OFFSETS,
    ApiKey.ALTER_SHARE_GROUP_OFFSETS,
    ApiKey.DELETE_SHARE_GROUP_OFFSETS,
)


PASSED_ON: frozenset[ApiKey] = frozenset(
    {
        ApiKey.CREATE_TOPICS,
        ApiKey.DELETE_TOPICS,
        ApiKey.CREATE_ACLS,
        ApiKey.DELETE_ACLS,
        ApiKey.ALTER_CONFIGS,
        ApiKey.CREATE_PARTITIONS,
        ApiKey.ELECT_LEADERS,
        ApiKey.INCREMENTAL_ALTER_CONFIGS,
        ApiKey.ALTER_PARTITION_REASSIGNMENTS,
        ApiKey.LIST_PARTITION_REASSIGNMENTS,
        ApiKey.ALTER_CLIENT_QUOTAS,
        ApiKey.UPDATE_FEATURES,
        ApiKey.UNREGISTER_BROKER,
    }
)
"""The APIs that a KRaft broker passes on to the controllers (KIP-590)."""


@cache
def handler(key: ApiKey) -> Handler | None:
    """The handler of an API; None if it is not served."""
    if key not in SERVED:
        return None
    handle: Handler = import_module(f"fakekafka.handlers.{key.name.lower()}").handle
    return _passed_on(handle) if key in PASSED_ON else handle


def _passed_on(handle: Handler) -> Handler:
    """A handler whose requests get no answer while the controller is silent."""
    return lambda request, call: Outcome.HANG if call.controller_is_silent else handle(request, call)


ARRANGEMENTS: Final[dict[str, tuple[ApiKey, ...]]] = {
    "administration": (
        ApiKey.ELECT_LEADERS,
        ApiKey.ALTER_REPLICA_LOG_DIRS,
        ApiKey.ALTER_PARTITION_REASSIGNMENTS,
        ApiKey.DESCRIBE_LOG_DIRS,
        ApiKey.UPDATE_FEATURES,
    ),
    "configs": (ApiKey.ALTER_CONFIGS, ApiKey.INCREMENTAL_ALTER_CONFIGS, ApiKey.LIST_CONFIG_RESOURCES),
    "credentials": (ApiKey.ALTER_USER_SCRAM_CREDENTIALS, ApiKey.DESCRIBE_USER_SCRAM_CREDENTIALS),
    "metadata": (ApiKey.METADATA,),
    "quotas": (ApiKey.ALTER_CLIENT_QUOTAS, ApiKey.DESCRIBE_CLIENT_QUOTAS),
    "records": (ApiKey.PRODUCE, ApiKey.LIST_OFFSETS, ApiKey.DELETE_RECORDS, ApiKey.OFFSET_FOR_LEADER_EPOCH),
    "groups": (
        ApiKey.LIST_GROUPS,
        ApiKey.DESCRIBE_GROUPS,
        ApiKey.DELETE_GROUPS,
        ApiKey.CONSUMER_GROUP_DESCRIBE,
        ApiKey.SHARE_GROUP_DESCRIBE,
        ApiKey.STREAMS_GROUP_DESCRIBE,
    ),
    "fetched_offsets": (ApiKey.OFFSET_FETCH,),
    "offsets": (ApiKey.OFFSET_COMMIT, ApiKey.OFFSET_DELETE, ApiKey.TXN_OFFSET_COMMIT),
    "topics": (ApiKey.CREATE_TOPICS, ApiKey.DELETE_TOPICS, ApiKey.CREATE_PARTITIONS),
    "transactions": (ApiKey.ADD_PARTITIONS_TO_TXN, ApiKey.DESCRIBE_TRANSACTIONS),
}
"""The modules of `orders`, and the APIs for which each has an arrangement, under the name of the API."""
_ARRANGED: Final = {key: module for module, keys in ARRANGEMENTS.items() for key in keys}


@cache
def arrangement(key: ApiKey) -> Arrangement | None:
    """What puts the answers of an API in order; None if the handler does. A module is loaded when it is needed."""
    if key not in _ARRANGED:
        return None
    arrange: Arrangement = getattr(import_module(f"fakekafka.handlers.orders.{_ARRANGED[key]}"), key.name.lower())
    return arrange


_LISTING: Final = frozenset({ApiKey.LIST_GROUPS, ApiKey.DESCRIBE_CLIENT_QUOTAS, ApiKey.DESCRIBE_LOG_DIRS})


def lists_state(request: Any) -> bool:
    """Whether an answer is arranged by going through broker state, and not only by looking up what was asked for: then
    that is done where nothing changes meanwhile.
    """
    key = ApiKey(request.KEY)
    if key is ApiKey.METADATA:
        return not request.topics
    if key is ApiKey.OFFSET_FETCH:
        asked = [group.topics for group in request.groups] or [request.topics]
        return any(not any(topic.partition_indexes for topic in topics or ()) for topics in asked)  # some ask for all
    return key in _LISTING
