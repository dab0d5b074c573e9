"""AlterConfigs, key 33: replace all configs of topics, brokers and other resources (KIP-133).

Behaviour: each resource is handled separately; it loses the configs that are not given. Superseded by
IncrementalAlterConfigs.
Versions: 0 - 2, all alike.
Not done: policies.
"""

from fakekafka.admin.alteration import alter
from fakekafka.admin.altered_resources import Alteration
from fakekafka.admin.config_changes import Change, Operation
from fakekafka.admin.resources import resource_as_read
from fakekafka.errors import ErrorCode
from fakekafka.handlers.call import Call, Outcome, Result, stepwise
from fakekafka.pieces import Stepwise
from fakekafka.wire.apis.alter_configs import (
    AlterConfigsRequest,
    AlterConfigsResource,
    AlterConfigsResourceResponse,
    AlterConfigsResponse,
)


@stepwise
def handle(request: AlterConfigsRequest, call: Call) -> Stepwise[Result]:
    """Alter what can be altered."""
    nulls = any(config.value is None for resource in request.resources for config in resource.configs)
    if nulls and call.profile.alter_configs.null_value is None:
        return Outcome.CLOSE
    resources = [resource_as_read(call.broker, each.resource_type, each.resource_name) for each in request.resources]
    if len(set(resources)) < len(resources) and call.profile.alter_configs.repeated_resource == "hang":
        return Outcome.HANG
    wanted = [alteration(resource) for resource in request.resources]
    done = yield from alter(call.broker, wanted, validate_only=request.validate_only)
    return AlterConfigsResponse(
        responses=[
            AlterConfigsResourceResponse(
                error_code=ErrorCode.NONE if refused is None else refused.code,
                error_message=None if refused is None else refused.message,
                resource_type=_answered_type(each.kind, call),
                resource_name=each.name,
            )
            for each, refused in done
        ]
    )


def alteration(resource: AlterConfigsResource) -> Alteration:
    """What the request wants of one resource."""
    changes = [Change(config.name, Operation.SET, config.value) for config in resource.configs]
    return Alteration(resource.resource_type, resource.resource_name, changes, replaces=True)


def _answered_type(kind: int, call: Call) -> int:
    """The type that the answer has: up to 2.5, 0 for an unknown one."""
    profile = call.profile
    return kind if profile.alter_configs.unknown_type_kept else resource_as_read(call.broker, kind, "")[0]
