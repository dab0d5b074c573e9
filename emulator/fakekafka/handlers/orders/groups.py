"""The order of answers about groups."""

from collections.abc import Iterable, Sequence
from typing import Any, Final

from fakekafka.cluster.internal_topics import partition_for
from fakekafka.coordinators.groups.coordinator import GroupCoordinator
from fakekafka.errors import ErrorCode
from fakekafka.handlers.call import Call
from fakekafka.ids import TopicPartition
from fakekafka.jvm.chains import Chain, place_hash, text_hash, texts_through, through
from fakekafka.jvm.maps import Hashed, MapKind, concurrent, timeline
from fakekafka.state.topics import CONSUMER_OFFSETS
from fakekafka.wire.apis.delete_groups import DeleteGroupsRequest, DeleteGroupsResponse
from fakekafka.wire.apis.describe_groups import DescribeGroupsRequest, DescribeGroupsResponse
from fakekafka.wire.apis.list_groups import ListGroupsRequest, ListGroupsResponse

REFUSED: Final = ErrorCode.GROUP_AUTHORIZATION_FAILED
FIRST_DESCRIBED: Final = (REFUSED, ErrorCode.INVALID_GROUP_ID)
"""The errors of groups for which the coordinator is not asked."""
JAVA_MEMBERS: Final = (MapKind.JAVA,)
"""Where the Java coordinator keeps the members of a classic group."""
DELETED_LATER: Final[dict[int, int]] = {ErrorCode.NONE: 1, REFUSED: 2}
"""The ranks of what the Scala coordinator says after it has said which groups cannot be deleted."""


def list_groups(_: ListGroupsRequest, response: ListGroupsResponse, call: Call) -> None:
    """All groups of a broker are in one map, or those of each partition of the offsets topic in one."""
    if len(response.groups) > 1:
        places = {group_id: n for n, group_id in enumerate(_in_order(call.groups))}
        response.groups.sort(key=lambda group: places.get(group.group_id, len(places)))


def _in_order(coordinator: GroupCoordinator) -> list[str]:
    maps = coordinator.arrivals.maps
    if coordinator.rules.coordinator == "scala":
        return [id for known in maps.values() for id in concurrent(_hashed(known.ids), known.most)]
    led = [(CONSUMER_OFFSETS, index) for index in sorted(coordinator.led)]
    shards = [index for _, index in through((MapKind.JAVA_CONCURRENT,), led, place_hash)]
    return [id for index in shards if index in maps for id in timeline(_hashed(maps[index].ids), maps[index].most)]


def _hashed(ids: Iterable[str]) -> list[Hashed[str]]:
    return [(text_hash(group_id), group_id) for group_id in ids]


def describe_groups(request: DescribeGroupsRequest, response: DescribeGroupsResponse, call: Call) -> None:
    """Classic groups, and their members."""
    is_java = call.groups.rules.coordinator == "java"
    _put_members_in_order(response.groups, JAVA_MEMBERS if is_java else call.profile.group_orders.members)
    if len(response.groups) > 1:
        rules = call.profile.group_orders
        ids = texts_through(rules.described_groups, dict.fromkeys(request.groups)) if rules.described_groups else None
        _put_described_in_order(request.groups if ids is None else ids, response.groups, call)


def consumer_group_describe(request: Any, response: Any, call: Call) -> None:
    """Groups of a kind other than classic, and their members; names that a group cannot have come first."""
    _put_members_in_order(response.groups, (MapKind.TIMELINE,))
    if len(response.groups) > 1 and not call.refused_as_a_whole:
        _put_described_in_order(request.group_ids, response.groups, call)


share_group_describe = streams_group_describe = consumer_group_describe


def _put_members_in_order(groups: Iterable[Any], chain: Chain) -> None:
    for group in {group.group_id: group for group in groups}.values():  # one that is named twice is there twice
        if len(group.members) > 1:
            members = {member.member_id: member for member in group.members}
            group.members = [members[member_id] for member_id in texts_through(chain, members)]


def _put_described_in_order(ids: Sequence[str], groups: list[Any], call: Call) -> None:
    if call.profile.group_orders.refused_groups == "apart":
        errors = {group.group_id: group.error_code for group in groups}
        first = [id for error in FIRST_DESCRIBED for id in ids if errors[id] == error]
        others = [id for id in ids if errors[id] not in FIRST_DESCRIBED]
        ids = [*first, *(_by_shard(others, call) if call.groups.rules.coordinator == "java" else others)]
    _put_in_order(groups, ids)


def delete_groups(request: DeleteGroupsRequest, response: DeleteGroupsResponse, call: Call) -> None:
    """Groups, each of them once."""
    if len(response.results) < 2:
        return
    rules = call.profile.group_orders
    errors = {result.group_id: result.error_code for result in response.results}
    apart = {id for id in errors if errors[id] == REFUSED} if rules.refused_groups == "apart" else set()
    ids = texts_through(rules.groups_named, (id for id in dict.fromkeys(request.groups_names) if id not in apart))
    if call.groups.rules.coordinator == "java":
        ids = _by_shard(ids, call)
    else:
        ids = texts_through(rules.groups_deleted, sorted(ids, key=lambda id: DELETED_LATER.get(errors[id], 0)))
    _put_in_order(response.results, [*ids, *filter(apart.__contains__, errors)])


def _by_shard(ids: Iterable[str], call: Call) -> list[str]:
    """Groups as the Java coordinator, which asks for those of each partition of the offsets topic at once, answers
    them.
    """
    count = call.groups.partition_count
    shards: dict[TopicPartition, list[str]] = {}
    for group_id in ids:
        shards.setdefault((CONSUMER_OFFSETS, partition_for(group_id, count)), []).append(group_id)
    return [group_id for shard in through((MapKind.JAVA_COMPUTED,), shards, place_hash) for group_id in shards[shard]]


def _put_in_order(rows: list[Any], ids: Iterable[str]) -> None:
    """Put rows in the order of their groups, which may be named more than once."""
    by_id: dict[str, list[Any]] = {}
    for row in reversed(rows):  # so that the first is taken first
        by_id.setdefault(row.group_id, []).append(row)
    rows[:] = [by_id[group_id].pop() for group_id in ids if by_id.get(group_id)]
