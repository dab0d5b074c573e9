"""The order of answers about topics that are created, enlarged or deleted."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

from fakekafka.cluster.topic_creation.topic_names import METADATA_TOPIC
from fakekafka.errors import ErrorCode
from fakekafka.handlers.call import Call
from fakekafka.handlers.orders.names import WHOLE, arrange_names
from fakekafka.ids import Uuid
from fakekafka.jvm.chains import texts_through
from fakekafka.releases.behaviours.order_maps import NameMaps
from fakekafka.wire.apis.create_partitions import CreatePartitionsRequest, CreatePartitionsResponse
from fakekafka.wire.apis.create_topics import CreateTopicsRequest, CreateTopicsResponse
from fakekafka.wire.apis.delete_topics import DeleteTopicsRequest, DeleteTopicsResponse


def create_topics(request: CreateTopicsRequest, response: CreateTopicsResponse, call: Call) -> None:
    """Topics that are named twice, and then those that the client may not create, come last."""
    rules, topics = call.profile.admin_orders, response.topics
    for topic in topics:
        configs = {config.name: config for config in topic.configs or ()}
        if configs:
            topic.configs = [configs[name] for name in texts_through(rules.created_configs, configs)]
    if len(topics) < 2:
        return
    asked = [topic.name for topic in request.topics]
    if _is_whole(topics):
        arrange_names(topics, asked, NameMaps(rules.created_topics_refused), lambda row: 0)
        return
    named = Counter(asked)

    def rank(row: Any) -> int:
        if named[row.name] > 1 and call.profile.topics.named_twice_refused:
            return 1
        is_kept = call.profile.admin.by_controllers and row.name == METADATA_TOPIC
        return 2 if is_kept or row.error_code == ErrorCode.TOPIC_AUTHORIZATION_FAILED else 0

    arrange_names(topics, asked, rules.created_topics, rank)


def delete_topics(request: DeleteTopicsRequest, response: DeleteTopicsResponse, call: Call) -> None:
    """Topics that do not exist are not looked at; what brokers notice first comes first."""
    rows, maps = response.responses, call.profile.admin_orders.deleted_topics
    if len(rows) < 2:
        return
    if maps.in_place:
        _arrange_as_asked(request, rows)
        return
    order = [ErrorCode.TOPIC_AUTHORIZATION_FAILED, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION]
    if call.profile.authorization.hides_topics:
        order.reverse()

    def rank(row: Any) -> int:
        return 1 + order.index(row.error_code) if row.error_code in order else 0

    arrange_names(rows, request.topic_names, maps, rank)


def _arrange_as_asked(request: DeleteTopicsRequest, rows: list[Any]) -> None:
    """The rows in the order of the request, which may give topics by their ids."""
    asked: list[str | Uuid] = [*request.topic_names, *(topic.name or topic.topic_id for topic in request.topics)]
    places = {key: place for place, key in enumerate(asked)}
    rows.sort(key=lambda row: places.get(row.topic_id, places.get(row.name, len(places))))


def create_partitions(request: CreatePartitionsRequest, response: CreatePartitionsResponse, call: Call) -> None:
    """Topics that are named twice, and then those that the client may not alter, come first or last."""
    rows = response.results
    if len(rows) < 2 or (call.profile.admin.by_controllers and _is_whole(rows)):
        return
    asked = [topic.name for topic in request.topics]
    named = Counter(asked)

    def rank(row: Any) -> int:
        return 1 if named[row.name] > 1 else 2 if row.error_code == ErrorCode.TOPIC_AUTHORIZATION_FAILED else 0

    arrange_names(rows, asked, call.profile.admin_orders.grown_topics, rank)


def _is_whole(rows: Iterable[Any]) -> bool:
    return all(row.error_code in WHOLE for row in rows)
