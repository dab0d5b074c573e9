"""AllocateProducerIds, key 67, from a client: a broker asks the controller for a block of producer ids (KIP-730).

Behaviour: the client is not a broker that the controller knows: 102; another broker than the controller answers 41;
a KRaft broker closes the connection.
Versions: 0.
"""

from fakekafka.errors import ErrorCode
from fakekafka.handlers.call import Call, Outcome
from fakekafka.wire.apis.allocate_producer_ids import AllocateProducerIdsRequest, AllocateProducerIdsResponse


def handle(request: AllocateProducerIdsRequest, call: Call) -> AllocateProducerIdsResponse | Outcome:
    """Refuse a client that acts as a broker."""
    error = call.profile.admin.allocate_producer_ids
    if error is None:
        return Outcome.CLOSE
    return AllocateProducerIdsResponse(error_code=error if call.reaches_controller else ErrorCode.NOT_CONTROLLER)
