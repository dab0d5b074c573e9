"""The rights that a client needs for each API, if an authorizer is configured.

A guard runs before a handler: it asks `call.authorized(...)`, passes on what is allowed, and puts refusals into the
answer, where the release puts them. Without an authorizer nothing here is loaded. An API that is not in `GUARDS` needs
no right.
"""

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Final, TypeAlias

from fakekafka.handlers.call import Call, Result
from fakekafka.ids import ApiKey as K
from fakekafka.wire.message import Request

Handle: TypeAlias = Callable[[Request, Call], Result]
Guard: TypeAlias = Callable[[Request, Call, Handle], Result]

GUARDS: Final[dict[str, tuple[K, ...]]] = {
    "records": (K.PRODUCE, K.LIST_OFFSETS, K.OFFSET_FOR_LEADER_EPOCH, K.DELETE_RECORDS, K.DESCRIBE_PRODUCERS),
    "topics": (
        K.METADATA,
        K.CREATE_TOPICS,
        K.DELETE_TOPICS,
        K.CREATE_PARTITIONS,
        K.DESCRIBE_TOPIC_PARTITIONS,
    ),
    "offsets": (K.OFFSET_COMMIT, K.OFFSET_FETCH, K.OFFSET_DELETE, K.TXN_OFFSET_COMMIT),
    "groups": (
        K.FIND_COORDINATOR,
        K.JOIN_GROUP,
        K.HEARTBEAT,
        K.LEAVE_GROUP,
        K.SYNC_GROUP,
        K.DESCRIBE_GROUPS,
        K.LIST_GROUPS,
        K.DELETE_GROUPS,
    ),
    "modern_groups": (
        K.CONSUMER_GROUP_HEARTBEAT,
        K.CONSUMER_GROUP_DESCRIBE,
        K.SHARE_GROUP_HEARTBEAT,
        K.SHARE_GROUP_DESCRIBE,
        K.SHARE_FETCH,
        K.SHARE_ACKNOWLEDGE,
        K.STREAMS_GROUP_HEARTBEAT,
        K.STREAMS_GROUP_DESCRIBE,
        K.DESCRIBE_SHARE_GROUP_OFFSETS,
        K.ALTER_SHARE_GROUP_OFFSETS,
        K.DELETE_SHARE_GROUP_OFFSETS,
    ),
    "transactions": (
        K.INIT_PRODUCER_ID,
        K.ADD_PARTITIONS_TO_TXN,
        K.ADD_OFFSETS_TO_TXN,
        K.END_TXN,
        K.WRITE_TXN_MARKERS,
        K.DESCRIBE_TRANSACTIONS,
        K.LIST_TRANSACTIONS,
    ),
    "configs": (
        K.DESCRIBE_CONFIGS,
        K.ALTER_CONFIGS,
        K.INCREMENTAL_ALTER_CONFIGS,
        K.LIST_CONFIG_RESOURCES,
    ),
    "administration": (
        K.DESCRIBE_ACLS,
        K.CREATE_ACLS,
        K.DELETE_ACLS,
        K.ALTER_REPLICA_LOG_DIRS,
        K.DESCRIBE_LOG_DIRS,
        K.ELECT_LEADERS,
        K.ALTER_PARTITION_REASSIGNMENTS,
        K.LIST_PARTITION_REASSIGNMENTS,
        K.DESCRIBE_CLIENT_QUOTAS,
        K.ALTER_CLIENT_QUOTAS,
        K.DESCRIBE_USER_SCRAM_CREDENTIALS,
        K.ALTER_USER_SCRAM_CREDENTIALS,
        K.DESCRIBE_QUORUM,
        K.UPDATE_FEATURES,
        K.DESCRIBE_CLUSTER,
        K.UNREGISTER_BROKER,
        K.ADD_RAFT_VOTER,
        K.REMOVE_RAFT_VOTER,
    ),
    "between_brokers": (
        K.LEADER_AND_ISR,
        K.STOP_REPLICA,
        K.UPDATE_METADATA,
        K.CONTROLLED_SHUTDOWN,
        K.ALTER_PARTITION,
        K.ALLOCATE_PRODUCER_IDS,
        K.INITIALIZE_SHARE_GROUP_STATE,
        K.READ_SHARE_GROUP_STATE,
        K.WRITE_SHARE_GROUP_STATE,
        K.DELETE_SHARE_GROUP_STATE,
        K.READ_SHARE_GROUP_STATE_SUMMARY,
    ),
}
"""Modules of this package, and the APIs whose guards are in each: `ApiKey.JOIN_GROUP`'s is `join_group`."""
_MODULES: Final = {key: module for module, keys in GUARDS.items() for key in keys}


@cache
def guard(key: K) -> Guard | None:
    """The guard of an API; None if it has none."""
    module = _MODULES.get(key)
    if module is None:
        return None
    guard_of: Guard = getattr(import_module(f"fakekafka.handlers.rights.{module}"), key.name.lower())
    return guard_of


def allowed(request: Request, call: Call, handle: Handle) -> Result:
    """The handler's answer to what the client may ask, with refusals for the rest."""
    check = guard(call.key)
    return handle(request, call) if check is None else check(request, call, handle)
