"""Groups of the consumer rebalance protocol (KIP-848): early access in 3.7, a preview up to 3.9, final from 4.0 on.

Not here, since every release does it: a member may come back with the epoch before its last one if it owns no more than
its assignment; a member that leaves raises the group epoch, but the next assignment is made at the next heartbeat.
"""

from typing import Literal

from fakekafka.releases.behaviours.behaviour import Behaviours, history


class ConsumerGroupsBehaviour(Behaviours):
    """The group coordinator's answers to members of consumer groups (GroupMetadataManager)."""

    on_by: Literal["nothing", "config", "feature"] = history(
        {"0.8.0": "nothing"}, kraft={"2.8": "nothing", "3.7": "config", "4.0": "feature"}
    )
    """What switches the protocol on: group.coordinator.rebalance.protocols; that and the feature group.version. Nothing
    does under ZooKeeper. Recorded from 3.8.1 to 4.3.1: group_consumer; from 3.7.2 and 3.9.1: zk_new_coordinator."""

    is_early: bool = history({"0.8.0": True, "3.8": False})
    """Whether reconciliation and the layout of records are those of the early access. Recorded from 3.7.2 (last with)
    and 3.8.1 (first without): group_consumer."""

    anonymous_txn_commits: bool = history({"0.8.0": False, "4.0": True})
    """Whether a transaction may commit into a group that has members without naming one (ConsumerGroup.java); if not,
    25. Recorded from 3.9.1 and 4.0.0: txn_commit_consumer."""

    migrates: bool = history({"0.8.0": False, "3.8": True})
    """Whether a classic group can become a consumer group, and classic members join one; otherwise a group's kind
    stays, and requests of the other kind get 69. Recorded from 3.7.2 (last without) and 3.8.1 (first with):
    group_consumer."""

    assignment_shown: Literal["partitions given", "whole request"] = history(
        {"0.8.0": "partitions given", "3.8": "whole request"}
    )
    """Which heartbeat is always answered with the assignment: one that names the member's partitions, or one that has
    all fields. Recorded from 3.7.2 and 3.8.1: group_consumer."""

    commits_of_old_versions: Literal["of this epoch", "refused"] = history({"0.8.0": "of this epoch", "3.8": "refused"})
    """Whether a member of the consumer protocol may commit with OffsetCommit below 9 if it names its epoch. Recorded
    from 3.7.2 and 3.8.1: group_consumer."""

    states_in_small_letters: bool = history({"0.8.0": True, "3.8": False})
    """Whether ListGroups shows the state of a consumer group in lower case. Recorded from 3.7.2 and 3.8.1:
    group_consumer."""

    missing_offsets_deleted: Literal["not named", "named"] = history({"0.8.0": "not named", "3.8": "named"})
    """Whether OffsetDelete answers for a partition that has no offset, where this coordinator serves the group.
    Recorded from 3.7.2 and 3.8.1: group_consumer."""

    first_epoch: int = history({"0.8.0": 0, "4.3": 1})
    """Epoch of a group that nobody has joined yet. Recorded from 3.8.1 to 4.3.1: group_consumer."""

    epoch_0_left: bool = history({"0.8.0": False, "4.0": True})
    """Whether the first member always raises the group epoch, even if it subscribes to nothing. GroupMetadataManager;
    in 4.3 no group has epoch 0. Recorded from 4.0.0 to 4.3.1: group_consumer."""

    checked_first: Literal["coordinator", "request"] = history({"0.8.0": "coordinator", "4.1": "request"})
    """What a heartbeat is refused for first: that the broker does not coordinate the group, or its own fields. Recorded
    from 3.7.2, 4.0.1 and 4.1.1: odd_heartbeats; 4.1.0, 4.2.0 and 4.3.1 were asked."""

    topics_kept: Literal["metadata", "hash"] = history({"0.8.0": "metadata", "4.1": "hash"})
    """How a group remembers the topics that its assignment was made from: as they are, in a record of their own, or as
    a hash in the group's record (KIP-1101). Recorded from 3.8.1 to 4.3.1: group_consumer."""

    upgraded_with_topics: bool = history({"0.8.0": False, "4.0.1": True})
    """Whether a classic group that becomes a consumer group notes its topics at once, or when the member that converts
    it is handled. Recorded from 4.0.0 (last without), 4.0.1 (first with) and 4.0.2: group_consumer."""

    assignment_epochs: bool = history({"0.8.0": False, "4.3": True})
    """Whether the record of a member's assignment says since which epoch it has each partition: then a commit of an
    older epoch is accepted for the partitions that the member had by then (KIP-1251). Recorded from 4.1.1 to 4.3.1:
    group_consumer."""

    assignment_interval: bool = history({"0.8.0": False, "4.3": True})
    """Whether a new target assignment is made at most once per group.consumer.assignment.interval.ms, by the wall
    clock, and the time of the last one is stored. Recorded from 4.1.1 to 4.3.1: group_consumer."""

    empty_subscription: Literal["refused", "taken"] = history({"0.8.0": "refused", "4.0": "taken"})
    """A member that joins with an empty list of topics. Recorded from 3.8.1 to 4.3.1: group_consumer."""

    regex_library: Literal["RE2/J 1.7", "RE2/J 1.8"] = history({"0.8.0": "RE2/J 1.7", "4.1": "RE2/J 1.8"})
    """What reads patterns of topics (KIP-848) and of transactional ids (KIP-1152), see `jvm.re2`: the library in the
    pom.xml of kafka-group-coordinator 4.0.0, 4.1.1, 4.2.1 and 4.3.1. Recorded: consumer_questions."""

    dropped_pattern_rebalances: bool = history({"0.8.0": False, "4.1.2": True})
    """Whether a member that unsubscribes from its pattern raises the group epoch. Recorded from 4.0.0 to 4.1.1
    (without) and from 4.1.2 to 4.3.0 (with): consumer_questions."""

    rejoin_at_0: Literal["fenced", "taken"] = history({"0.8.0": "fenced", "4.2": "taken"})
    """A known member that joins again with epoch 0: error 110 unless 0 was the epoch before its last one; or it is
    accepted (KAFKA-19862). GroupMetadataManager.throwIfConsumerGroupMemberEpochIsInvalid."""

    subscription_enforced: bool = history({"0.8.0": False, "4.2": True})
    """Whether a member loses topics that it no longer subscribes to at once, before the next assignment (KAFKA-19431).
    The same change lets a member that has given up its partitions go on to the target's epoch, not to its own next one.
    CurrentAssignmentBuilder. Recorded: consumer_questions."""

    static_replacement: Literal["assigned again", "copied"] = history({"0.8.0": "assigned again", "3.9": "copied"})
    """How a process that replaces a static member gets its partitions: the target assignment is computed again in the
    same epoch; or the records are written again under the new id. Recorded from 3.8.1 to 4.3.1: group_consumer."""

    replaced_downgrades: bool = history({"0.8.0": False, "4.0": True})
    """Whether a classic process that replaces the last static member of the consumer protocol makes the group a classic
    one. GroupMetadataManager.validateOnlineDowngradeWithReplacedMember. Asked of 4.0.0 to 4.3.1. Recorded:
    consumer_questions."""

    range_assignor: Literal["sticky", "ranges"] = history({"0.8.0": "sticky", "3.9": "ranges"})
    """The assignor "range": it leaves members what they have, or always makes ranges. Asked of 3.8.1 to 4.3.1.
    Recorded: consumer_questions."""

    extra_partitions: Literal["first members", "who has them"] = history(
        {"0.8.0": "first members", "4.0.1": "who has them"}
    )
    """Which members get what the assignor "uniform" cannot share out equally. Asked of 4.0.0 to 4.3.1. Recorded:
    consumer_questions."""

    leave_group: Literal["classic members", "all members"] = history({"0.8.0": "classic members", "4.0": "all members"})
    """Which members LeaveGroup removes from a consumer group; the others get 25. Asked of 4.1.1 and 4.3.1; before:
    GroupMetadataManager.classicGroupLeaveToConsumerGroup. Recorded: consumer_questions."""

    empty_id_spoils_describe: bool = history({"0.8.0": True, "4.0.1": False})
    """Whether ConsumerGroupDescribe answers -1 for every group if one of several ids is empty. Recorded from 3.8.1 to
    4.3.1, 4.0.1 and 4.0.2 included: group_consumer."""

    described_assignment: Literal["assigned", "assigned and to be revoked"] = history(
        {"0.8.0": "assigned", "4.3": "assigned and to be revoked"}
    )
    """What ConsumerGroupDescribe shows as a member's assignment. Asked of 4.1.1 and 4.3.1. Recorded:
    consumer_questions."""

    not_found_words: bool = history({"0.8.0": False, "4.0": True})
    """Whether ConsumerGroupDescribe says in words that a group was not found. Recorded from 3.8.1 to 4.3.1:
    group_consumer."""
