"""Rights for the configs of topics, brokers and groups: each resource is refused separately. A type that the release
does not know is refused as such, whoever asks; if it fails the whole request, it does so before rights are checked
(recorded from 1.1.1: random_rights).
"""

from collections.abc import Callable
from typing import Any, Final

from fakekafka.admin.resources import is_known
from fakekafka.errors import ErrorCode
from fakekafka.handlers.call import Call, Result
from fakekafka.handlers.rights import Guard, Handle
from fakekafka.handlers.rights.parts import CLUSTER_ERROR, GROUP_ERROR, NONE, may_group, on_cluster, split
from fakekafka.security.acl import Operation, ResourceType

TOPIC, BROKER, LOGGER, CLIENT_METRICS, GROUP = 2, 4, 8, 16, 32
"""ConfigResource.Type."""
OF_CLUSTER: Final = (BROKER, LOGGER, CLIENT_METRICS)


def _refusal(call: Call, operation: Operation) -> Callable[[Any], ErrorCode]:
    def refusal_of(resource: Any) -> ErrorCode:
        kind, name = resource.resource_type, resource.resource_name
        if not is_known(call.profile, kind):
            return NONE
        if kind == TOPIC:
            return _topic_refusal(call, operation, name)
        if kind in OF_CLUSTER:
            return NONE if call.authorized_on_cluster(operation) else CLUSTER_ERROR
        if kind == GROUP:
            return NONE if may_group(call, operation, name) else GROUP_ERROR
        return NONE

    return refusal_of


def _topic_refusal(call: Call, operation: Operation, name: str) -> ErrorCode:
    """The error for a topic whose configs the client may not use. Only then does it matter whether it may describe the
    topic.
    """
    if call.would_allow(operation, ResourceType.TOPIC, name):
        return NONE
    return call.topic_refusal(operation, name)


def _by_resource(answered: str, operation: Operation) -> Guard:
    def check(request: Any, call: Call, handle: Handle) -> Result:
        separate = operation is Operation.ALTER_CONFIGS and call.profile.alter_configs.checked_first
        if not separate and not all(is_known(call.profile, resource.resource_type) for resource in request.resources):
            return handle(request, call)
        return split(request, call, handle, "resources", answered, _refusal(call, operation))

    return check


describe_configs = _by_resource("results", Operation.DESCRIBE_CONFIGS)
alter_configs = incremental_alter_configs = _by_resource("responses", Operation.ALTER_CONFIGS)
list_config_resources = on_cluster(Operation.DESCRIBE_CONFIGS)
