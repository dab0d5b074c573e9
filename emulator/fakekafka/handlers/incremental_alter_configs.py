"""IncrementalAlterConfigs, key 44: set, delete, append to and subtract from configs of topics, brokers … (KIP-339).

Behaviour: each resource is handled separately; configs that are not named stay.
Versions: 0 - 1, both alike.
Not done: policies; log levels. An unknown operation gets -1, as from a real broker; in 3.3 and 3.4 it also makes a real
KRaft controller resign.
"""

from fakekafka.admin.alteration import alter
from fakekafka.admin.altered_resources import Alteration
from fakekafka.admin.config_changes import Change
from fakekafka.errors import ErrorCode
from fakekafka.handlers.call import Call, Result, stepwise
from fakekafka.pieces import Stepwise
from fakekafka.wire.apis.incremental_alter_configs import (
    AlterConfigsResource,
    AlterConfigsResourceResponse,
    IncrementalAlterConfigsRequest,
    IncrementalAlterConfigsResponse,
)


@stepwise
def handle(request: IncrementalAlterConfigsRequest, call: Call) -> Stepwise[Result]:
    """Alter what can be altered."""
    wanted = [alteration(resource) for resource in request.resources]
    done = yield from alter(call.broker, wanted, validate_only=request.validate_only)
    return IncrementalAlterConfigsResponse(
        responses=[
            AlterConfigsResourceResponse(
                error_code=ErrorCode.NONE if refused is None else refused.code,
                error_message=None if refused is None else refused.message,
                resource_type=each.kind,
                resource_name=each.name,
            )
            for each, refused in done
        ]
    )


def alteration(resource: AlterConfigsResource) -> Alteration:
    """What the request wants of one resource."""
    changes = [Change(config.name, config.config_operation, config.value) for config in resource.configs]
    return Alteration(resource.resource_type, resource.resource_name, changes, replaces=False)
