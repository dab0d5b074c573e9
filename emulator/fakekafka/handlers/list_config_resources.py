"""ListConfigResources, key 74: what has configs (KIP-1142); up to 4.0 it is ListClientMetricsResources (KIP-1000).

Behaviour: every broker, with its loggers, and every topic has configs; groups and client metrics do once they have been
set.
Versions: 0 - 1.
v0: client metrics only. v1: any types; an empty list asks for all.
"""

from fakekafka.admin.resources import ResourceType
from fakekafka.errors import ErrorCode
from fakekafka.handlers.call import Call
from fakekafka.jvm.maps import MapKind, texts_in_order
from fakekafka.wire.apis.list_config_resources import (
    ConfigResource,
    ListConfigResourcesRequest,
    ListConfigResourcesResponse,
)


def handle(request: ListConfigResourcesRequest, call: Call) -> ListConfigResourcesResponse:
    """List their names and types."""
    wanted = set(request.resource_types or ResourceType) if call.version else {int(ResourceType.CLIENT_METRICS)}
    if not wanted <= set(ResourceType):
        return ListConfigResourcesResponse(error_code=ErrorCode.UNSUPPORTED_VERSION, config_resources=[])
    return ListConfigResourcesResponse(
        config_resources=[
            ConfigResource(resource_name=name, resource_type=kind)
            for kind, names in _names(call).items()
            for name in names
            if kind in wanted
        ]
    )


def _names(call: Call) -> dict[ResourceType, list[str]]:
    cluster = call.broker.cluster
    brokers = [str(node_id) for node_id in cluster.brokers]
    return {
        ResourceType.BROKER_LOGGER: brokers,
        ResourceType.BROKER: brokers,
        ResourceType.TOPIC: list(cluster.topics),
        ResourceType.GROUP: list(cluster.settings.groups),
        ResourceType.CLIENT_METRICS: texts_in_order(cluster.settings.client_metrics, MapKind.JAVA_CONCURRENT),
    }
