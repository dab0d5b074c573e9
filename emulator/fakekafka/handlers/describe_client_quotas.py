"""DescribeClientQuotas, key 48: quotas of users, clients and addresses (KIP-546).

Behaviour: the entities that match all components of the filter. See `admin/quotas.py`.
Versions: 0 - 1, both alike.
"""

from fakekafka.admin.quotas import Component, describe
from fakekafka.errors import ApiError
from fakekafka.handlers.call import Call
from fakekafka.wire.apis.describe_client_quotas import (
    DescribeClientQuotasRequest,
    DescribeClientQuotasResponse,
    EntityData,
    EntryData,
    ValueData,
)


def handle(request: DescribeClientQuotasRequest, call: Call) -> DescribeClientQuotasResponse:
    """Describe the quotas."""
    components = [Component(c.entity_type, c.match_type, c.match) for c in request.components]
    try:
        matching = describe(call.broker, components, strict=request.strict)
    except ApiError as refused:
        return DescribeClientQuotasResponse(error_code=refused.code, error_message=refused.message, entries=None)
    order = 1 if call.profile.admin.by_controllers else -1  # a hash map has client ids first, ZkAdminManager users
    return DescribeClientQuotasResponse(
        error_message=call.profile.admin.no_quota_message,
        entries=[
            EntryData(
                entity=[EntityData(entity_type=kind, entity_name=name) for kind, name in entity[::order]],
                values=[ValueData(key=key, value=value) for key, value in quotas.items()],
            )
            for entity, quotas in matching
        ],
    )
