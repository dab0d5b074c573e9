"""ListOffsets: which special times a release knows, and how it refuses.

Special times: -1 latest, -2 earliest, -3 largest timestamp (KIP-734), -4 earliest local (KIP-405), -5 latest tiered
(KIP-1005), -6 earliest pending upload (KIP-1023).
"""

from typing import Literal

from fakekafka.releases.behaviours.behaviour import Behaviours, history


class ListOffsetsBehaviour(Behaviours):
    """The answers of ListOffsets (KafkaApis, ReplicaManager)."""

    newest_special_time: int = history({"0.8.0": -2, "3.0": -3, "3.5": -4, "3.9": -5, "4.2": -6})
    """The lowest special time that is known; below it, see `special_times_checked`. KIP-734, KIP-405, KIP-1005,
    KIP-1023; recorded from 0.8.2.2 to 4.3.1: list_offsets. Recorded: late_questions."""

    special_times_checked: bool = history({"0.8.0": False, "3.9": True})
    """Whether a special time that is unknown, or too new for the request's version, is answered with error 35. If not,
    it is served in any version if the release knows it, and otherwise taken as a time: every record is later. Recorded
    from 0.8.2.2 to 4.3.1: list_offsets."""

    format_0_answers: tuple[int, ...] = history({"0.8.0": (-1, -2), "3.5": (-1, -2, -4), "3.9": (-1, -2)})
    """The times that a topic of format 0, which knows no times, answers; others get error 43. Recorded from 3.4.1 to
    3.9.1 under ZooKeeper with inter.broker.protocol.version 2.8: list_offsets."""

    request_kept: Literal["as a map", "as a list"] = history(
        {"0.8.0": "as a map", "2.7": "as a list", "4.0": "as a map"}
    )
    """How a broker keeps the partitions of a request, and so answers them. A map forgets topics without partitions, and
    holds a topic or a partition that is named twice once. A partition named twice is served by version 0 and gets error
    42 from the others. Recorded from 0.8.2.2 to 4.3.1: list_offsets, odd_requests."""

    time_found_below: Literal["at high watermark", "below high watermark"] = history(
        {"0.8.0": "at high watermark", "0.11.0": "below high watermark"}
    )
    """Where the offset found for a time may lie: up to the high watermark itself (0.10.1, 0.10.2), or only below it
    (below the last stable offset for read_committed). Elsewhere nothing is found: -1, -1, error 0. KafkaApis.scala,
    Partition.scala."""

    time_bounded_by: Literal["high watermark", "isolation"] = history(
        {"0.8.0": "high watermark", "0.11.0.1": "isolation"}
    )
    """What bounds a look-up by time for a read_committed consumer: in 0.11.0.0 the high watermark even so (KAFKA-5522;
    asked of 0.11.0.0 and 0.11.0.1)."""

    largest_timestamp: Literal["segment maximum", "record"] = history({"0.8.0": "segment maximum", "3.8": "record"})
    """The offset for -3: the one that the segment keeps for its largest timestamp, often the last of a batch; or that
    of the record itself (KAFKA-16310). Recorded from 3.0.2 to 3.9.1: list_offsets."""

    leader_epochs: bool = history({"0.8.0": False, "2.2": True})
    """Whether version 4 gives the leader epoch of the record found; the field exists from 2.1 on (KafkaApis.scala)."""

    unknown_isolation: Literal["close", "error", "error for all"] = history(
        {"0.8.0": "close", "2.7": "error", "4.0": "error for all"}
    )
    """Isolation level 2: the connection closes; or error -1, for consumers or for everybody (KAFKA-9629; asked of
    2.6.3, 2.7.2, 3.9.1 and 4.1.1)."""
