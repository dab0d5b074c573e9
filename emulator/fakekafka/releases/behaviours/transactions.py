"""Transactions: what the coordinator does and refuses. What Produce refuses is in `produce`.

Not here, since every release does it: AddPartitionsToTxn without topics answers an empty list and begins a transaction;
WriteTxnMarkers from a client is obeyed; InitProducerId 3+ with only one of producer id and epoch gets 42. What comes
with an API version is in that API's handler: epochs that rise at the end of each transaction (EndTxn 5), and partitions
that join by being written to (Produce 12, TxnOffsetCommit 5; KIP-890).
"""

from functools import cached_property
from typing import Literal, TypeAlias, assert_never

from fakekafka.errors import ErrorCode
from fakekafka.releases.behaviours.behaviour import Behaviours, history

LoggedOrder: TypeAlias = Literal["scala 2.12", "scala 2.13", "scala 2.13 of java", "java"]
"""The sets in which releases keep the partitions of a transaction; the orders are in `transactions.map_order`."""


class TransactionsBehaviour(Behaviours):
    """The answers of the transaction coordinator (TransactionCoordinator, TransactionStateManager)."""

    unknown_partition_added: ErrorCode = history(
        {
            "0.8.0": ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
            "1.0": ErrorCode.NONE,
            "2.0": ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
        }
    )
    """AddPartitionsToTxn for a partition that does not exist, of a topic that does. Recorded from 0.11.0.3 to 4.3.1:
    transactions."""

    internal_topic_added: ErrorCode = history(
        {"0.8.0": ErrorCode.OPERATION_NOT_ATTEMPTED, "1.0": ErrorCode.TOPIC_AUTHORIZATION_FAILED}
    )
    """AddPartitionsToTxn 0 to 3 of `__consumer_offsets` or `__transaction_state` (KafkaApis.scala). Asked of 0.11.0.3
    to 4.3.1."""

    fenced: ErrorCode = history({"0.8.0": ErrorCode.INVALID_PRODUCER_EPOCH, "2.7": ErrorCode.PRODUCER_FENCED})
    """An old epoch, at an API's newest version; older versions keep 47, and Produce always does (KIP-588).
    Recorded from 0.11.0.3 to 4.3.1: transactions."""

    epoch_ahead: Literal["by state", "fenced"] = history({"0.8.0": "fenced", "0.11.0.2": "by state", "2.6": "fenced"})
    """EndTxn with an epoch above the coordinator's: it is refused; or accepted, as far as the state allows. An open
    transaction is then decided, but gets no marker, and the answer is 47: the transaction hangs. Recorded from 0.11.0.0
    to 4.3.1: transactions; the open transaction was asked of 2.3.1 and 3.9.1."""

    fence_keeps_epoch: bool = history({"0.8.0": True, "2.6": False})
    """Whether a producer whose transaction the coordinator aborted gets the new epoch from InitProducerId with its old
    one, as if it were repeating a request. Under transaction.version 2 see `fence_at_version_2`. Recorded from 2.7.2 to
    4.3.1: transactions; seen on 2.5.1 and 2.6.3, too."""

    fence_at_version_2: Literal["epoch rises twice", "epoch is kept"] = history(
        {"0.8.0": "epoch rises twice", "4.0.1": "epoch is kept"}
    )
    """Whether that producer gets the new epoch under transaction.version 2: no, because the epoch rises once for the
    fence and once for the end of the transaction (KAFKA-19367); or yes. Recorded from 4.0.0 and 4.3.1: transactions;
    4.0.1 and 4.1.1 were asked."""

    marker_of_unknown_partition: ErrorCode = history(
        {"0.8.0": ErrorCode.UNSUPPORTED_FOR_MESSAGE_FORMAT, "0.11.0.1": ErrorCode.UNKNOWN_TOPIC_OR_PARTITION}
    )
    """WriteTxnMarkers for a partition that does not exist (KAFKA-5610). Recorded from 0.11.0.0 to 4.3.1:
    transactions."""

    marker_named_twice: Literal["answered", "no answer"] = history({"0.8.0": "answered", "3.7": "no answer"})
    """WriteTxnMarkers whose marker names a partition that is led here more than once: it gets one marker, since they
    are put into a map; later releases then wait for as many results as there are names. Asked of 2.3.1, 2.8.2, 3.5.2,
    3.6.2, 3.7.2, 3.8.1, 3.9.1 and 4.3.1."""

    first_producer_id: Literal["waited for", "14 meanwhile"] = history({"0.8.0": "waited for", "3.6": "14 meanwhile"})
    """What InitProducerId answers before the broker has its first block of ids from the controller
    (RPCProducerIdManager; KAFKA-14694). Here it has one at once: `explanation` says so. 3.3.2, 3.5.2, 4.0.0 and 4.3.1
    were asked, 3.6.2 and 3.9.1 in both modes."""

    previous_id: Literal["of the last identity", "of the last change"] = history(
        {"0.8.0": "of the last identity", "4.1": "of the last change"}
    )
    """Which producer id counts as the one before: the id in use before the last InitProducerId, or before the last end
    of a transaction that made the epoch rise; or the id before any change of state (TransactionMetadata.scala,
    TransactionMetadata.java)."""

    empty_keeps_start: bool = history({"0.8.0": True, "4.1": False})
    """Whether DescribeTransactions still says, after InitProducerId, when the previous transaction began. Recorded from
    3.2.3 to 4.3.1: transactions; the change came with the rewrite of TransactionMetadata in Java."""

    coordinator_epoch: Literal["at loading", "leader's"] = history({"0.8.0": "at loading"}, kraft={"2.8": "leader's"})
    """Which leader epoch of a partition of `__transaction_state` markers carry: that in which it was loaded; or, as the
    coordinator is notified of each (TransactionStateManager, BrokerMetadataPublisher.scala), the newest. Recorded from
    0.11.0.3 to 4.3.1: storage_txnindex."""

    ids_logged: bool = history({"0.8.0": False, "4.3": True})
    """Whether values of `__transaction_state` hold the previous and the next producer id, from version 1 on (KIP-890).
    Recorded from 4.0.0 and 4.3.1: transactions; 4.1.1 and 4.2.1 were asked. Recorded: internal_questions."""

    client_version_unwritten: Literal["left out", "35 and stuck"] = history(
        {"0.8.0": "left out", "4.0": "35 and stuck"}
    )
    """Under transaction.version 0 a value has no place for the client's version. What then becomes of requests with
    which a client shows that it has version 2 (EndTxn 5, Produce 12): they get 35, and the coordinator waits forever
    for the record, so that the id gets 51 until it is loaded again. Asked of 4.0.0 and 4.3.1."""

    logged_order: LoggedOrder = history(
        {"0.8.0": "scala 2.12", "2.4": "scala 2.13", "4.1": "scala 2.13 of java", "4.3": "java"}
    )
    """The order of a transaction's partitions in these values (`coordinators.transactions.map_order`). Recorded from
    3.2.3 to 4.3.1: transactions; more was asked of 0.11.0.3 to 4.3.1. Recorded: internal_questions."""

    late_order: Literal["map of all", "map of the late"] = history({"0.8.0": "map of all", "4.1": "map of the late"})
    """The order in which transactions are aborted that have been open for too long: that of the map of all that the
    broker knows, or of a mutable map of Scala into which they are copied (TransactionStateManager). Recorded from 2.3.1
    to 4.1.1: late_transactions.
    """

    newest_log_value: int = history({"0.8.0": 0, "3.4.1": 1})
    """The newest version of these values that is understood; others end the loading (KIP-915, TransactionLog.scala).
    Recorded from 3.4.1: loading_questions."""

    verified: Literal["nothing", "records", "records and offsets"] = history(
        {"0.8.0": "nothing", "3.6": "records", "3.7": "records and offsets"}
    )
    """The transactional appends for which a broker asks the coordinator whether the partition is in the transaction
    (KIP-890). Other appends are made without asking, and their transactions may hang. Recorded from 0.11.0.3 to 4.3.1:
    transactions."""

    @cached_property
    def verifies_records(self) -> bool:
        """Whether a broker asks before it appends records."""
        match self.verified:
            case "records" | "records and offsets":
                return True
            case "nothing":
                return False
            case word:
                assert_never(word)

    not_in_transaction: ErrorCode = history(
        {"0.8.0": ErrorCode.INVALID_TXN_STATE, "3.8": ErrorCode.TRANSACTION_ABORTABLE}
    )
    """The coordinator's answer to `verified` appends whose partition is not in the transaction; older versions of
    Produce and TxnOffsetCommit keep 48. Recorded from 3.6.2 to 4.3.1: transactions."""

    ids_taken_at_start: bool = history({"0.8.0": False, "0.11.0": True})
    """Whether a broker that takes producer ids from ZooKeeper takes its first block when it starts, under any
    inter-broker protocol below 3.0 (ProducerIdManager.scala). Recorded from 0.11.0.3: producer_ids_protocol."""

    missing_topic_explained: bool = history({"0.8.0": False, "3.0": True})
    """Whether DescribeProducers gives a message with error 3 if the topic is unknown. Recorded from 2.8.2 to 4.3.1:
    transactions; 3.0.2 was asked."""

    described_names_checked: bool = history({"0.8.0": False, "3.0": True})
    """Whether DescribeProducers answers 17, with a message, for a name that no topic may have. Recorded from 2.8.2 to
    4.3.1: odd_requests."""

    added_kept: Literal["as a map", "as a list"] = history({"0.8.0": "as a map", "3.5": "as a list"})
    """How a broker keeps the partitions of an AddPartitionsToTxn 0 to 3, and so answers them. A map forgets topics
    without partitions, and holds a topic or a partition that is named twice once. The list is kept only if all
    partitions have the same error. Recorded from 1.1.1 to 4.3.1: odd_requests."""

    added_begin_at: Literal["any sequence", "0"] = history({"0.8.0": "any sequence", "4.1": "0"})
    """The sequence with which a producer that is unknown to a partition may begin, if Produce 12 adds the partition to
    the transaction (VerificationStateEntry). 4.0.0 to 4.3.1 were asked. Recorded: late_questions."""

    refusal_words: Literal["always", "for 48 and 19"] = history({"0.8.0": "always", "3.7": "for 48 and 19"})
    """The errors in the coordinator's answer to `verified` appends for which Produce gives a message
    (ReplicaManager.scala). 3.6.2 to 4.3.1 were asked."""

    loading_offsets: ErrorCode = history(
        {"0.8.0": ErrorCode.COORDINATOR_LOAD_IN_PROGRESS, "2.6": ErrorCode.COORDINATOR_NOT_AVAILABLE}
    )
    """TxnOffsetCommit 0 and 1 while the group is loaded: some producers fail over 14 (KAFKA-7296)."""

    commit_membership: Literal["not checked", "what is given", "as a whole"] = history(
        {"0.8.0": "not checked", "2.5": "what is given", "3.0": "as a whole"}
    )
    """How TxnOffsetCommit 3+ checks generation, member and instance (KIP-447): each that is given; or all of them if
    one is given. Recorded from 2.7.2 to 4.3.1: transactions; more was asked of 2.5.1, 2.8.2, 3.0.2 and 3.9.1."""

    timeout_fences: bool = history({"0.8.0": False, "0.11.0.2": True})
    """Whether the end of a transaction that took too long fences its producer, by a new epoch (KAFKA-6119); if not, the
    producer may go on, and timeouts are checked once a minute whatever the broker's properties say. Recorded from
    0.11.0.1 and 0.11.0.2: timeout_questions."""

    endless_timeout: bool = history({"0.8.0": False, "4.1": True})
    """Whether a transaction with the largest possible timeout never times out (KIP-939)."""
