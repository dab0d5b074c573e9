"""The order of answers about configs."""

from typing import Any, assert_never

from fakekafka.handlers.call import Call


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
