"""LeaderAndIsr, key 4, from a client: under ZooKeeper, a controller says which brokers lead.

Behaviour: the client is not the controller, so its epoch is stale: 11.
Versions: 0 - 7, all alike.
Not done: obeying a client that knows the controller's epoch.
"""

from fakekafka.errors import ErrorCode
from fakekafka.handlers.call import Call
from fakekafka.wire.apis.leader_and_isr import LeaderAndIsrRequest, LeaderAndIsrResponse


def handle(request: LeaderAndIsrRequest, call: Call) -> LeaderAndIsrResponse:
    """Refuse the request."""
    return LeaderAndIsrResponse(error_code=ErrorCode.STALE_CONTROLLER_EPOCH, partition_errors=[], topics=[])
