"""Fetch: who may ask, the order in which partitions are answered, and what errors look like."""

from functools import cached_property
from typing import Literal, assert_never

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
    """A replica id that is not a follower of the partition: its error, or None for error 0 with the high watermark and
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

    diverging_before_start: bool = history({"0.8.0": True, "2.7.2": False, "2.8": True, "2.8.1": False})
    """Whether a reader from before the log's start is told where its last epoch ended if that differs; otherwise its
    offset is out of range whatever its epoch (KAFKA-12996). Recorded from 2.7.0 to 2.8.1: gap_questions."""

    unknown_isolation: Literal["close", "error"] = history({"0.8.0": "close", "2.7": "error"})
    """Isolation level 2: the connection closes; or error -1 on every partition and at the top, from version 13 on
    at the top only. The check left the parser with the generated classes (KAFKA-9629). Recorded from 0.11.0.3 to 4.3.1:
    fetch_manners."""

    null_client_id: Literal["answered", "fails", "fails if converted"] = history(
        {"0.8.0": "answered", "0.9.0": "fails", "0.10.1": "fails if converted", "0.10.2": "answered"}
    )
    """A request of a client whose id is null: in 0.9 and 0.10.0 it fails as a whole, in 0.10.1 only if records are
    converted. Recorded from 0.8.2.2 to 0.10.2.0: null_client_id."""

    @cached_property
    def needs_client_id(self) -> bool:
        """Whether every request without a client id fails."""
        match self.null_client_id:
            case "fails":
                return True
            case "answered" | "fails if converted":
                return False
            case word:
                assert_never(word)

    @cached_property
    def converts_with_client_id_alone(self) -> bool:
        """Whether a request without a client id fails if records are converted for it."""
        match self.null_client_id:
            case "fails" | "fails if converted":
                return True
            case "answered":
                return False
            case word:
                assert_never(word)

    request_error_records: Literal["empty", "null"] = history({"0.8.0": "empty", "3.0": "null", "4.0": "empty"})
    """The records of a partition when the whole request failed. Recorded from 0.11.0.3 to 4.3.1: fetch_manners,
    isolation level 2."""

    request_error_kept: Literal["as a map", "as a list"] = history({"0.8.0": "as a map", "3.1": "as a list"})
    """How the answer repeats the partitions of a request that failed as a whole: a map holds a partition that is named
    twice once, and no topic without partitions. Recorded from 3.0.2 and 3.1.2 to 4.3.1: odd_fetches."""

    request_error_layout: Literal["asked for", "version 0"] = history(
        {"0.8.0": "asked for", "0.9.0": "version 0", "0.10.0": "asked for"}
    )
    """The layout of the answer when the whole request failed (KAFKA-3427). Recorded from 0.9.0.1: fetch_manners."""

    endpoints_for_followers: bool = history({"0.8.0": True, "4.0": False})
    """Whether followers, too, get the address of the leader (KIP-951). Recorded from 3.8.1 to 4.3.1: fetch_manners."""

    conversion_error_records: Literal["empty", "null"] = history({"0.8.0": "empty", "3.0": "null"})
    """The records of a partition that could not be converted (errors 76 and 35). Recorded from 2.2.2 to 3.8.1:
    fetch_formats."""

    error_aborted_transactions: Literal["null", "empty"] = history({"0.8.0": "null", "3.0": "empty"})
    """The aborted transactions of a partition that was refused without being read, whether unknown, not convertible, or
    part of a request that failed. After an error of reading they are null. Recorded from 0.11.0.3 to 4.3.1:
    fetch_manners."""

    order: Literal["by topic", "unknown topics last", "unknown last"] = history(
        {"0.8.0": "by topic", "0.10.1": "unknown topics last", "2.0": "unknown last"}
    )
    """Order of the answer: that of a hash map of topics; or that of the request (KIP-74), with neighbours of one topic
    in one entry, followed by what the metadata does not contain: topics, or partitions too. These are not read, so they
    do not end a wait. Recorded from 0.8.2.2 to 4.3.1: fetch_manners."""

    @cached_property
    def gathers_topics(self) -> bool:
        """Whether all partitions of a topic are in one entry, and not only neighbours."""
        match self.order:
            case "by topic":
                return True
            case "unknown topics last" | "unknown last":
                return False
            case word:
                assert_never(word)

    duplicate_partition: Literal["once", "each"] = history({"0.8.0": "once", "0.10.1": "each", "0.10.2": "once"})
    """How often a partition that was asked for twice is answered. Recorded from 0.10.0.1 to 4.3.1: fetch_manners."""

    stable_offset_shown: Literal["to read_committed", "to nobody", "to all"] = history(
        {"0.8.0": "to read_committed", "2.0": "to nobody", "2.0.1": "to read_committed", "2.1": "to all"}
    )
    """Whose answers carry the last stable offset; others say -1. 2.0.0 loses it when it makes the answer
    (KafkaApis.maybeConvertFetchedData). Recorded from 0.11.0.3 to 4.3.1: fetch_manners; asked of 1.1.1 to 2.1.0."""

    broker_limits_response: bool = history({"0.8.0": False, "2.5": True})
    """Whether the broker's fetch.max.bytes bounds every answer, those of versions 0 to 2 included (KIP-541), and lowers
    the minimum number of bytes to wait for to that bound."""

    reads_past_high_watermark: Literal["error", "empty"] = history({"0.8.0": "error", "0.10.0": "empty"})
    """An offset between high watermark and log end: error -1 (LogSegment.scala throws), or nothing yet. Cannot be seen
    on a partition with one replica."""

    followers_may_serve: bool = history({"0.8.0": False, "2.4": True})
    """Whether a consumer may read from a follower (KIP-392)."""

    session_shards: int = history({"0.8.0": 1, "3.8": 8})
    """Parts of the cache of fetch sessions, each with its share of the slots (KAFKA-9401, FetchSession.scala)."""

    session_rotation: Literal["answered", "with records"] = history({"0.8.0": "answered", "3.0": "with records"})
    """Which partitions of a session are asked last the next time: all that were answered, or those that gave records
    (KAFKA-12330)."""

    session_use_noted: bool = history({"0.8.0": False, "2.5": True})
    """Whether using a session makes it younger (KAFKA-9137); if not, its age counts from its creation. Old ones are
    evicted."""

    session_of_zero_id: Literal["fails", "kept"] = history({"0.8.0": "fails", "4.3": "kept"})
    """A partition in a session whose topic id is all zeros: the request fails, since the hash code of such a partition
    is that of a name which is not there (CachedPartition); or the partition is kept. Recorded from 3.1.2 to 4.3.1:
    fetch_zero_ids."""

    session_epochs: Literal["forgotten", "kept"] = history({"0.8.0": "forgotten", "2.5": "kept"})
    """Whether a session keeps the leader epochs of its partitions; without them it never answers 74 or 75
    (FetchSession.scala)."""

    not_hosted: ErrorCode = history(
        {"0.8.0": ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, "2.0": ErrorCode.NOT_LEADER_OR_FOLLOWER}
    )
    """A partition that exists on other brokers only, also for DeleteRecords. Asked of 0.11.0.3 to 2.8.2."""

    epoch_not_hosted: ErrorCode = history(
        {"0.8.0": ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, "2.1": ErrorCode.NOT_LEADER_OR_FOLLOWER}
    )
    """OffsetForLeaderEpoch of a partition that exists on other brokers only. Asked of 0.11.0.3 to 2.8.2."""

    negative_epoch: Literal["old", "none"] = history({"0.8.0": "old", "2.7": "none"})
    """A leader epoch below -1 in a Fetch: older than any other, error 74; or as good as -1, so that nothing is
    compared. In ListOffsets and OffsetForLeaderEpoch it is always an old one. Recorded from 2.6.3 to 4.3.1:
    odd_fetches."""

    epochs_kept: Literal["as a map", "as a list"] = history({"0.8.0": "as a map", "2.8": "as a list"})
    """How a broker keeps the partitions of an OffsetForLeaderEpoch, and so answers them. A map forgets topics without
    partitions, and holds a topic or a partition that is named twice once. Recorded from 1.1.1 to 4.3.1:
    odd_requests."""

    replica_not_hosted: ErrorCode = history(
        {"0.8.0": ErrorCode.REPLICA_NOT_AVAILABLE, "2.6": ErrorCode.NOT_LEADER_OR_FOLLOWER}
    )
    """A partition that exists on other brokers only, asked for by a reader that any replica may serve
    (ReplicaManager.scala)."""

    unknown_replica: ErrorCode = history(
        {"0.8.0": ErrorCode.REPLICA_NOT_AVAILABLE, "2.1": ErrorCode.UNKNOWN_TOPIC_OR_PARTITION}
    )
    """What a reader that any replica may serve gets for a partition that does not exist, where the metadata is not
    asked first; likewise in ListOffsets (asked of 1.1.1, 2.0.1, 2.1.1 and later)."""

    waiting_bytes: Literal["all", "up to the limit"] = history({"0.8.0": "all", "0.9.0": "up to the limit"})
    """How much of a partition counts for a fetch that waits for more bytes: all that has come, or no more of it than it
    may get from the partition (DelayedFetch.scala). Recorded from 0.8.2.2 and 0.9.0.1: random_waits."""

    told_of_deletion: bool = history({"0.8.0": False, "2.4": True})
    """Whether a fetch that waits is answered when one of its partitions is deleted; otherwise when it looks at them
    again, if the partition is not there again (ReplicaManager.stopReplica). Recorded from 1.1.1 to 4.3.1:
    random_deletions."""

    woken: Literal["at the end", "after each partition"] = history(
        {"0.8.0": "at the end", "0.8.2": "after each partition", "2.7": "at the end"}
    )
    """When fetches that wait read what a request writes to several partitions: once it is all there, or after each
    partition, so that one may be answered with the records of the first (Partition.appendMessagesToLeader; KAFKA-8334).
    Recorded from 0.8.2.2 to 4.3.1: waits_of_several, random_waits."""

    @cached_property
    def woken_early(self) -> bool:
        """Whether fetches are woken after each partition."""
        match self.woken:
            case "after each partition":
                return True
            case "at the end":
                return False
            case word:
                assert_never(word)

    offset_beyond_bound: Literal["waits", "answered"] = history({"0.8.0": "waits", "3.8": "answered"})
    """Whether a fetch may wait at an offset beyond the high watermark or the last stable offset (KAFKA-16452; asked of
    3.7.2 and 3.9.1)."""

    aborted_without_records: Literal["from the bound on", "at the bound", "none"] = history(
        {"0.8.0": "from the bound on", "2.4": "at the bound", "2.5.1": "none"}
    )
    """Whether a read_committed consumer at or beyond the last stable offset gets a list of aborted transactions
    (Log.scala; asked of 1.1.1, 2.3.1, 2.4.1 and 2.5.1)."""

    @cached_property
    def reads_at_bound(self) -> bool:
        """Whether the unit at the last stable offset is looked at, although nothing of it is sent. If it does not fit,
        there is no list of aborted transactions. Recorded from 2.3.1: random_fetches.
        """
        match self.aborted_without_records:
            case "from the bound on" | "at the bound":
                return True
            case "none":
                return False
            case word:
                assert_never(word)

    # ---------------------------------------------------------------- older formats

    conversion: Literal["none", "one set", "unit by unit", "lazy"] = history(
        {"0.8.0": "none", "0.10.0": "one set", "0.11.0": "unit by unit", "2.0": "lazy", "4.0": "none"}
    )
    """How newer formats are converted for Fetch 0 to 3: a slice becomes one set; each of its units is converted; or
    each is converted, to a length that is fixed beforehand (KIP-283). Recorded from 0.10.0.1 to 4.3.1:
    fetch_formats."""

    @cached_property
    def converts_while_sending(self) -> bool:
        """Whether a conversion begins to be sent before it is finished."""
        match self.conversion:
            case "lazy":
                return True
            case "none" | "one set" | "unit by unit":
                return False
            case word:
                assert_never(word)

    converted: Literal["never", "slices where a newer unit starts", "slices with newer units", "always"] = history(
        {
            "0.8.0": "never",
            "0.10.0": "slices where a newer unit starts",
            "0.10.2": "slices with newer units",
            "3.0": "always",
            "4.0": "never",
        }
    )
    """Which slices are converted if a topic's configured format is newer than the client reads. Cut units count or not
    (FileMessageSet, FileRecords). Recorded from 0.10.0.1 to 4.3.1: fetch_formats."""

    @cached_property
    def ever_converts(self) -> bool:
        """Whether the release converts what it sends."""
        match self.converted:
            case "slices where a newer unit starts" | "slices with newer units" | "always":
                return True
            case "never":
                return False
            case word:
                assert_never(word)

    conversion_asks: Literal["configured format", "stored units"] = history({"0.8.0": "configured format"})
    """What must be newer than a client reads, so that its slice is converted: the topic's format, or units of the
    slice. No release checks only the units; a quirk does. Recorded from 0.10.0.1 to 3.9.1: format_lowered."""

    formats_in_slice: Literal["as stored", "one"] = history({"0.8.0": "as stored"})
    """Which formats the records of one answer may have: those that are stored; or one, so that they end where the
    format changes. No release does the latter; a quirk asks for it. Recorded from 0.10.0.1 to 3.9.1: format_lowered."""

    converted_headers: Literal["error", "dropped"] = history(
        {"0.8.0": "error", "1.0.2": "dropped", "1.1": "error", "1.1.1": "dropped"}
    )
    """Headers of records that are converted: they fail the whole request with -1, or are left out (KAFKA-6739).
    Recorded from 0.11.0.3 to 3.8.1: fetch_formats."""

    conversion_buffer: Literal["estimated", "grows"] = history({"0.8.0": "estimated", "2.0": "grows"})
    """The buffer of a conversion unit by unit: if it is too small for an unconverted unit after compressed ones that
    were converted, the whole request fails with -1; or it grows. Recorded from 0.11.0.3 and 2.3.1: odd_sets; asked of
    1.0.2, 1.1.1 and 2.0.1."""

    converted_offsets: Literal["any", "ascending"] = history({"0.8.0": "any", "0.10.2": "ascending"})
    """What a conversion of a slice into one set does with offsets that go back, as 0.10 stores them after a wrapper
    that it stamps in place: nothing, or the fetch fails with -1 (MemoryRecordsBuilder). Asked of 0.10.1.1, 0.10.2.2."""

    nothing_converted: Literal["empty", "raw", "filler", "nothing", "read on"] = history(
        {"0.8.0": "empty", "1.1": "raw", "2.0": "filler", "3.0": "nothing"}
    )
    """What a fetch gets when a conversion leaves nothing: no bytes, if the slice had a whole unit; the slice
    unconverted; a filler of 12 bytes; or the filler, but no bytes for a slice without a whole unit. No release does
    "read on", which a quirk asks for: what follows is converted until something is left. Recorded from 0.11.0.3 to
    3.8.1: fetch_formats."""

    @cached_property
    def sends_unconverted(self) -> bool:
        """Whether the slice is sent unconverted if nothing of it was converted."""
        match self.nothing_converted:
            case "raw":
                return True
            case "empty" | "filler" | "nothing" | "read on":
                return False
            case word:
                assert_never(word)

    @cached_property
    def needs_no_filler(self) -> bool:
        """Whether a slice without a whole unit gets no bytes, not even the filler."""
        match self.nothing_converted:
            case "nothing":
                return True
            case "empty" | "raw" | "filler" | "read on":
                return False
            case word:
                assert_never(word)

    @cached_property
    def reads_on(self) -> bool:
        """Whether what follows is converted until something is left."""
        match self.nothing_converted:
            case "read on":
                return True
            case "empty" | "raw" | "filler" | "nothing":
                return False
            case word:
                assert_never(word)

    zstd_topics: Literal["served", "refused, unknown too", "refused"] = history(
        {"0.8.0": "served", "2.1": "refused, unknown too", "2.2": "refused", "4.0": "served"}
    )
    """Topics with compression.type zstd: 76 below Fetch version 10 (KIP-110). In 2.1 partitions that do not exist count
    as such. Recorded from 2.2.2 to 4.3.1: fetch_formats; 2.1: KafkaApis.scala."""

    rack_in_sync: bool = history({"0.8.0": False, "3.3.2": True})
    """Whether consumers are sent only to replicas of their rack that are in sync (KAFKA-14372); if not, also to others
    that have the offset. Recorded from clusters of three of 2.8.2 and 3.3.2: followers."""

    rack_of_dead: bool = history({"0.8.0": False}, kraft={"2.8": False, "3.0": True})
    """Whether brokers that do not run still have a rack: until 3.3.2 consumers are sent to them, for as long as the
    leader remembers that they have the offset. Recorded from clusters of three of 3.0.2, 3.2.3 and 3.3.1 in KRaft mode:
    followers; of 3.3.1 under ZooKeeper: not so. KRaftMetadataCache.getPartitionReplicaEndpoints."""
