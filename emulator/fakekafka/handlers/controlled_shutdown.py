"""ControlledShutdown, key 7, from a client: one broker asks the controller to let another one stop.

Behaviour: a broker that is not running gets 8; another broker than the controller answers 11, since the controller has
moved; a KRaft broker closes the connection.
Versions: 0 - 3, all alike.
Not done: a running broker gets the answer that nothing is left to do, and keeps running.
"""

from fakekafka.errors import ErrorCode
from fakekafka.handlers.call import Call, Outcome
from fakekafka.wire.apis.controlled_shutdown import ControlledShutdownRequest, ControlledShutdownResponse


def handle(request: ControlledShutdownRequest, call: Call) -> ControlledShutdownResponse | Outcome:
    """Answer a client that acts as a broker."""
    error = call.profile.admin.controlled_shutdown
    if error is None:
        return Outcome.CLOSE
    if not call.reaches_controller:
        return ControlledShutdownResponse(error_code=ErrorCode.STALE_CONTROLLER_EPOCH, remaining_partitions=[])
    is_there = request.broker_id in call.broker.cluster.brokers
    return ControlledShutdownResponse(error_code=ErrorCode.NONE if is_there else error, remaining_partitions=[])
