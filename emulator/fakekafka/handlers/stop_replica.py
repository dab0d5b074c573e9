"""StopReplica, key 5, from a client: under ZooKeeper, a controller takes partitions from a broker.

Behaviour: the client is not the controller, so its epoch is stale: 11.
Versions: 0 - 4, all alike.
Not done: obeying a client that knows the controller's epoch.
"""

from fakekafka.errors import ErrorCode
from fakekafka.handlers.call import Call
from fakekafka.wire.apis.stop_replica import StopReplicaRequest, StopReplicaResponse


def handle(request: StopReplicaRequest, call: Call) -> StopReplicaResponse:
    """Refuse the request."""
    return StopReplicaResponse(error_code=ErrorCode.STALE_CONTROLLER_EPOCH, partition_errors=[])
