"""InitProducerId, key 22: a producer id, for producers that number their records.

Versions: 0 - 6.

Behaviour
* Without a transactional id every call gets a new id with epoch 0, whatever id the producer had.
* An id without an epoch, or an epoch without an id, is refused with 42, and so is an empty transactional id.

Version notes
* 3: the producer tells the id and epoch that it has (KIP-360). 6: two-phase commit (KIP-939).

Not done: transactional ids, as long as the broker has no transaction coordinator. They get error 35.
"""

from fakekafka.errors import ErrorCode
from fakekafka.handlers.call import Call
from fakekafka.ids import NO_PRODUCER_EPOCH, NO_PRODUCER_ID
from fakekafka.wire.apis.init_producer_id import InitProducerIdRequest, InitProducerIdResponse


def handle(request: InitProducerIdRequest, call: Call) -> InitProducerIdResponse:
    """A new producer id."""
    has_id, has_epoch = request.producer_id != NO_PRODUCER_ID, request.producer_epoch != NO_PRODUCER_EPOCH
    if has_id != has_epoch or request.transactional_id == "":
        return _refused(ErrorCode.INVALID_REQUEST)
    if request.transactional_id is not None:
        return _refused(ErrorCode.UNSUPPORTED_VERSION)
    return InitProducerIdResponse(producer_id=call.broker.producer_ids.next(), producer_epoch=0)


def _refused(error: ErrorCode) -> InitProducerIdResponse:
    return InitProducerIdResponse(error_code=error, producer_id=NO_PRODUCER_ID, producer_epoch=NO_PRODUCER_EPOCH)
