"""UnregisterBroker, key 64: have the controllers forget a broker (KIP-500).

Behaviour: a broker that has stopped is forgotten, until it starts again; one that is not registered gets 102.
Versions: 0.
Not done: unregistering a broker that runs, which is refused with -1 and says so. Real controllers do it.
"""

from fakekafka.errors import ErrorCode
from fakekafka.handlers.call import Call
from fakekafka.wire.apis.unregister_broker import UnregisterBrokerRequest, UnregisterBrokerResponse


def handle(request: UnregisterBrokerRequest, call: Call) -> UnregisterBrokerResponse:
    """Forget a broker."""
    cluster = call.broker.cluster
    if request.broker_id in cluster.brokers:
        words = "fakekafka does not unregister brokers that run"
        return UnregisterBrokerResponse(error_code=ErrorCode.UNKNOWN_SERVER_ERROR, error_message=words)
    if request.broker_id in cluster.known_brokers:
        cluster.known_brokers.remove(request.broker_id)
        return UnregisterBrokerResponse(error_message="")
    words = call.profile.words.not_registered.format(id=request.broker_id)
    return UnregisterBrokerResponse(error_code=ErrorCode.BROKER_ID_NOT_REGISTERED, error_message=words)
