"""The order of answers about leaders, directories of logs and features."""

from typing import Final

from fakekafka.handlers.call import Call
from fakekafka.handlers.orders.partitions import Names, Place, arrange
from fakekafka.ids import PartitionIndex, TopicName
from fakekafka.jvm.chains import Chain, numbers_through, place_hash, texts_through, through
from fakekafka.wire.apis.alter_replica_log_dirs import AlterReplicaLogDirsRequest, AlterReplicaLogDirsResponse
from fakekafka.wire.apis.describe_log_dirs import (
    DescribeLogDirsRequest,
    DescribeLogDirsResponse,
    DescribeLogDirsTopic,
)
from fakekafka.wire.apis.elect_leaders import ElectLeadersRequest, ElectLeadersResponse
from fakekafka.wire.apis.update_features import UpdateFeaturesRequest, UpdateFeaturesResponse

ELECTED: Final = Names("topic", "partition_result", "partition_id")
MOVED: Final = Names("topic_name", "partitions", "partition_index")
STORED: Final = Names("name", "partitions", "partition_index")


def elect_leaders(request: ElectLeadersRequest, response: ElectLeadersResponse, call: Call) -> None:
    """An answer that was made from the request alone has its order."""
    rows, rules = response.replica_election_results, call.profile.admin_orders
    if not ELECTED.is_long(rows):
        return
    if not call.profile.admin.by_controllers:
        if not response.error_code:
            arrange(rows, ELECTED.places(rows), rules.elected_leaders, ELECTED, place_hash)
    elif request.topic_partitions is None:
        by_name = {row.topic: row for row in rows}
        rows[:] = [by_name[name] for name in texts_through(rules.topics_of_controllers, by_name)]


def alter_replica_log_dirs(
    request: AlterReplicaLogDirsRequest, response: AlterReplicaLogDirsResponse, call: Call
) -> None:
    """All directories of the request together."""
    if MOVED.is_long(response.results):
        maps = call.profile.admin_orders.moved_replicas
        arrange(response.results, MOVED.places(response.results), maps, MOVED, place_hash)


def describe_log_dirs(request: DescribeLogDirsRequest, response: DescribeLogDirsResponse, call: Call) -> None:
    """Each directory's partitions come out of the map of all partitions that the broker has."""
    if not any(STORED.is_long(result.topics) for result in response.results):
        return
    maps = call.profile.admin_orders.stored_partitions
    places = through(maps.asked, call.broker.partitions, place_hash)
    for result in response.results:
        topics = {topic.name: topic for topic in result.topics}
        names = texts_through(maps.topics, dict.fromkeys(name for name, _ in places if name in topics))
        result.topics = [topics[name] for name in names]
        _arrange_partitions(result.topics, places, maps.indexes)


def _arrange_partitions(topics: list[DescribeLogDirsTopic], places: list[Place], maps: Chain) -> None:
    """The partitions of each topic in the order of `places`, and then of these maps."""
    numbers: dict[TopicName, list[PartitionIndex]] = {topic.name: [] for topic in topics}
    for name, index in places:
        if name in numbers:
            numbers[name].append(index)
    for topic in topics:
        rows = {row.partition_index: row for row in topic.partitions}
        shown = [index for index in numbers[topic.name] if index in rows]
        topic.partitions = [rows[index] for index in numbers_through(maps, shown)]


def update_features(request: UpdateFeaturesRequest, response: UpdateFeaturesResponse, call: Call) -> None:
    """Controllers have a map of what became of each feature."""
    rows = {row.feature: row for row in response.results}
    if len(rows) < 2 or len(rows) < len(response.results):
        return
    asked = dict.fromkeys(update.feature for update in request.feature_updates)
    names = texts_through(call.profile.admin_orders.updated_features, asked)
    response.results = [rows[name] for name in names]
