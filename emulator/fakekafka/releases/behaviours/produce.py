"""Produce: what a broker does with bad record bytes, and what refusals look like.

Three generations of record sets: versions 0 to 2 take formats 0 and 1 as they come; versions 3+ want one batch of
format 2. What a log knows about producers and their sequences is in `log`, transactions are in `transactions`.
"""

from functools import cached_property
from typing import Literal, assert_never

from fakekafka.errors import ErrorCode
from fakekafka.releases.behaviours.behaviour import Behaviours, history


class ProduceBehaviour(Behaviours):
    """The answers of Produce (KafkaApis, ReplicaManager, LogValidator)."""

    null_records: Literal["close", "silent", "answered", "answered twice", "hang"] = history(
        {
            "0.8.0": "close",
            "0.9.0": "silent",
            "0.10.0": "close",
            "0.10.2.0": "answered",
            "0.10.2.1": "close",
            "2.8": "answered twice",
            "3.8": "hang",
        }
    )
    """A partition with null for records: error -1 for it (0.10.2.0); two answers to one request, then close (2.8 to
    3.7; a real broker closes before the first is out now and then: asked of 2.8.2, 3.1.0 and 3.1.2 eight times a
    version); or never an answer while the connection stays open. Recorded from 0.8.2.2 to 4.3.1: produce_refusals."""

    @cached_property
    def answers_null_twice(self) -> bool:
        """Whether the partition is answered twice."""
        match self.null_records:
            case "answered twice":
                return True
            case "close" | "silent" | "answered" | "hang":
                return False
            case word:
                assert_never(word)

    malformed_entry: Literal["answered", "close"] = history({"0.8.0": "answered", "2.1.1": "close", "2.8": "answered"})
    """A set of version 0 to 2 whose first entry is cut or of impossible size (KAFKA-7549). Recorded from 0.8.2.2 to
    3.9.1: produce_refusals."""

    malformed_batch: Literal["close", "answered"] = history({"0.8.0": "close", "2.8": "answered"})
    """A set of version 3+ whose first batch is cut or of impossible size. Answered with 87; or with 2 if the size is
    below 14 or the magic above 2. Recorded from 0.11.0.3 to 4.3.1: produce_refusals."""

    not_one_batch: ErrorCode | None = history(
        {"0.8.0": None, "2.1.1": ErrorCode.CORRUPT_MESSAGE, "2.4": ErrorCode.INVALID_RECORD}
    )
    """Version 3+ with a second batch, or one of another format. None: the connection closes, as it then does for zstd
    below version 7 (KAFKA-7549). Recorded from 0.11.0.3 to 4.3.1: produce_refusals."""

    refusal_log_start: Literal["-1", "partition's"] = history({"0.8.0": "-1", "2.4": "partition's"})
    """Log start offset beside the errors 32 and 2 or 87 of a record. Recorded from 1.1.1 to 4.3.1: produce_timestamps;
    2.4: ReplicaManager.scala."""

    odd_acks: ErrorCode | None = history({"0.8.0": None, "0.9.0": ErrorCode.INVALID_REQUIRED_ACKS})
    """acks other than -1, 0 and 1. None: waits for that many replicas. Recorded from 0.8.2.2 to 4.3.1:
    produce_refusals."""

    looked_up_first: Literal["nothing", "topic", "partition"] = history(
        {"0.8.0": "nothing", "0.10.1": "topic", "2.0": "partition"}
    )
    """What must exist, or gets 3, before acks and internal topics are checked; a partition must exist afterwards
    anyway. Recorded from 0.10.0.1 to 2.0.0: odd_requests."""

    null_client_id_fails: bool = history({"0.8.0": False, "0.9.0": True, "0.10.0": False})
    """Whether a request of a client whose id is null is answered with -1, in the layout of version 0, though its
    records were appended. Recorded from 0.8.2.2 to 0.10.0.0: null_client_id."""

    closed_topics: Literal["none", "internal", "only by admin client"] = history(
        {"0.8.0": "none", "0.8.2": "internal", "0.9.0": "only by admin client"}
    )
    """Internal topics that Produce refuses with 17: there are none; all of them; or all unless the client id is
    `__admin_client`. Recorded from 0.8.2.2 to 4.3.1: produce_refusals."""

    transactional_id_checked: bool = history({"0.8.0": False, "2.1.1": True})
    """Whether a transactional batch in a request without a transactional id gets 53. Recorded from 1.1.1 to 4.3.1:
    produce_refusals."""

    not_hosted: ErrorCode = history(
        {"0.8.0": ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, "2.0": ErrorCode.NOT_LEADER_OR_FOLLOWER}
    )
    """A partition that exists on other brokers only. Asked of 0.11.0.3 to 2.8.2."""

    old_storage_error: ErrorCode = history(
        {"0.8.0": ErrorCode.NOT_LEADER_OR_FOLLOWER, "2.8": ErrorCode.KAFKA_STORAGE_ERROR}
    )
    """What versions 0 to 3, which are older than KAFKA_STORAGE_ERROR, answer instead (KIP-112). Asked of 1.1.1 to
    4.1.1. Recorded: offline_questions."""

    min_in_sync_capped: bool = history({"0.8.0": False, "3.7": True})
    """Whether a `min.insync.replicas` above the number of replicas counts as that number (KAFKA-15583)."""

    high_watermark_needs_min_in_sync: bool = history({"0.8.0": False, "3.7": True})
    """Whether the high watermark stands still while fewer replicas than `min.insync.replicas` are in sync: appends that
    wait for it then end with 7 instead of 20 (KAFKA-15583). 2.8.2, 3.9.1 and 4.3.1 are in
    tests/golden/trio_recordings."""

    waits_for_single_replica: bool = history({"0.8.0": False, "0.8.2": True})
    """Whether acks above 1 may wait where no partition of the request has a second replica (KafkaApis.scala). Recorded
    from 0.8.2.2: produce_refusals."""

    delayed_base_offset: Literal["first", "behind last"] = history({"0.8.0": "behind last", "0.8.2": "first"})
    """The offset in an answer that waited for replicas: of the set's first record, or of what will follow it
    (KafkaApis.scala, DelayedProduce)."""

    record_errors_below_8: Literal["left out", "fail the answer"] = history(
        {"0.8.0": "left out", "2.4": "fail the answer", "2.4.1": "left out"}
    )
    """Bad records in a request whose answer has no room for details: the answer leaves them out; or all its partitions
    get -1, though good ones were appended (KAFKA-9492)."""

    several_transactions: Literal["taken", "error 49"] = history({"0.8.0": "taken", "3.6": "error 49"})
    """Transactional sets of more than one producer in a request (KIP-890, ReplicaManager.scala)."""

    open_transaction_of: Literal["producer", "producer and epoch"] = history(
        {"0.8.0": "producer", "4.0": "producer and epoch"}
    )
    """Whose open transaction in a partition makes it unnecessary to ask whether the partition is in it (KIP-890).
    Recorded from 3.9.1 to 4.0.0: produce_refusals, an older epoch."""
