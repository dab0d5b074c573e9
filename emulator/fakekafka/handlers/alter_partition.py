"""AlterPartition (AlterIsr), key 56, from a client: a leader tells the controller which replicas are in sync (KIP-497).

Behaviour: the client is not a broker, so its epoch is stale: 77; another broker than the controller
answers 41; a KRaft broker closes the connection.
Versions: 0 - 3, all alike.
"""

from fakekafka.errors import ErrorCode
from fakekafka.handlers.call import Call, Outcome
from fakekafka.wire.apis.alter_partition import AlterPartitionRequest, AlterPartitionResponse


def handle(request: AlterPartitionRequest, call: Call) -> AlterPartitionResponse | Outcome:
    """Refuse a client that acts as a broker."""
    error = call.profile.admin.alter_partition
    if error is None:
        return Outcome.CLOSE
    return AlterPartitionResponse(error_code=error if call.reaches_controller else ErrorCode.NOT_CONTROLLER, topics=[])
