"""InitProducerId, key 22: a producer id, for producers that number their records, and an epoch for transactional ones.

Versions: 0 - 6.

Behaviour
* Without a transactional id every call gets a new id with epoch 0, whatever id the producer had.
* With one, the id stays and the epoch rises; an open transaction is aborted first (`coordinators.transactions`).
* An id without an epoch, or an epoch without an id, is refused with 42, and so is an empty transactional id.

Version notes
* 3: the producer sends its current id and epoch (KIP-360). 4: an old epoch gets 90 instead of 47 (KIP-588).
* 6: two phases (KIP-939): without a timeout if `transaction.two.phase.commit.enable` says so, otherwise 53; a
  transaction that is to be kept gets 35.

Not done: nothing.
"""

from typing import Final, TypeAlias

from fakekafka.errors import ErrorCode
from fakekafka.handlers.call import Call
from fakekafka.ids import NO_PRODUCER_EPOCH, NO_PRODUCER_ID, ProducerEpoch, ProducerId
from fakekafka.wire.apis.init_producer_id import InitProducerIdRequest, InitProducerIdResponse

FIRST_WITH_FENCED: Final = 4

Answer: TypeAlias = tuple[ErrorCode, ProducerId, ProducerEpoch]


def handle(request: InitProducerIdRequest, call: Call) -> InitProducerIdResponse:
    """Hand out a producer id and an epoch."""
    error, producer_id, epoch = _initialised(request, call)
    if error is ErrorCode.PRODUCER_FENCED and call.version < FIRST_WITH_FENCED:
        error = ErrorCode.INVALID_PRODUCER_EPOCH
    return InitProducerIdResponse(error_code=error, producer_id=producer_id, producer_epoch=epoch)


def _initialised(request: InitProducerIdRequest, call: Call) -> Answer:
    has_id, has_epoch = request.producer_id != NO_PRODUCER_ID, request.producer_epoch != NO_PRODUCER_EPOCH
    if has_id != has_epoch or request.transactional_id == "":
        return _refused(ErrorCode.INVALID_REQUEST)
    if request.transactional_id is None:
        return ErrorCode.NONE, call.broker.producer_ids.next(), 0
    if request.enable2_pc and not call.broker.config.bool("transaction.two.phase.commit.enable"):
        return _refused(ErrorCode.TRANSACTIONAL_ID_AUTHORIZATION_FAILED)
    if request.keep_prepared_txn:
        return _refused(ErrorCode.UNSUPPORTED_VERSION)
    from fakekafka.coordinators.transactions.transaction import ProducerIdAndEpoch  # few producers need it

    timeout_ms = None if request.enable2_pc else request.transaction_timeout_ms
    known = ProducerIdAndEpoch(request.producer_id, request.producer_epoch) if has_id else None
    return call.transactions.initialise(request.transactional_id, timeout_ms, known)


def _refused(error: ErrorCode) -> Answer:
    return error, NO_PRODUCER_ID, NO_PRODUCER_EPOCH
