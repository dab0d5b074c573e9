"""The order of answers about leaders, directories of logs and features."""

from typing import Any, Final

from fakekafka.errors import ErrorCode
from fakekafka.handlers.call import Call
from fakekafka.handlers.describe_log_dirs import strays_of
from fakekafka.handlers.orders.partitions import Names, Place, arrange, by_topic
from fakekafka.jvm.chains import place_hash, texts_through
from fakekafka.jvm.maps import SMALL, concurrent
from fakekafka.releases.behaviours.order_maps import AS_ASKED, PartitionMaps
from fakekafka.wire.apis.alter_partition_reassignments import (
    AlterPartitionReassignmentsRequest,
    AlterPartitionReassignmentsResponse,
)
from fakekafka.wire.apis.alter_replica_log_dirs import AlterReplicaLogDirsRequest, AlterReplicaLogDirsResponse
from fakekafka.wire.apis.describe_log_dirs import (
    DescribeLogDirsRequest,
    DescribeLogDirsResponse,
    DescribeLogDirsTopic,
)
from fakekafka.wire.apis.elect_leaders import ElectLeadersRequest, ElectLeadersResponse, PartitionResult
from fakekafka.wire.apis.update_features import UpdateFeaturesRequest, UpdateFeaturesResponse

ELECTED: Final = Names("topic", "partition_result", "partition_id")
MOVED: Final = Names("topic_name", "partitions", "partition_index")
REASSIGNED: Final = Names("name", "partitions", "partition_index")
STORED: Final = Names("name", "partitions", "partition_index")


def elect_leaders(request: ElectLeadersRequest, response: ElectLeadersResponse, call: Call) -> None:
    """An answer of controllers that was made from the request alone has its order."""
    rows, rules = response.replica_election_results, call.profile.admin_orders
    if not ELECTED.is_long(rows):
        return
    if call.refused_as_a_whole:
        maps, is_small = rules.elected_leaders_refused, len(ELECTED.places(rows)) <= SMALL
        arrange_unless_as_asked(rows, maps._replace(grouped=()) if is_small else maps, ELECTED)
    elif not call.profile.admin.by_controllers:
        if not response.error_code:
            maps, rank = rules.elected_leaders, _failed_first if rules.elected_leaders.first else None
            arrange(rows, ELECTED.places(rows), maps, ELECTED, place_hash, rank)
    elif request.topic_partitions is None:
        by_name = {row.topic: row for row in rows}
        rows[:] = [by_name[name] for name in texts_through(rules.topics_of_controllers, by_name)]


def _failed_first(_: Place, row: PartitionResult) -> int:
    """Elections that have failed come before partitions for which there was none."""
    return int(row.error_code != ErrorCode.PREFERRED_LEADER_NOT_AVAILABLE)


def alter_replica_log_dirs(
    request: AlterReplicaLogDirsRequest, response: AlterReplicaLogDirsResponse, call: Call
) -> None:
    """All directories of the request together; up to 2.6 also if the client may not."""
    rules = call.profile.admin_orders
    maps = rules.moved_replicas_refused if call.refused_as_a_whole else rules.moved_replicas
    arrange_unless_as_asked(response.results, maps, MOVED)


def alter_partition_reassignments(
    _: AlterPartitionReassignmentsRequest, response: AlterPartitionReassignmentsResponse, call: Call
) -> None:
    """A refusal has the order of the request."""
    if not call.refused_as_a_whole:
        arrange_unless_as_asked(response.responses, call.profile.admin_orders.reassigned, REASSIGNED)


def arrange_unless_as_asked(topics: list[Any], maps: PartitionMaps, names: Names) -> None:
    """Put the topics of an answer that has the order of the request in order."""
    if maps != AS_ASKED and names.is_long(topics):
        arrange(topics, names.places(topics), maps, names, place_hash)


def describe_log_dirs(request: DescribeLogDirsRequest, response: DescribeLogDirsResponse, call: Call) -> None:
    """Each directory's partitions come out of the map of all logs that the broker has (LogManager.allLogs)."""
    if not any(STORED.is_long(result.topics) for result in response.results):
        return
    hosted, dirs = call.broker.partitions, call.broker.log_dirs
    stored = [*hosted, *strays_of(call)]
    places = concurrent([(place_hash(place), place) for place in stored], max(hosted.most, len(stored)))
    for result in response.results:
        there = [place for place in places if dirs.of(*place).path == result.log_dir]
        _arrange_stored(result.topics, there, call.profile.admin_orders.stored_partitions)


def _arrange_stored(topics: list[DescribeLogDirsTopic], places: list[Place], maps: PartitionMaps) -> None:
    """The topics of a directory in the order of `places`, and then of these maps. What was not asked for is left out
    before or after it has passed them.
    """
    by_name = {topic.name: topic for topic in topics}
    rows = {place: row for topic in topics for place, row in STORED.rows(topic)}
    shown = places if maps.parted_last else filter(rows.__contains__, places)
    ordered = [(name, numbers) for name, numbers in by_topic(shown, maps, place_hash) if name in by_name]
    for name, numbers in ordered:
        by_name[name].partitions = [rows[name, number] for number in numbers if (name, number) in rows]
    topics[:] = [by_name[name] for name, _ in ordered]


def update_features(request: UpdateFeaturesRequest, response: UpdateFeaturesResponse, call: Call) -> None:
    """Controllers have a map of what became of each feature."""
    rows = {row.feature: row for row in response.results}
    if len(rows) < 2 or len(rows) < len(response.results):
        return
    asked = dict.fromkeys(update.feature for update in request.feature_updates)
    names = texts_through(call.profile.admin_orders.updated_features, asked)
    response.results = [rows[name] for name in names]
