"""AddOffsetsToTxn, key 25: a group's commits join a transaction.

Versions: 0 - 4.

Behaviour: the partition of `__consumer_offsets` that the group belongs to joins the transaction.

Version notes
* 2: an old epoch gets 90 instead of 47 (KIP-588).

Not done: nothing.
"""

from typing import Final

from fakekafka.coordinators.transactions.transaction import ProducerIdAndEpoch
from fakekafka.errors import ErrorCode
from fakekafka.handlers.call import Call
from fakekafka.handlers.refusal import refusal
from fakekafka.state.topics import CONSUMER_OFFSETS
from fakekafka.wire.apis.add_offsets_to_txn import AddOffsetsToTxnRequest, AddOffsetsToTxnResponse
from fakekafka.wire.message import Response

FIRST_WITH_FENCED: Final = 2
CLIENT_VERSION: Final = 0
"""Clients of transaction version 2 no longer send this request."""


def handle(request: AddOffsetsToTxnRequest, call: Call) -> Response:
    """Add the group's partition."""
    coordinator = call.transactions
    if not coordinator.is_allowed:
        return refusal(request, call.version, ErrorCode.UNSUPPORTED_VERSION)
    producer = ProducerIdAndEpoch(request.producer_id, request.producer_epoch)
    place = CONSUMER_OFFSETS, call.groups.partition_of(request.group_id)
    error = coordinator.add_partitions(request.transactional_id, producer, [place], CLIENT_VERSION)
    if error is ErrorCode.PRODUCER_FENCED and call.version < FIRST_WITH_FENCED:
        error = ErrorCode.INVALID_PRODUCER_EPOCH
    return AddOffsetsToTxnResponse(error_code=error)
