"""The order of answers about client quotas."""

from collections.abc import Iterable
from typing import Any, TypeAlias

from fakekafka.admin.quota_checks import USER
from fakekafka.admin.quotas import entity_hash
from fakekafka.handlers.call import Call
from fakekafka.handlers.orders.names import WHOLE
from fakekafka.jvm.chains import Chain, texts_through, through
from fakekafka.wire.apis.alter_client_quotas import AlterClientQuotasRequest, AlterClientQuotasResponse
from fakekafka.wire.apis.describe_client_quotas import DescribeClientQuotasRequest, DescribeClientQuotasResponse

Entity: TypeAlias = tuple[tuple[str, str | None], ...]
"""The types and names of an entity, in order."""
USERS, CLIENTS, BOTH = range(3)


def alter_client_quotas(request: AlterClientQuotasRequest, response: AlterClientQuotasResponse, call: Call) -> None:
    """The results by entity."""
    rows = response.entries
    if len(rows) > 1 and not any(row.error_code in WHOLE for row in rows):
        _arrange(rows, map(_entity, rows), call.profile.admin_orders.altered_quotas)


def describe_client_quotas(
    request: DescribeClientQuotasRequest, response: DescribeClientQuotasResponse, call: Call
) -> None:
    """Controllers of KRaft look through all entities that have quotas; ZooKeeper brokers ask for users, for clients and
    for clients of users.
    """
    rules, rows = call.profile.admin_orders, response.entries or []
    for row in rows:
        values = {value.key: value for value in row.values}
        row.values = [values[key] for key in texts_through(rules.quota_values, values)]
    if len(rows) < 2:
        return
    if call.profile.admin.by_controllers:
        entities: Iterable[Entity] = map(_sorted, call.broker.cluster.settings.quotas)
    else:
        entities = map(_entity, sorted(rows, key=_kind))
    _arrange(rows, entities, rules.entities_with_quotas)


def _arrange(rows: list[Any], entities: Iterable[Entity], maps: Chain) -> None:
    by_entity = {_entity(row): row for row in rows}
    rows[:] = [by_entity[each] for each in through(maps, dict.fromkeys(entities), entity_hash) if each in by_entity]


def _entity(row: Any) -> Entity:
    return _sorted((part.entity_type, part.entity_name) for part in row.entity)


def _sorted(entity: Iterable[tuple[str, str | None]]) -> Entity:
    return tuple(sorted(entity, key=lambda part: part[0]))


def _kind(row: Any) -> int:
    if len(row.entity) > 1:
        return BOTH
    return USERS if row.entity[0].entity_type == USER else CLIENTS
