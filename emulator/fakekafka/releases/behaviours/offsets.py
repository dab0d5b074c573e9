"""Committed offsets: what a commit checks, what a fetch answers, when offsets expire, and in which layouts they are
stored.
"""

from functools import cached_property
from typing import Literal, TypeAlias, assert_never

from fakekafka.errors import ErrorCode
from fakekafka.releases.behaviours.behaviour import Behaviours, history

MapOrder: TypeAlias = Literal["request", "scala", "java", "scala 2.12", "scala 2.13", "mutable"]
ExpiredOrder: TypeAlias = Literal["old offsets", "offsets", "map", "map of 2.12", "map of 2.13", "by topic"]
DeletedOrder: TypeAlias = Literal["request", "set of 2.12", "set of 2.13", "java set"]
"""The collections that releases iterate over when they write; the orders are in `groups.offsets.map_order`."""


class OffsetsBehaviour(Behaviours):
    """The answers of OffsetCommit, OffsetFetch, OffsetDelete (KafkaApis, GroupMetadataManager, OffsetManager)."""

    version_0: Literal["ZooKeeper", "error 35"] = history({"0.8.0": "ZooKeeper"}, kraft={"2.8": "error 35"})
    """Where OffsetCommit 0 and OffsetFetch 0 keep offsets; KRaft answers each partition with 35. Recorded from 0.8.2.2
    to 3.8.1: offsets."""

    commit_checks: Literal["nothing", "topic", "partition"] = history(
        {"0.8.0": "nothing", "0.9.0": "topic", "2.0": "partition"}
    )
    """What must exist for a commit (version 1+, and TxnOffsetCommit); otherwise the error is 3. "nothing" takes the
    topic "" and partition -1. Recorded from 0.8.2.2 to 4.3.1: offsets."""

    @cached_property
    def checks_partition(self) -> bool:
        """Whether the partition must exist, and not only the topic."""
        match self.commit_checks:
            case "partition":
                return True
            case "nothing" | "topic":
                return False
            case word:
                assert_never(word)

    unknown_partition_fetched: ErrorCode = history(
        {"0.8.0": ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, "0.9.0": ErrorCode.NONE}
    )
    """OffsetFetch 1+ of a topic or partition that does not exist; the offset is -1. Recorded from 0.8.2.2 to 4.3.1:
    offsets."""

    simple_commit_with_member: ErrorCode = history(
        {"0.8.0": ErrorCode.NONE, "3.0": ErrorCode.UNKNOWN_MEMBER_ID, "3.3": ErrorCode.NONE}
    )
    """Commit with generation -1 and a member id to a group that does not exist. Recorded from 0.8.2.2 to 4.3.1:
    offsets."""

    long_metadata: Literal["remembered", "refused", "left pending"] = history(
        {"0.8.0": "remembered", "0.9.0": "refused", "0.10.1": "left pending", "3.7.1": "refused"}
    )
    """What becomes of an offset whose metadata is too long: its commit gets error 12 and is not in the log. 0.8.2 keeps
    it in memory all the same until it is restarted. Up to 3.7.0 it stays among the commits that are being written, if
    others of the same request are: it is unstable, its partition's offset does not expire, and a transaction's commit
    marker applies none of the offsets that the map has behind it (KAFKA-16371). Recorded from 0.8.2.2 to 4.3.1:
    offsets, pending_questions, patch_questions."""

    generation_of_unknown_group: ErrorCode = history({"0.8.0": ErrorCode.NONE, "0.9.0": ErrorCode.ILLEGAL_GENERATION})
    """Commit with a generation of 0 or above to a group that does not exist; version 9 answers 69 in 4.0+. Recorded
    from 0.8.2.2 to 4.3.1: offsets."""

    old_generation_awaiting_sync: ErrorCode = history(
        {"0.8.0": ErrorCode.REBALANCE_IN_PROGRESS, "2.4": ErrorCode.ILLEGAL_GENERATION}
    )
    """Commit of an old generation between JoinGroup and SyncGroup; one of the new generation always gets 27; one that
    comes while members still join is taken. Recorded from 2.3.1 and 2.4.1: offsets."""

    nothing_asks_for_all: bool = history({"0.8.0": False, "0.9.0": True, "0.10.2": False})
    """Whether an OffsetFetch 1+ that names no partitions asks for everything. From version 2 on a null list does.
    Recorded from 0.8.2.2 to 4.3.1: offsets."""

    fetch_kept: Literal["as a map", "as a list"] = history({"0.8.0": "as a map", "4.0": "as a list"})
    """How a broker keeps the partitions of an OffsetFetch, and so answers them. A map forgets topics without
    partitions, and holds a topic or a partition that is named twice once. Recorded from 0.8.2.2 to 4.3.1: offsets,
    odd_requests."""

    old_fetch_refused: Literal["for each partition", "by nothing"] = history(
        {"0.8.0": "for each partition", "3.5": "by nothing", "4.0.2": "for each partition"}
    )
    """How an OffsetFetch 1, which has no error of its own, is refused: in each partition, or by an answer without any
    topic. Recorded from 3.4.0 to 4.1.0: offsets_topic_deleted; for clients without a right asked of 3.4.1 to 4.1.1."""

    commits_kept: Literal["as a map", "what exists as a map", "as a list"] = history(
        {"0.8.0": "as a map", "3.5": "what exists as a map", "4.0": "as a list"}
    )
    """How a broker keeps the partitions of an OffsetCommit or a TxnOffsetCommit: see `handlers.commits`. Of a partition
    that is in a map, what was said last counts. Recorded from 0.8.2.2 to 4.3.1: offsets, odd_requests."""

    @cached_property
    def commits_are_map(self) -> bool:
        """Whether all partitions of a commit are in a map."""
        match self.commits_kept:
            case "as a map":
                return True
            case "what exists as a map" | "as a list":
                return False
            case word:
                assert_never(word)

    @cached_property
    def commits_are_list(self) -> bool:
        """Whether no partition of a commit is in a map."""
        match self.commits_kept:
            case "as a list":
                return True
            case "as a map" | "what exists as a map":
                return False
            case word:
                assert_never(word)

    no_groups_fetched: Literal["hang", "empty"] = history({"0.8.0": "hang", "4.1": "empty"})
    """OffsetFetch 8+ with an empty list of groups: never answered, nor is any request after it; or an empty list.
    Recorded from 3.3.2 to 4.3.1: offsets."""

    same_group_twice: Literal["merged", "each"] = history({"0.8.0": "merged", "3.5": "each"})
    """OffsetFetch 8+ that names one group twice. Recorded from 3.3.2 and 3.5.2: offsets; 3.4: KafkaApis.scala."""

    delete_repeats_topic: bool = history({"0.8.0": False, "2.4": True, "2.6": False})
    """Whether OffsetDelete lists a topic once for each of its partitions, every time with all of them. Recorded from
    2.4.1 to 4.3.1: offsets."""

    delete_answers_each: bool = history({"0.8.0": False, "3.5": True})
    """Whether OffsetDelete answers for a partition as often as it is named, if it does not exist, or if the Java
    coordinator serves the group, and names topics that do not exist even without partitions
    (OffsetDeleteResponse.Builder). Recorded from 2.4.1 to 4.3.1: control_questions."""

    numbered_batches: Literal["commits", "all"] = history({"0.8.0": "commits", "4.0": "all"})
    """Which batches of the coordinator have base sequence 0, though no producer id; the others have -1. Recorded from
    0.11.0.3 to 4.3.1: offsets. Recorded: internal_questions."""

    expires: Literal["after", "at"] = history({"0.8.0": "after", "2.1": "at"})
    """When an offset expires: after its time, or at its time. Recorded from 0.9.0.1 to 4.3.1: offsets."""

    expiry_from: Literal["commit", "empty group"] = history({"0.8.0": "commit", "2.1": "empty group"})
    """What retention counts from (KIP-211). Recorded: internal_questions."""

    expires_in: Literal["any state", "no members", "any state, unsubscribed", "stable, unsubscribed"] = history(
        {
            "0.8.0": "any state",
            "2.1": "no members",
            "2.4": "any state, unsubscribed",
            "2.8.2": "stable, unsubscribed",
            "3.0": "any state, unsubscribed",
            "3.0.1": "stable, unsubscribed",
            "3.1": "any state, unsubscribed",
            "3.1.1": "stable, unsubscribed",
        }
    )
    """Whose offsets expire: every group's; those of groups without members (KIP-211); also those of consumer groups,
    for topics that no member subscribes to (KAFKA-8730), from the fix of KAFKA-13636 on only while the group is
    stable."""

    @cached_property
    def expires_in_any_state(self) -> bool:
        """Whether offsets expire whatever members the group has and whatever they subscribe to."""
        match self.expires_in:
            case "any state":
                return True
            case "no members" | "any state, unsubscribed" | "stable, unsubscribed":
                return False
            case word:
                assert_never(word)

    check_interval: Literal["ten minutes", "configured"] = history({"0.8.0": "ten minutes", "0.9.0": "configured"})
    """How often expiry is checked: 0.8.2 ignores offsets.retention.check.interval.ms. OffsetManager.scala. Recorded:
    internal_questions."""

    retention_overflows: bool = history({"0.8.0": True, "0.10.1.1": False})
    """Whether the seconds of offsets.retention.minutes overflow at 2**31, so that offsets expire at once
    (KAFKA-4472)."""

    minus_one_expires: bool = history({"0.8.0": False, "2.1": True, "2.2": False})
    """Whether an expiry timestamp of -1, loaded from a value of version 1, counts as passed (KAFKA-8069)."""

    tombstones: Literal["all groups", "each group", "offsets of each group"] = history(
        {"0.8.0": "all groups", "0.10.1": "offsets of each group", "0.10.1.1": "each group", "4.0": "all groups"}
    )
    """What one check for expiry appends at once: the tombstones of a whole partition of the offsets topic; those of one
    group; or those of its offsets, and then that of the group itself. Recorded from 0.9.0.1 to 4.3.1: offsets; from
    0.10.0.1 to 0.11.0.0: internal_questions."""

    groups_outlive_offsets: bool = history({"0.8.0": False, "4.0": True})
    """Whether a group without members stays until the next check for expiry when its last offset, or its topic, is
    deleted. Recorded from 2.4.1 to 4.3.1: offsets."""

    deleted_topics: bool = history({"0.8.0": False, "0.10.2": True})
    """Whether a topic's offsets are deleted with it (KAFKA-2000)."""

    commit_keeps_session: bool = history({"0.8.0": False, "0.10.0": True})
    """Whether a commit counts as a heartbeat of the member (KAFKA-3470)."""

    load_applies: Literal["as read", "at the end"] = history({"0.8.0": "as read", "0.10.1": "at the end"})
    """When offsets that are read at a start count: at once; or after the last one, so that a record that cannot be read
    loses all of them. (The Java coordinator fails for its partition, see `groups.loading`.) Recorded from 0.9.0.1 to
    0.10.2.2: phases; GroupMetadataManager.scala. Recorded: loading_questions."""

    newest_magic: int = history({"0.8.0": 0, "0.10.0": 1, "0.11.0": 2})
    """The newest message format that can be loaded. Recorded from 0.9.0.1 to 0.10.2.2: phases."""

    newest_record_type: int = history({"0.8.0": 0, "0.9.0": 2})
    """The newest kind of record that is known when the topic is loaded. What else came with 3.7, 4.0 and 4.1 no longer
    counts, since `unknown_record` is skipped by then. GroupMetadataManager.readMessageKey. Recorded:
    internal_questions, loading_questions."""

    unknown_record: Literal["stop", "skip"] = history({"0.8.0": "stop", "3.4.1": "skip"})
    """What a record of a newer kind does to loading: it ends the loading, or is skipped (KIP-915)."""

    load_buffer: Literal["fixed", "grows"] = history({"0.8.0": "fixed", "2.0.1": "grows"})
    """What a unit that is larger than `offsets.load.buffer.size` does to loading: it is read in vain for ever, or gets
    a larger buffer (KAFKA-7286; asked of 2.0.0 and 2.0.1)."""

    while_loading: ErrorCode = history(
        {
            "0.8.0": ErrorCode.COORDINATOR_LOAD_IN_PROGRESS,
            "0.9.0": ErrorCode.NOT_COORDINATOR,
            "2.0": ErrorCode.COORDINATOR_LOAD_IN_PROGRESS,
        }
    )
    """The error for groups that are being loaded: from 0.9 to 1.1 a broker coordinates them only afterwards
    (GroupMetadataManager.ownedPartitions; asked of 0.9.0.0, 0.9.0.1, 0.10.0.0, 0.11.0.0, 0.11.0.3, 1.0.0, 1.1.1 and
    2.0.0)."""

    load_ends: Literal["at the log's end", "after the last unit"] = history(
        {"0.8.0": "after the last unit", "0.11.0": "at the log's end", "2.4.1": "after the last unit"}
    )
    """Where loading ends. If the last units were compacted away, the log's end is never reached (KAFKA-9065; asked of
    2.4.0 and 2.4.1)."""

    load_portions: Literal["later counts", "earlier counts"] = history(
        {"0.8.0": "later counts", "0.11.0.0": "earlier counts", "0.11.0.1": "later counts"}
    )
    """Which offset of a partition counts if it is found in two portions of `offsets.load.buffer.size` (KAFKA-5600;
    asked of 0.11.0.0 and 0.11.0.1)."""

    newest_value: int = history({"0.8.0": 0, "0.9.0": 1, "2.1": 3, "3.5": 4})
    """The newest version of a value that can be loaded; newer ones end the loading. Recorded from 0.10.2.2: phases;
    GroupMetadataManager.readOffsetMessageValue. Recorded: internal_questions."""

    newest_group_value: int = history({"0.8.0": 0, "0.10.1": 1, "2.1": 2, "2.3": 3, "3.5": 4})
    """The newest version of a group's value that can be loaded. GroupMetadataManager.readGroupMessageValue. Recorded:
    internal_questions."""

    map_order: MapOrder = history(
        {
            "0.8.0": "scala",
            "0.10.0": "java",
            "2.3": "scala 2.12",
            "2.4": "scala 2.13",
            "3.5": "mutable",
            "4.0": "request",
        }
    )
    """The order of one commit's partitions in the log: the request's, or that of the maps that they go through
    (`coordinators.groups.classic.map_order`). Recorded from 0.8.2.2 to 4.3.1: offsets. Recorded: internal_questions."""

    transaction_map_order: Literal["as a commit", "mutable of java", "2.13 of java"] = history(
        {"0.8.0": "as a commit", "1.0": "mutable of java", "2.4": "2.13 of java", "3.5": "as a commit"}
    )
    """The order for TxnOffsetCommit, if it differs: what may be committed is gathered in a mutable map
    (KafkaApis.handleTxnOffsetCommitRequest). Recorded from 0.11.0.3 to 4.3.1: transactions; from 2.3.1 to 3.5.2:
    txn_commit_questions."""

    failed_transaction_commit: Literal["each partition once", "as asked"] = history(
        {"0.8.0": "each partition once", "2.4": "as asked"}
    )
    """How TxnOffsetCommit is answered if it fails as a whole: with its partitions out of a map, or with the request's
    own lists (TxnOffsetCommitRequest.getErrorResponse). Recorded from 2.3.1 to 3.3.2: txn_commit_questions."""

    expired_order: ExpiredOrder = history(
        {
            "0.8.0": "old offsets",
            "0.10.0": "offsets",
            "0.10.1": "map",
            "0.10.2": "map of 2.12",
            "2.4": "map of 2.13",
            "4.0": "by topic",
        }
    )
    """The order of the tombstones of expired offsets in the log: by the hash codes of all offsets, or those of one
    group after the other, by kinds of maps. Recorded from 0.9.0.1 to 4.3.1: offsets. Recorded: internal_questions."""

    @cached_property
    def in_case_classes(self) -> bool:
        """Whether the keys of the map of all offsets hold Scala's case class of a partition, and not Java's class."""
        match self.expired_order:
            case "old offsets":
                return True
            case "offsets" | "map" | "map of 2.12" | "map of 2.13" | "by topic":
                return False
            case word:
                assert_never(word)

    @cached_property
    def one_map(self) -> bool:
        """Whether the offsets of all groups are in one map."""
        match self.expired_order:
            case "old offsets" | "offsets":
                return True
            case "map" | "map of 2.12" | "map of 2.13" | "by topic":
                return False
            case word:
                assert_never(word)

    @cached_property
    def expires_by_topic(self) -> bool:
        """Whether groups and offsets expire in the order of the Java coordinator's maps."""
        match self.expired_order:
            case "by topic":
                return True
            case "old offsets" | "offsets" | "map" | "map of 2.12" | "map of 2.13":
                return False
            case word:
                assert_never(word)

    deleted_order: DeletedOrder = history(
        {"0.8.0": "set of 2.12", "2.4": "set of 2.13", "4.0": "request", "4.1": "java set"}
    )
    """The order in which DeleteGroups handles its groups: as the request names them, or as sets of Scala or Java return
    them. Recorded from 1.1.1 to 4.3.1: group_classic. Recorded: internal_questions."""

    append_time_topic: Literal["taken", "refused"] = history(
        {"0.8.0": "taken", "0.10.2.0": "refused", "0.10.2.1": "taken"}
    )
    """What becomes of a write to an offsets topic with LogAppendTime: it is appended, or gets error 32, which is passed
    on to members and committers (KAFKA-4861). Asked of 0.10.2.0 and 0.10.2.1."""

    topic_compression: Literal["unset", "uncompressed", "producer"] = history(
        {"0.8.0": "unset", "0.9.0": "uncompressed", "0.10.0.1": "producer"}
    )
    """compression.type in the config of the offsets topic (GroupCoordinator.offsetsTopicConfigs). Recorded:
    internal_questions."""

    too_few_brokers: Literal["fewer replicas", "no topic"] = history({"0.8.0": "fewer replicas", "0.11.0": "no topic"})
    """Creating an internal topic while there are fewer brokers than its replication factor asks for: it gets fewer
    replicas, or is not created and FindCoordinator says 15 (KAFKA-3959)."""

    key_version: int = history({"0.8.0": 0, "0.9.0": 1})
    """Version of a committed offset's key in `__consumer_offsets`. Recorded from 0.8.2.2 to 4.3.1: offsets. Recorded:
    internal_questions."""

    value_version: int = history({"0.8.0": 0, "0.9.0": 1, "2.1": 3, "4.1": 4})
    """Version of a committed offset's value, at the newest inter.broker.protocol.version; a commit with a retention
    time has 1 in every release from 0.9 on. Recorded from 0.8.2.2 to 4.3.1: offsets. Recorded: internal_questions."""

    topic_ids_written: Literal["never", "asked by id", "always"] = history(
        {"0.8.0": "never", "4.2": "asked by id", "4.3": "always"}
    )
    """When the value of a committed offset holds the topic's id: if the commit names its topics by ids, or in every
    version; never in a transaction. Recorded from 4.1.1 to 4.3.1: offsets, transactions, streams_group."""

    group_value_version: int = history({"0.8.0": 0, "0.10.1": 1, "2.1": 2, "2.3": 3})
    """Version of a group's metadata value in `__consumer_offsets`, at the newest inter.broker.protocol.version.
    Recorded from 0.9.0.1 to 4.3.1: group_classic. Recorded: internal_questions."""
