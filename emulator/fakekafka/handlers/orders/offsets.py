"""The order of answers about committed offsets."""

from collections import Counter
from typing import Any, Final

from fakekafka.errors import ErrorCode
from fakekafka.handlers.call import Call
from fakekafka.handlers.orders.added import Added
from fakekafka.handlers.orders.keys import hash_of_places
from fakekafka.handlers.orders.partitions import Names, arrange
from fakekafka.ids import ApiKey
from fakekafka.jvm.chains import place_hash
from fakekafka.releases.behaviours.order_maps import AS_ASKED, PartitionMaps
from fakekafka.wire.apis.offset_commit import OffsetCommitRequest, OffsetCommitResponse
from fakekafka.wire.apis.offset_delete import OffsetDeleteRequest, OffsetDeleteResponse
from fakekafka.wire.apis.txn_offset_commit import TxnOffsetCommitRequest, TxnOffsetCommitResponse

LATER: Final = {ErrorCode.TOPIC_AUTHORIZATION_FAILED: 1, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION: 2}
"""The ranks of what a broker refuses before it asks the coordinator."""
REFUSED: Final = frozenset({*LATER, ErrorCode.UNKNOWN_TOPIC_ID})
FIRST_OFFSETS_WITH_IDS: Final = 10
"""OffsetCommit and OffsetFetch."""
FIRST_TXN_WITH_IDS: Final = 6
FIRST_IN_TOPIC: Final = 1
NAMES: Final = Names("name", "partitions", "partition_index")


def offset_commit(request: OffsetCommitRequest, response: OffsetCommitResponse, call: Call) -> None:
    """What a group has committed."""
    rules = call.profile.group_orders
    if call.refused_as_a_whole and rules.commit_refused_as_asked:
        return
    _committed(request, response, call, rules.commit, by_id=call.version >= FIRST_OFFSETS_WITH_IDS)


def txn_offset_commit(request: TxnOffsetCommitRequest, response: TxnOffsetCommitResponse, call: Call) -> None:
    """What a transaction has committed."""
    if call.refused_as_a_whole and call.profile.offsets.failed_transaction_commit == "as asked":
        return
    maps = call.profile.group_orders.transaction_commit
    _committed(request, response, call, maps, by_id=call.version >= FIRST_TXN_WITH_IDS)


def _committed(request: Any, response: Any, call: Call, maps: PartitionMaps, *, by_id: bool) -> None:
    names = Names("topic_id" if by_id else "name", "partitions", "partition_index")
    if not names.is_long(response.topics):
        return
    hash_of = hash_of_places(call.profile.group_orders.commit_key, call)
    if call.profile.offsets.commits_are_map:
        asked = names.places(request.topics)
        arrange(response.topics, asked, maps, names, hash_of, lambda _, row: LATER.get(row.error_code, 0))
    else:
        topics = [(getattr(t, names.topic), [p.partition_index for p in t.partitions]) for t in request.topics]
        maps = of_coordinator(maps, call) if call.key is not ApiKey.OFFSET_COMMIT or call.version else AS_ASKED
        Added(names, maps.later, hash_of, _is_refused).arrange(response.topics, topics)


def of_coordinator(maps: PartitionMaps, call: Call) -> PartitionMaps:
    """The maps, if they are those of the coordinator that serves: the Java one keeps the order of the request."""
    return maps if call.groups.rules.coordinator == "scala" else AS_ASKED


def offset_delete(request: OffsetDeleteRequest, response: OffsetDeleteResponse, call: Call) -> None:
    """What a group has forgotten. A release that repeats topics repeats them as they are."""
    names, maps = NAMES, call.profile.group_orders.offsets_deleted
    repeated = Counter(topic.name for topic in response.topics)
    topics = list({topic.name: topic for topic in response.topics}.values())
    if not names.is_long(topics):
        return
    if call.profile.offsets.delete_answers_each:
        asked = [(topic.name, [row.partition_index for row in topic.partitions]) for topic in request.topics]
        maps = of_coordinator(maps, call)
        Added(names, maps.later, place_hash, _is_refused, _is_consumed).arrange(topics, asked)
    else:
        arrange(topics, names.places(request.topics), maps, names, place_hash)
    response.topics = [topic for topic in topics for _ in range(repeated[topic.name])]


def _is_refused(row: Any) -> bool:
    return row.error_code in REFUSED


def _is_consumed(row: Any) -> bool:
    return row.error_code == ErrorCode.GROUP_SUBSCRIBED_TO_TOPIC  # type: ignore[no-any-return]
