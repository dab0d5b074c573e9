"""Fetch: who may ask, in which order partitions are answered, what errors look like."""

from typing import Literal

from fakekafka.errors import ErrorCode
from fakekafka.releases.behaviours.behaviour import Behaviours, history


class FetchBehaviour(Behaviours):
    """The answers of Fetch (KafkaApis, ReplicaManager)."""

    stranger_replica: ErrorCode | None = history(
        {
            "0.8.0": ErrorCode.UNKNOWN_SERVER_ERROR,
            "1.0": None,
            "3.3": ErrorCode.NOT_LEADER_OR_FOLLOWER,
        }
    )
    """A replica id that is no follower of the partition: its error, or None for error 0 with the high watermark and
    no records. Ids below -1 read like a consumer. Recorded from 0.8.2.2 to 4.3.1: fetch_manners; 3.3:
    Partition.scala."""

    own_replica: ErrorCode | None = history(
        {
            "0.8.0": ErrorCode.UNKNOWN_SERVER_ERROR,
            "2.4": None,
            "3.3": ErrorCode.NOT_LEADER_OR_FOLLOWER,
        }
    )
    """The leader's own id as replica id; the error -1 also stands at the top of the answer (version 7+).
    Recorded from 0.8.2.2 to 4.3.1: fetch_manners."""

    unknown_isolation: Literal["close", "error"] = history({"0.8.0": "close", "2.7": "error"})
    """Isolation level 2: the connection closes; or error -1 on every partition and at the top, from version 13 on
    at the top only. The check left the parser with the generated classes (KAFKA-9629). Recorded from 0.11.0.3 to 4.3.1:
    fetch_manners."""

    request_error_records: Literal["empty", "null"] = history({"0.8.0": "empty", "3.0": "null", "4.0": "empty"})
    """The records of a partition when the whole request failed. Recorded from 0.11.0.3 to 4.3.1: fetch_manners,
    isolation level 2."""

    conversion_error_records: Literal["empty", "null"] = history({"0.8.0": "empty", "3.0": "null"})
    """The records of a partition that could not be converted (errors 76 and 35). Recorded from 2.2.2 to 3.8.1:
    fetch_formats."""

    error_aborted_transactions: Literal["null", "empty"] = history({"0.8.0": "null", "3.0": "empty"})
    """The aborted transactions of a partition with an error. Recorded from 0.11.0.3 to 4.3.1: fetch_manners."""

    order: Literal["by topic", "errors in place", "errors last"] = history(
        {"0.8.0": "by topic", "0.10.1": "errors in place", "2.0": "errors last"}
    )
    """Order of the answer: that of a hash map of topics; that of the request, unknown topics last (KIP-74); or that of
    the request, every partition with an error behind the good ones. Neighbours of one topic share an entry.
    Recorded from 0.8.2.2 to 4.3.1: fetch_manners."""

    duplicate_partition: Literal["once", "each"] = history({"0.8.0": "once", "0.10.1": "each", "0.10.2": "once"})
    """How often a partition that was asked for twice is answered. Recorded from 0.10.0.1 to 4.3.1: fetch_manners."""

    stable_offset_for_all: bool = history({"0.8.0": False, "2.1": True})
    """Does a read_uncommitted answer carry the last stable offset, or -1? Recorded from 0.11.0.3 to 4.3.1:
    fetch_manners."""

    broker_limits_response: bool = history({"0.8.0": False, "2.5": True})
    """Does the broker's fetch.max.bytes bound every answer, those of versions 0 to 2 included (KIP-541)? Is the minimum
    of bytes to wait for cut to that bound?"""

    reads_past_high_watermark: Literal["error", "empty"] = history({"0.8.0": "error", "0.10.0": "empty"})
    """An offset between high watermark and log end: error -1 (LogSegment.scala throws), or nothing yet. Not to be seen
    on a partition with one replica."""

    skips_segment_end: bool = history({"0.8.0": False, "0.8.1": True})
    """Does a read that finds nothing in its segment go on in the next one (Log.scala)?"""

    followers_may_serve: bool = history({"0.8.0": False, "2.4": True})
    """May a consumer read from a follower (KIP-392)?"""

    session_shards: int = history({"0.8.0": 1, "3.8": 8})
    """Parts of the cache of fetch sessions, each with its share of the slots (KAFKA-9401, FetchSession.scala)."""

    directories_failed: Literal["halt", "error 56"] = history({"0.8.0": "halt", "1.0": "error 56"})
    """What a broken log directory does: the broker stops; or its partitions answer 56, as 6 below Fetch version 6
    (KIP-112)."""
