"""Transactions: what the coordinator refuses, and with which error. What Produce refuses is in `produce`.

The same in every release, so not here: AddPartitionsToTxn without topics answers an empty list; WriteTxnMarkers from a
client is obeyed; InitProducerId 3+ with only one of producer id and epoch gets 42.
"""

from typing import Literal

from fakekafka.errors import ErrorCode
from fakekafka.releases.behaviours.behaviour import Behaviours, history


class TransactionsBehaviour(Behaviours):
    """The answers of the transaction coordinator (TransactionCoordinator)."""

    unknown_partition_added: ErrorCode = history(
        {
            "0.8.0": ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
            "1.0": ErrorCode.NONE,
            "2.0": ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
        }
    )
    """AddPartitionsToTxn of a partition that is not there. Recorded from 0.11.0.3 to 4.3.1: transactions."""

    epoch_ahead: ErrorCode = history({"0.8.0": ErrorCode.INVALID_TXN_STATE, "2.6": ErrorCode.INVALID_PRODUCER_EPOCH})
    """EndTxn with an epoch above the coordinator's. Recorded from 0.11.0.3 to 4.3.1: transactions."""

    fenced: ErrorCode = history({"0.8.0": ErrorCode.INVALID_PRODUCER_EPOCH, "2.7": ErrorCode.PRODUCER_FENCED})
    """An old epoch, at an API's newest version; older versions keep 47, and so does Produce always (KIP-588).
    Recorded from 0.11.0.3 to 4.3.1: transactions."""

    epoch_after_timeout_abort: Literal["owner goes on", "error 47", "error 90"] = history(
        {"0.8.0": "owner goes on", "2.6": "error 47", "2.7": "error 90", "4.0.1": "owner goes on"}
    )
    """The owner's InitProducerId with its old epoch, after the coordinator aborted for the timeout. Recorded from 2.7.2
    to 4.3.1: transactions; seen on 2.5.1, 2.6.3 and 4.0.1, too."""

    stale_offset_commit: ErrorCode = history({"0.8.0": ErrorCode.NONE, "3.7": ErrorCode.INVALID_PRODUCER_EPOCH})
    """TxnOffsetCommit with an old epoch; error 0 means that the offsets are appended. Recorded from 2.0.1 to 4.3.1:
    transactions."""

    unadded_group: ErrorCode = history(
        {"0.8.0": ErrorCode.NONE, "3.7": ErrorCode.INVALID_TXN_STATE, "3.8": ErrorCode.TRANSACTION_ABORTABLE}
    )
    """TxnOffsetCommit below version 5 for a group that the transaction was never told of; taken, its offsets stay
    pending. Version 5 adds the group (KIP-890). Recorded from 2.0.1 to 4.3.1: transactions."""

    unadded_partition: ErrorCode = history(
        {"0.8.0": ErrorCode.NONE, "3.6": ErrorCode.INVALID_TXN_STATE, "3.8": ErrorCode.TRANSACTION_ABORTABLE}
    )
    """Transactional Produce to a partition that was not added, at the newest version below 12; below version 11 it
    stays 48. Version 12 adds it (KIP-890). Recorded from 0.11.0.3 to 4.3.1: transactions."""

    verified_only: ErrorCode = history({"0.8.0": ErrorCode.INVALID_TXN_STATE, "3.8": ErrorCode.TRANSACTION_ABORTABLE})
    """AddPartitionsToTxn 4+ that only asks, and the partition is not in the transaction. Recorded from 3.6.2 to 4.3.1:
    transactions."""

    epoch_bumped_at_end: bool = history({"0.8.0": False, "4.0": True})
    """Does EndTxn 5+ raise the producer's epoch, take an abort of an empty transaction, and answer a retry with the old
    epoch as before (KIP-890, transaction.version 2)? Recorded from 4.0.0 to 4.3.1: transactions."""

    log_value_version: int = history({"0.8.0": 0, "4.0": 1})
    """Version of the values in `__transaction_state` (KIP-890). Recorded from 0.11.0.3 to 4.3.1: transactions."""
