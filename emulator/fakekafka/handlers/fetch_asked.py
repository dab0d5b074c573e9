"""What a Fetch asks for: the partitions, its own or those of its session, and how they are to be read.

The first step of `fetch`.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Final, NamedTuple

from fakekafka.cluster.broker import Broker
from fakekafka.cluster.fetch_sessions import NO_SESSION, Context, Key
from fakekafka.cluster.reading import Reader, Wanted
from fakekafka.errors import ErrorCode
from fakekafka.handlers.call import Call
from fakekafka.ids import ZERO_UUID, BrokerId, Offset, Uuid
from fakekafka.state.topics import Topic
from fakekafka.storage.partition import Partition
from fakekafka.wire.apis.fetch import FetchRequest

READ_UNCOMMITTED, READ_COMMITTED = 0, 1
DEBUGGING_CONSUMER: Final = -2
"""The replica id of a consumer that may read from any replica, in every version."""

FIRST_WITH_WHOLE_UNITS: Final = 3
"""KIP-74."""
FIRST_WITH_RACK: Final = 11
"""KIP-392."""
FIRST_WITH_TOPIC_IDS: Final = 13
"""KIP-516."""
FIRST_WITH_REPLICA_STATE: Final = 15
"""KIP-903."""


class Fetch(NamedTuple):
    """One request being handled."""

    request: FetchRequest
    context: Context
    reader: Reader
    max_bytes: int
    min_bytes: int


def context_of(request: FetchRequest, call: Call) -> Context | ErrorCode:
    """The partitions to read, and the session they are from. Raises `FetchFails`."""
    by_id = call.version >= FIRST_WITH_TOPIC_IDS
    topics = call.broker.cluster.topic_ids_known_to(call.broker.node_id) if by_id else None
    wanted = listed(request, topics, call)
    if request.session_id == NO_SESSION and request.session_epoch == -1:
        return Context(wanted)
    forgotten: Iterable[Key] = (
        (_id_in_session(topic.topic_id) if by_id else topic.topic, index)
        for topic in request.forgotten_topics_data
        for index in topic.partitions
    )
    sessions = call.broker.fetch_sessions
    return sessions.open(request.session_id, request.session_epoch, wanted, forgotten, topics, call.now)


def _id_in_session(topic_id: Uuid) -> Uuid | None:
    return None if topic_id == ZERO_UUID else topic_id


def listed(request: FetchRequest, topics: Mapping[Uuid, Topic] | None, call: Call) -> list[Wanted]:
    """The partitions that the request lists. One that is listed twice keeps its first place, with the fields of
    its last entry. `topics`: the topics that the broker knows, by id, if the request names them by id.
    """
    make = tuple.__new__  # much faster than calling the class
    if topics is not None:
        named = [
            (topics[topic.topic_id].name if topic.topic_id in topics else None, topic.topic_id, topic.partitions)
            for topic in request.topics
        ]
    else:
        named = [(topic.topic, ZERO_UUID, topic.partitions) for topic in request.topics]
    if call.profile.fetch.duplicate_partition == "each":
        return [make(Wanted, (name, id, asked)) for name, id, partitions in named for asked in partitions]
    once = {
        (name or id, asked.partition): make(Wanted, (name, id, asked))
        for name, id, partitions in named
        for asked in partitions
    }
    return list(once.values())


def fetch_of(request: FetchRequest, context: Context, call: Call) -> Fetch:
    """The request with its partitions and its limits, as far as the broker and its quotas allow."""
    broker, behaviour = call.broker, call.profile.fetch
    replica_id = request.replica_id if call.version < FIRST_WITH_REPLICA_STATE else request.replica_state.replica_id
    reader = Reader(
        replica_id,
        read_committed=request.isolation_level == READ_COMMITTED and replica_id < 0,
        any_replica=(call.version >= FIRST_WITH_RACK and replica_id < 0)
        if behaviour.followers_may_serve
        else replica_id == DEBUGGING_CONSUMER,
        whole_units=call.version >= FIRST_WITH_WHOLE_UNITS,
        prefer=_preference(request.rack_id, broker) if request.rack_id and replica_id < 0 else None,
    )
    max_bytes, min_bytes = request.max_bytes, request.min_bytes
    if behaviour.broker_limits_response:
        max_bytes = min(max_bytes, broker.config.int("fetch.max.bytes"))
        min_bytes = min(min_bytes, max_bytes)
    has_quotas = broker.cluster.settings.quotas or broker.has_default_quotas
    if has_quotas and call.profile.quotas.bounds_fetches and replica_id < 0:
        from fakekafka.handlers.quotas import bytes_of_quota  # few clusters have quotas

        max_bytes = min(max_bytes, bytes_of_quota(call))
        min_bytes = min(min_bytes, max_bytes)
    return Fetch(request, context, reader, max_bytes, min_bytes)


def _preference(rack: str, broker: Broker) -> "Callable[[Partition, Offset], BrokerId | None] | None":
    """The function that chooses a replica for a consumer in `rack`; None if the broker chooses none."""
    if broker.profile.broker_configs.get("replica.selector.class") is None:
        return None
    from fakekafka.cluster.rack_selection import replica_in_rack, selects_by_rack  # few brokers select by rack

    return partial(replica_in_rack, broker, rack) if selects_by_rack(broker) else None
