"""UnregisterBroker, key 64: have the controllers forget a broker (KIP-500).

Behaviour: a broker that is not registered gets 102.
Versions: 0.
Not done: unregistering a broker that is there, which is refused with -1 and says so.
"""

from fakekafka.errors import ErrorCode
from fakekafka.handlers.call import Call
from fakekafka.wire.apis.unregister_broker import UnregisterBrokerRequest, UnregisterBrokerResponse


def handle(request: UnregisterBrokerRequest, call: Call) -> UnregisterBrokerResponse:
    """Refuse."""
    if request.broker_id in call.broker.cluster.brokers:
        words = "fakekafka does not unregister brokers that run"
        return UnregisterBrokerResponse(error_code=ErrorCode.UNKNOWN_SERVER_ERROR, error_message=words)
    words = call.profile.words.not_registered.format(id=request.broker_id)
    return UnregisterBrokerResponse(error_code=ErrorCode.BROKER_ID_NOT_REGISTERED, error_message=words)
