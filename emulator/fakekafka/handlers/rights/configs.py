"""Rights for the configs of topics, brokers and groups: each resource is refused separately.

A type that the release does not know is refused as such, whoever asks; if it fails the whole request, it does so before
rights are checked (recorded from 1.1.1: random_rights). From 3.2 on brokers also find other mistakes before they check
rights: see `fails_first` (recorded from 3.4.1 to 4.3.1: random_rights).
"""

from collections import Counter
from collections.abc import Callable
from typing import Any, Final

from fakekafka.admin.alteration import fails_first
from fakekafka.admin.altered_resources import Alteration
from fakekafka.admin.resources import is_known
from fakekafka.errors import ErrorCode
from fakekafka.handlers import alter_configs as replacing
from fakekafka.handlers import incremental_alter_configs as incremental
from fakekafka.handlers.call import Call, Result
from fakekafka.handlers.rights import Guard, Handle
from fakekafka.handlers.rights.parts import CLUSTER_ERROR, GROUP_ERROR, NONE, may_group, on_cluster, split
from fakekafka.security.acl import Operation, ResourceType

TOPIC, BROKER, LOGGER, CLIENT_METRICS, GROUP = 2, 4, 8, 16, 32
"""ConfigResource.Type."""
OF_CLUSTER: Final = (BROKER, LOGGER, CLIENT_METRICS)


def _refusal(call: Call, operation: Operation, resource: Any) -> ErrorCode:
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


def _topic_refusal(call: Call, operation: Operation, name: str) -> ErrorCode:
    """The error for a topic whose configs the client may not use. Only then does it matter whether it may describe the
    topic.
    """
    if call.would_allow(operation, ResourceType.TOPIC, name):
        return NONE
    return call.topic_refusal(operation, name)


def describe_configs(request: Any, call: Call, handle: Handle) -> Result:
    """DescribeConfigs on each resource."""
    if not _all_known(request, call):
        return handle(request, call)
    return split(
        request, call, handle, "resources", "results", lambda each: _refusal(call, Operation.DESCRIBE_CONFIGS, each)
    )


def _all_known(request: Any, call: Call) -> bool:
    """Whether no resource fails the others by its type."""
    return all(is_known(call.profile, resource.resource_type) for resource in request.resources)


def _altering(alteration: Callable[[Any], Alteration]) -> Guard:
    """AlterConfigs on each resource."""

    def check(request: Any, call: Call, handle: Handle) -> Result:
        first = call.profile.alter_configs.checked_first
        if not first and not _all_known(request, call):
            return handle(request, call)
        named = Counter((each.resource_type, each.resource_name) for each in request.resources)

        def refusal_of(resource: Any) -> ErrorCode:
            error = _refusal(call, Operation.ALTER_CONFIGS, resource)
            if not error or not first:
                return error
            twice = named[resource.resource_type, resource.resource_name] > 1
            return NONE if twice or fails_first(call.broker, alteration(resource)) else error

        def complete(row: Any) -> None:
            if first and row.resource_type == LOGGER:
                row.error_message = None

        return split(request, call, handle, "resources", "responses", refusal_of, refused_row=complete)

    return check


alter_configs = _altering(replacing.alteration)
incremental_alter_configs = _altering(incremental.alteration)
list_config_resources = on_cluster(Operation.DESCRIBE_CONFIGS)
