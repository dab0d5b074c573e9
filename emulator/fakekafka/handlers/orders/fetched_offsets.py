"""The order of the answer of OffsetFetch."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, Final, TypeAlias

from fakekafka.coordinators.groups.offsets.map_order import MANY
from fakekafka.errors import ErrorCode
from fakekafka.handlers.call import Call
from fakekafka.handlers.forwarding import at_coordinator
from fakekafka.handlers.orders.keys import hash_of_places
from fakekafka.handlers.orders.offsets import FIRST_IN_TOPIC, FIRST_OFFSETS_WITH_IDS, NAMES, REFUSED, of_coordinator
from fakekafka.handlers.orders.partitions import Place, arrange, by_topic
from fakekafka.ids import Uuid
from fakekafka.jvm.chains import texts_through, through
from fakekafka.jvm.maps import SMALL, MapKind
from fakekafka.releases.behaviours.order_maps import AS_ASKED, PartitionMaps
from fakekafka.wire.apis.offset_fetch import (
    OffsetFetchRequest,
    OffsetFetchRequestGroup,
    OffsetFetchRequestTopic,
    OffsetFetchRequestTopics,
    OffsetFetchResponse,
    OffsetFetchResponseGroup,
)

FIRST_WITH_SEVERAL_GROUPS: Final = 8
TIMELINES: Final = PartitionMaps(topics=(MapKind.TIMELINE,), indexes=(MapKind.TIMELINE,))
"""Where the Java coordinator keeps the offsets of a group."""
FROM_ZOOKEEPER: Final = PartitionMaps(answered=(MapKind.SCALA_2_13_MAP,), topics=(MapKind.JAVA,))
"""What the offsets pass that ZooKeeper has, in releases that have made another answer of the others."""

FetchedGroups: TypeAlias = Sequence[OffsetFetchRequestGroup]
AnsweredGroups: TypeAlias = Sequence[OffsetFetchResponseGroup]
FetchedGroup: TypeAlias = tuple[OffsetFetchRequestGroup, OffsetFetchResponseGroup]
FetchedTopic: TypeAlias = OffsetFetchRequestTopic | OffsetFetchRequestTopics
FetchedTopics: TypeAlias = Sequence[FetchedTopic] | None


def offset_fetch(request: OffsetFetchRequest, response: OffsetFetchResponse, call: Call) -> None:
    """What groups have committed."""
    if call.version < FIRST_WITH_SEVERAL_GROUPS:
        _fetched(request.group_id, request.topics, response.topics, call)
        return
    pairs = _groups_in_order(request.groups, response.groups, call)
    response.groups[:] = [answered for _, answered in pairs]
    for asked, answered in {id(answered): (asked, answered) for asked, answered in pairs}.values():  # each once
        _fetched(asked.group_id, asked.topics, answered.topics, call)


def _groups_in_order(asked: FetchedGroups, answered: AnsweredGroups, call: Call) -> list[FetchedGroup]:
    """The groups in the order of the answer. If one that is named twice is answered once, then as it was named last."""
    ordered = texts_through(call.profile.group_orders.fetched_groups, dict.fromkeys(group.group_id for group in asked))
    places = {group_id: n for n, group_id in enumerate(ordered)}
    if len(answered) < len(asked):
        by_id = {group.group_id: group for group in asked}
        return [(by_id[group.group_id], group) for group in sorted(answered, key=lambda group: places[group.group_id])]
    rows: dict[str, list[OffsetFetchResponseGroup]] = {}
    for group in reversed(answered):  # so that the first is taken first
        rows.setdefault(group.group_id, []).append(group)
    in_turn = sorted(asked, key=lambda group: places[group.group_id]) if len(places) == len(asked) else asked
    return [(group, rows[group.group_id].pop()) for group in in_turn]


def _fetched(group_id: str, asked: FetchedTopics, answered: list[Any], call: Call) -> None:
    """The topics of one group."""
    if not NAMES.is_long(answered):
        return
    named = [(t.name, index) for t in asked or () for index in t.partition_indexes]
    asks_for_all = asked is None or (not named and call.profile.offsets.nothing_asks_for_all)
    if asks_for_all:
        maps, named = _all_of_group(group_id, call)
    else:
        maps = _maps_of_fetch(call)
    if maps != AS_ASKED or asks_for_all:
        arrange(answered, named, maps, NAMES, _hash_of_fetched(call), partial(_rank_of_fetched, call))
    elif asked is not None:
        _put_refused_last(asked, answered, call)


def _put_refused_last(asked: Iterable[FetchedTopic], answered: list[Any], call: Call) -> None:
    """The broker adds the topics that it refuses after those that it asks the coordinator for."""
    by_id = call.version >= FIRST_OFFSETS_WITH_IDS

    def key_of(topic: Any) -> str | Uuid:
        return topic.topic_id if by_id else topic.name  # type: ignore[no-any-return]

    def is_refused(topic: Any) -> bool:
        return (by_id and not topic.name) or any(row.error_code in REFUSED for row in topic.partitions)

    places = {key_of(topic): n for n, topic in enumerate(asked)}
    answered.sort(key=lambda topic: places[key_of(topic)] if is_refused(topic) else -1)


def _all_of_group(group_id: str, call: Call) -> tuple[PartitionMaps, list[Place]]:
    """All partitions for which a group has offsets as the coordinator gives them, and the maps that those of them pass
    that the client may see.
    """
    rules, hash_of = call.profile.group_orders, _hash_of_fetched(call)
    if call.groups.rules.coordinator == "java":
        ordered = by_topic(_committed_places(group_id, TIMELINES, call), TIMELINES, hash_of)
        return AS_ASKED, [(name, number) for name, numbers in ordered for number in numbers]
    maps = rules.fetch_all
    places = through((*maps.asked, *maps.answered), _committed_places(group_id, maps, call), hash_of)
    return maps._replace(asked=(), answered=rules.part_of_all if len(places) > SMALL else ()), places


def _maps_of_fetch(call: Call) -> PartitionMaps:
    rules = call.profile.group_orders
    maps = rules.fetch_refused if call.refused_as_a_whole else rules.fetch
    if call.version < FIRST_IN_TOPIC:
        return FROM_ZOOKEEPER if maps.first else maps
    return of_coordinator(maps, call)


def _rank_of_fetched(call: Call, place: Place, row: Any) -> int:
    """Up to 0.8 what is not known comes first, later what is refused comes last."""
    error = row.error_code
    if call.version < FIRST_IN_TOPIC or call.profile.offsets.unknown_partition_fetched is ErrorCode.NONE:
        return int(error == ErrorCode.TOPIC_AUTHORIZATION_FAILED)
    return int(error != ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)


def _hash_of_fetched(call: Call) -> Callable[[Any], int]:
    return hash_of_places(call.profile.group_orders.fetch_key, call)


def _committed_places(group_id: str, maps: PartitionMaps, call: Call) -> list[Place]:
    """All partitions for which a group has offsets, the oldest first where that makes a difference."""
    groups = at_coordinator(call, group_id).groups
    places = [entry[:2] for entry in groups.offsets.of_group(group_id)]
    in_turn = [
        by_topic(through(maps.asked, some, _hash_of_fetched(call)), maps, _hash_of_fetched(call))
        for some in (places, places[::-1])
    ]
    if call.profile.offsets.one_map:
        return groups.expiry.out_of_one_map(group_id)
    if in_turn[0] == in_turn[1] or len(places) > MANY:
        return places
    return groups.expiry.oldest_first(group_id)
