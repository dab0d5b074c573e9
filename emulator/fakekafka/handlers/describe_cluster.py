"""DescribeCluster, key 60: the cluster's id, its controller, its brokers (KIP-700).

Behaviour: a broker knows only brokers; a request for controllers is refused. Versions: 0 - 2. v1: which kind of nodes
is wanted (KIP-919). v2: also brokers that are down, with the addresses that they had (KIP-1073).
"""

from fakekafka.admin.authorized import CLUSTER_OPERATIONS
from fakekafka.cluster.broker import Broker
from fakekafka.errors import ErrorCode
from fakekafka.handlers.call import Call
from fakekafka.handlers.orders.metadata import listed_brokers, listed_registrations
from fakekafka.ids import OPERATIONS_NOT_ASKED_FOR
from fakekafka.wire.apis.describe_cluster import DescribeClusterBroker, DescribeClusterRequest, DescribeClusterResponse

BROKERS, CONTROLLERS = 1, 2


def handle(request: DescribeClusterRequest, call: Call) -> DescribeClusterResponse:
    """The cluster as it is."""
    if request.endpoint_type == CONTROLLERS:
        words = "The request was sent to an endpoint of type BROKER, but we wanted an endpoint of type CONTROLLER"
        return DescribeClusterResponse(error_code=ErrorCode.MISMATCHED_ENDPOINT_TYPE, error_message=words, brokers=[])
    if request.endpoint_type != BROKERS:
        words = f"Unsupported endpoint type {request.endpoint_type}"
        return DescribeClusterResponse(error_code=ErrorCode.UNSUPPORTED_ENDPOINT_TYPE, error_message=words, brokers=[])
    cluster, asked = call.broker.cluster, request.include_cluster_authorized_operations
    brokers = listed_registrations(call) if request.include_fenced_brokers else listed_brokers(call)
    return DescribeClusterResponse(
        cluster_id=cluster.id,
        controller_id=cluster.shown_controller_id,
        brokers=[_row(broker, call) for broker in brokers],
        cluster_authorized_operations=CLUSTER_OPERATIONS if asked else OPERATIONS_NOT_ASKED_FOR,
    )


def _row(broker: Broker, call: Call) -> DescribeClusterBroker:
    is_down = broker.node_id not in call.broker.cluster.brokers
    return DescribeClusterBroker(
        broker_id=broker.node_id, **call.endpoint_of(broker), rack=broker.shown_rack, is_fenced=is_down
    )
