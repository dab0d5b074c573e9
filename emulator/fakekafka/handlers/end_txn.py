"""EndTxn, key 26: commit or abort a transaction.

Versions: 0 - 5.

Behaviour: success means that the decision has been written. The markers are written at once, as far as they can be.

Version notes
* 2: an old epoch gets 90 instead of 47 (KIP-588).
* 5: the producer's epoch rises with every transaction, and the answer has it (KIP-890).

Not done: nothing.
"""

from typing import Final

from fakekafka.coordinators.transactions.transaction import ProducerIdAndEpoch
from fakekafka.errors import ErrorCode
from fakekafka.handlers.call import Call
from fakekafka.handlers.refusal import refusal
from fakekafka.wire.apis.end_txn import EndTxnRequest, EndTxnResponse
from fakekafka.wire.message import Response

FIRST_WITH_FENCED: Final = 2
FIRST_WITH_RISING_EPOCHS: Final = 5


def handle(request: EndTxnRequest, call: Call) -> Response:
    """End the producer's transaction."""
    coordinator = call.transactions
    if not coordinator.is_allowed:
        return refusal(request, call.version, ErrorCode.UNSUPPORTED_VERSION)
    producer = ProducerIdAndEpoch(request.producer_id, request.producer_epoch)
    rises = call.version >= FIRST_WITH_RISING_EPOCHS
    error, producer_id, epoch = coordinator.end(request.transactional_id, producer, request.committed, rises)
    if error is ErrorCode.PRODUCER_FENCED and call.version < FIRST_WITH_FENCED:
        error = ErrorCode.INVALID_PRODUCER_EPOCH
    return EndTxnResponse(error_code=error, producer_id=producer_id, producer_epoch=epoch)
