"""The order of answers about configs."""

from typing import Any, assert_never

from fakekafka.admin.resources import ResourceType
from fakekafka.handlers.call import Call
from fakekafka.jvm.chains import texts_through
from fakekafka.wire.apis.list_config_resources import ListConfigResourcesRequest, ListConfigResourcesResponse


def alter_configs(request: Any, response: Any, call: Call) -> None:
    """What the client may not alter comes after the rest, where it is told apart before anything is looked at."""
    rows = response.responses
    if len(rows) < 2:
        return
    match call.profile.admin_orders.altered_configs:
        case "refused last":
            return
        case "as asked":
            places = {(one.resource_type, one.resource_name): n for n, one in enumerate(request.resources)}
            rows.sort(key=lambda row: places.get((row.resource_type, row.resource_name), len(places)))
        case rule:
            assert_never(rule)


incremental_alter_configs = alter_configs


def list_config_resources(
    request: ListConfigResourcesRequest, response: ListConfigResourcesResponse, call: Call
) -> None:
    """Topics as brokers know them; the other kinds stay where they are."""
    rows = response.config_resources
    if len(rows) < 2:
        return
    topics = {row.resource_name: row for row in rows if row.resource_type == ResourceType.TOPIC}
    ordered = iter(texts_through(call.profile.admin_orders.listed_topics, topics))
    rows[:] = [topics[next(ordered)] if row.resource_type == ResourceType.TOPIC else row for row in rows]
