"""UnregisterBroker, key 64: have the controllers forget a broker (KIP-500).

Behaviour: a broker is forgotten until it starts again; one that is not registered gets 102. One that still runs keeps
answering, but leads nothing, is in sync with nothing, and is not in the metadata (asked of 3.9.1 and 4.1.1).
Versions: 0.
"""

from fakekafka.cluster.leadership import broker_left
from fakekafka.errors import ErrorCode
from fakekafka.handlers.call import Call
from fakekafka.wire.apis.unregister_broker import UnregisterBrokerRequest, UnregisterBrokerResponse


def handle(request: UnregisterBrokerRequest, call: Call) -> UnregisterBrokerResponse:
    """Forget a broker."""
    cluster = call.broker.cluster
    if cluster.controller_has_failed:
        return UnregisterBrokerResponse(error_code=ErrorCode.NOT_CONTROLLER, error_message="")
    if request.broker_id not in cluster.known_brokers:
        words = call.profile.words.not_registered.format(id=request.broker_id)
        return UnregisterBrokerResponse(error_code=ErrorCode.BROKER_ID_NOT_REGISTERED, error_message=words)
    del cluster.known_brokers[request.broker_id]
    if request.broker_id in cluster.brokers:
        broker_left(cluster, request.broker_id, controlled=False)
    return UnregisterBrokerResponse(error_message="")
