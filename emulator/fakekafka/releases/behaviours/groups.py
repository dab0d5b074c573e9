"""Consumer groups and their coordinator: joining, heartbeats, looking up, describing. Offsets are in `offsets`.

Not here, since every release does it: a Heartbeat for an unknown group gets error 25; group instance ids are not
checked ("", "..", 250 characters all join); LeaveGroup 3+ with a stale member id and its instance id gets 82.
"""

from functools import cached_property
from typing import Final, Literal, assert_never

from fakekafka.errors import ErrorCode
from fakekafka.ids import OPERATIONS_NOT_ASKED_FOR, Operations
from fakekafka.releases.behaviours.behaviour import Behaviours, history

_CONFIGS: Final = Operations.DESCRIBE_CONFIGS | Operations.ALTER_CONFIGS
_GROUP: Final = Operations.READ | Operations.DELETE | Operations.DESCRIBE


class GroupsBehaviour(Behaviours):
    """The answers of the group coordinator (GroupCoordinator, from 4.0 on GroupCoordinatorService)."""

    coordinator: Literal["scala", "java"] = history({"0.8.0": "scala", "4.0": "java"})
    """Which of the two coordinators serves classic groups by default (KIP-848). In 3.7 to 3.9 the other one comes with
    group.coordinator.rebalance.protocols."""

    coordinator_may_be_java: bool = history({"0.8.0": False}, kraft={"2.8": True})
    """Whether the configs of a broker may ask for the other coordinator, where there are such configs (KafkaConfig)."""

    outlives_topic: bool = history({"0.8.0": False}, kraft={"2.8": True, "3.0": False, "4.0": True, "4.0.1": False})
    """Whether the coordinator goes on with what it knows after a client has deleted `__consumer_offsets`, and after it
    is made again (BrokerMetadataPublisher). Until the new log is as long as the old one was, the Scala coordinator
    keeps the old offset of a partition, though a commit seems to succeed (CommitRecordMetadataAndOffset.olderThan), and
    the Java one answers -1 to whatever has to be written (SnapshottableCoordinator). Recorded from 2.8.2 to 4.1.0:
    offsets_topic_deleted."""

    empty_group_id: ErrorCode = history({"0.8.0": ErrorCode.UNKNOWN_MEMBER_ID, "2.0": ErrorCode.INVALID_GROUP_ID})
    """Heartbeat, SyncGroup and LeaveGroup for the group "". JoinGroup gets 24 always. Recorded from 0.9.0.1 to 4.3.1:
    group_classic."""

    leave_refused_as: ErrorCode | None = history(
        {
            "0.8.0": None,
            "3.4": ErrorCode.UNSUPPORTED_VERSION,
            "3.5.2": None,
            "3.6": ErrorCode.UNSUPPORTED_VERSION,
            "3.6.1": None,
        }
    )
    """What LeaveGroup 0 to 2 answers instead of an error of the whole request, such as 16 or 24. From version 3 on the
    error itself is always reported. Recorded from 3.5.0: group_classic, and from 3.6.0 and 3.6.1: odd_requests; asked
    of 3.3.2, 3.4.0, 3.4.1, 3.5.1, 3.5.2.
    """

    described_twice: Literal["once", "each"] = history({"0.8.0": "once", "2.3": "each"})
    """How often DescribeGroups answers a group that it is asked about twice. Recorded from 1.1.1 to 4.3.1:
    odd_requests."""

    join_without_protocols: ErrorCode | None = history(
        {
            "0.8.0": ErrorCode.UNKNOWN_SERVER_ERROR,
            "0.11.0": None,
            "1.0": ErrorCode.INCONSISTENT_GROUP_PROTOCOL,
        }
    )
    """JoinGroup with an empty list of protocols. None: never answered, nor is any request after it. Recorded from
    0.9.0.1 to 4.3.1: group_classic."""

    failed_join_6: Literal["answered", "never answered"] = history(
        {"0.8.0": "answered", "2.4": "never answered", "2.5": "answered"}
    )
    """What becomes of a JoinGroup 6 over which the coordinator fails; other versions get -1. 2.4 has forgotten this
    version where it makes the answer (JoinGroupRequest.getErrorResponse). Recorded from 2.4.1 and 2.8.2: given_ids."""

    empty_protocol_type: Literal["taken", "refused"] = history({"0.8.0": "taken", "1.0": "refused"})
    """JoinGroup with the protocol type "". Where it is taken, the group keeps that type even if the join fails, and all
    later joins get 23. Otherwise it is refused with 23. Recorded from 0.9.0.1 to 4.3.1: group_classic."""

    tied_protocols: Literal["scala 2.12", "scala 2.13"] = history({"0.8.0": "scala 2.12", "2.4": "scala 2.13"})
    """The maps in which the Scala coordinator counts votes for protocols: of several with as many, it takes the first
    (GroupMetadata.selectProtocol). The Java one has them in a HashMap. Recorded from 2.3.1 to 4.3.1: protocol_ties."""

    heartbeat_awaiting_sync: ErrorCode = history({"0.8.0": ErrorCode.REBALANCE_IN_PROGRESS, "2.6.1": ErrorCode.NONE})
    """Heartbeat of the right generation while the group waits for its leader's SyncGroup (KAFKA-10134). Recorded from
    0.9.0.1 to 4.3.1: group_classic; 2.6.1: GroupCoordinator.scala."""

    old_generation_awaiting_sync: ErrorCode = history(
        {"0.8.0": ErrorCode.REBALANCE_IN_PROGRESS, "2.3": ErrorCode.ILLEGAL_GENERATION}
    )
    """Heartbeat of another generation while the group waits for its leader's SyncGroup. Recorded from 0.9.0.1 to 4.3.1:
    group_classic."""

    unknown_instance: Literal["ignored", "refused"] = history({"0.8.0": "ignored", "3.0": "refused"})
    """Heartbeat, SyncGroup, LeaveGroup or commit of a member with an instance id that the group does not have
    (KIP-345): the id is ignored, or the error is 25. JoinGroup gets 25 always. Recorded from 2.3.1 to 4.3.1:
    group_classic."""

    given_id_leaves: Literal["without instance", "quietly", "as a member"] = history(
        {"0.8.0": "without instance", "3.0": "quietly", "4.0": "as a member"}
    )
    """LeaveGroup of an id that was only given out: the id is forgotten, and from 4.0 on there is a rebalance as if a
    member had left. Up to 2.8 that is so if no instance id comes with it; with one that another member has, the answer
    is 82, and with one that nobody has, the whole request fails with -1, though members that it names before have left.
    Recorded from 2.4.1 to 4.3.1: given_ids."""

    heartbeat_order: Literal["state first", "member first"] = history(
        {"0.8.0": "state first", "0.10.1": "member first"}
    )
    """What is checked first in a Heartbeat: whether the group rebalances (27), or the member id.
    GroupCoordinator.scala."""

    awaiting_sync_name: str = history({"0.8.0": "AwaitingSync", "1.1": "CompletingRebalance"})
    """Name of the state in which a group waits for its leader's assignment. Recorded from 0.9.0.1 to 4.3.1:
    group_classic."""

    empty_groups: Literal["dead", "kept"] = history({"0.8.0": "dead", "0.10.1": "kept"})
    """What becomes of a group without members: it is forgotten at once; or it stays as long as it has offsets
    (KAFKA-2720). Recorded from 0.10.0.1 to 4.3.1: group_classic. Recorded: internal_questions."""

    offsets_make_groups: bool = history({"0.8.0": False, "0.10.1": True})
    """Whether commits alone make a group that ListGroups, DescribeGroups and the checks of later commits know. Recorded
    from 0.9.0.1 to 4.3.1: group_classic. Recorded: internal_questions."""

    join_error_generation: int = history({"0.8.0": 0, "2.2": -1})
    """Generation in a JoinGroup answer with an error. Recorded from 0.9.0.1 to 4.3.1: group_classic."""

    initial_delay: bool = history({"0.8.0": False, "0.11.0": True})
    """Whether a new group waits group.initial.rebalance.delay.ms for more members (KIP-134)."""

    initial_delay_extended_for: Literal["new group", "empty group"] = history(
        {"0.8.0": "new group", "4.0": "empty group"}
    )
    """Which groups wait longer when somebody joins during that delay: those in their first generation, or all that were
    empty. GroupCoordinator.scala, GroupMetadataManager.java."""

    new_member_join_timeout: bool = history({"0.8.0": False, "2.1.1": True})
    """Whether a new member is removed from the group if the rebalance takes longer than five minutes (KAFKA-7610)."""

    new_members_time_out: bool = history({"0.8.0": True, "2.4.1": False, "2.5": True})
    """Whether the session of a new member begins with the answer to its JoinGroup. In 2.4.1 it begins with the member's
    next request (KAFKA-9232, fixed by KAFKA-9752): a member that joins and falls silent stays. Asked of 2.2.2 to 2.7.2.
    """

    leader_must_join: bool = history({"0.8.0": False, "2.3": True})
    """Whether another leader is chosen when the leader has not rejoined at the end of a rebalance. Before static
    members (KIP-345) no member stays without rejoining."""

    late_syncs_removed: bool = history({"0.8.0": False, "2.8.1": True})
    """Whether members that have not sent SyncGroup by the end of the rebalance timeout are removed (KAFKA-12890)."""

    rejoin_changes_timeouts: bool = history({"0.8.0": False, "3.3.2": True})
    """Whether a known member's JoinGroup changes its session and rebalance timeouts; if not, its first ones stay.
    GroupCoordinator.scala."""

    size_limit: Literal["none", "members", "awaiting"] = history({"0.8.0": "none", "2.2": "members", "2.6": "awaiting"})
    """What group.max.size (KIP-389) limits while a group rebalances: its members, or those that have joined again
    (KAFKA-9801). Recorded: internal_questions."""

    refusal_completes_join: bool = history({"0.8.0": True, "4.0": False})
    """Whether a rebalance ends at once if all that it still waited for was a member that is refused for want of room;
    if not, at its timeout (GroupMetadataManager.java). Recorded from 3.9.1 and 4.1.1: date_questions."""

    @cached_property
    def limits_size(self) -> bool:
        """Whether there is group.max.size."""
        match self.size_limit:
            case "members" | "awaiting":
                return True
            case "none":
                return False
            case word:
                assert_never(word)

    join_0_rebalance_timeout: Literal["session timeout", "none"] = history(
        {"0.8.0": "session timeout", "2.3": "none", "2.3.1": "session timeout"}
    )
    """How long a rebalance waits for a member whose JoinGroup 0 cannot say so. In 2.3.0 it does not wait: whoever is in
    the group loses its place when another member joins (KAFKA-8653). Recorded from 2.2.2, 2.3.0 and 2.3.1: join_v0."""

    static_member_id: Literal["time", "random"] = history({"0.8.0": "time", "2.3.1": "random"})
    """What follows the instance id in the id that a static member gets: the wall clock's milliseconds, or a uuid.
    Recorded from 2.3.0 and 2.3.1: static_leader."""

    static_rejoin: Literal["answered", "stored"] = history({"0.8.0": "answered", "2.6.1": "stored"})
    """What a static member that comes back to a stable group causes: nothing; or the group's record is written with its
    new id, and there is a rebalance if the vote on the protocol comes out differently (KAFKA-9935). Recorded from 2.3.1
    to 4.3.1: group_classic."""

    static_members_fail_joins: bool = history({"0.8.0": False, "2.5": True, "3.3.2": False})
    """Whether a leader that speaks JoinGroup 4 or older gets 35 if a member is static, as its answer cannot name
    instance ids, and the other members wait for ever (KAFKA-14422). Those that the real broker's map has before the
    leader get their answers; here nobody does. Recorded from 2.4.1 to 3.3.2: patch_questions."""

    static_members_fail_descriptions: bool = history({"0.8.0": False, "2.5": True, "2.5.1": False})
    """Whether DescribeGroups 3 or older fails as a whole with 35 if one of its groups has a static member
    (KAFKA-10239). Recorded from 2.4.1 to 2.5.1: patch_questions."""

    static_rejoin_awaiting_sync: Literal["answered", "rebalance"] = history({"0.8.0": "answered", "2.5": "rebalance"})
    """What happens when a static member comes back while the group waits for its leader's SyncGroup.
    GroupCoordinator.scala."""

    loaded_members_static: bool = history({"0.8.0": False, "2.3": True, "2.8": False})
    """Whether all members count as static after their group has been loaded from the log, so that none is removed for
    not rejoining. GroupMetadataManager.readGroupMessageValue."""

    loaded_state_time: Literal["unknown", "of version 2", "known"] = history(
        {"0.8.0": "unknown", "2.1": "of version 2", "2.6.1": "known"}
    )
    """Whether the time of a group's last change of state, from which retention counts, is known after loading: no; only
    from records of version 2, which 2.3 and later do not write; yes. Recorded from 2.1.0 to 2.6.0 (last without) and
    from 2.6.1 (first with) on: internal_questions."""

    loaded_protocol_type: Literal["with members", "always"] = history({"0.8.0": "with members", "1.0.1": "always"})
    """Whether the protocol type of a group without members is known after loading. Recorded from 0.10.1.1 to 4.3.1:
    group_classic."""

    new_group_record: bool = history({"0.8.0": False, "4.0": True})
    """Whether a record without members is written for a group at the first request to join it. Recorded from 4.0.0 to
    4.3.1: group_classic. Recorded: internal_questions."""

    tombstone_of_generation_0: bool = history({"0.8.0": False, "4.0": True})
    """Whether a tombstone is written for a group that never had members. Recorded from 4.0.0 to 4.3.1: offsets.
    Recorded: internal_questions."""

    described_metadata: Literal["metadata", "assignment"] = history(
        {"0.8.0": "metadata", "2.3": "assignment", "2.4": "metadata"}
    )
    """What DescribeGroups shows as a member's metadata. Recorded from 0.9.0.1 to 4.3.1: group_classic."""

    described_assignment: Literal["while stable", "always"] = history({"0.8.0": "while stable", "4.0": "always"})
    """When DescribeGroups shows the members' assignments: "always" means that those of the last generation stay visible
    while the group rebalances. Recorded from 0.9.0.1 to 4.3.1: group_classic."""

    state_filter: Literal["exact", "any case"] = history({"0.8.0": "exact", "3.8": "any case"})
    """How ListGroups 4+ compares names of states. Recorded from 2.7.2 to 4.3.1: group_classic."""

    deleted_empty_name: ErrorCode = history({"0.8.0": ErrorCode.INVALID_GROUP_ID, "2.0": ErrorCode.GROUP_ID_NOT_FOUND})
    """DeleteGroups for the group "". Recorded from 1.1.1 to 4.3.1: group_classic."""

    operations_not_asked_for: int = history({"0.8.0": 0, "2.5": OPERATIONS_NOT_ASKED_FOR})
    """Authorized operations in the answer to a DescribeGroups 3+ that did not ask for them (KIP-430). Recorded from
    2.3.1 to 4.3.1: group_classic."""

    group_operations: Operations = history(
        {"0.8.0": _GROUP, "4.0": _GROUP | Operations.DESCRIBE_CONFIGS | Operations.ALTER_CONFIGS}
    )
    """What may be done with a group where everything is allowed (KIP-430). Recorded from 2.3.1 to 4.3.1:
    group_classic."""

    coordinator_found_message: Literal["null", "NONE"] = history({"0.8.0": "null", "2.3": "NONE"})
    """The error message of a coordinator found by FindCoordinator 1 to 3: no text, or the text "NONE". From version 4
    on it is "". Recorded from 2.3.1 to 4.1.1: tour; before: FindCoordinatorResponse.java. Recorded:
    internal_questions."""

    unknown_key_type: ErrorCode | None = history(
        {"0.8.0": None, "2.3": ErrorCode.UNKNOWN_SERVER_ERROR, "2.8": ErrorCode.INVALID_REQUEST}
    )
    """FindCoordinator with an unknown key type. None: the connection closes. Recorded from 0.11.0.3 to 4.3.1:
    group_classic."""

    share_key_type: Literal["unknown", "not available", "refused", "form checked"] = history(
        {"0.8.0": "unknown", "3.9": "not available", "4.0": "refused", "4.1": "form checked"}
    )
    """FindCoordinator with key type 2 (KIP-932): as `unknown_key_type`; 15 whatever the key looks like; 42; or 42 for a
    key that is not group:topic id:partition, then 15 while share groups are off. Releases that know the type answer 42
    without words to versions 4 and 5 in any case. Recorded from 3.8.1 to 4.3.1: group_classic; versions below 6 asked
    of 3.9.1, 4.0.0, 4.1.0, 4.2.0 and 4.3.1. Recorded: late_questions."""

    share_coordinator: bool = history({"0.8.0": False, "4.1": True})
    """Whether there is a coordinator of share groups (KIP-932); while the feature share.version is 0, it refuses with
    35. Recorded from 4.1.1 to 4.3.1: share_group. Recorded: late_questions."""
