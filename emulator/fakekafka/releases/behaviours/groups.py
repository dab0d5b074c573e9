"""Consumer groups and their coordinator: joining, heartbeats, looking up, describing. Offsets are in `offsets`.

The same in every release, so not here: a Heartbeat for a group that is not there gets error 25; group instance ids are
not checked ("", "..", 250 characters all join); LeaveGroup 3+ with a stale member id and its instance id gets 82.
"""

from typing import Literal

from fakekafka.errors import ErrorCode
from fakekafka.releases.behaviours.behaviour import Behaviours, history


class GroupsBehaviour(Behaviours):
    """The answers of the group coordinator (GroupCoordinator, from 4.0 on GroupCoordinatorService)."""

    coordinator: Literal["scala", "java"] = history({"0.8.0": "scala", "4.0": "java"})
    """Which of the two coordinators serves classic groups by default (KIP-848). The other one of 3.7 to 3.9 comes with
    group.coordinator.rebalance.protocols."""

    empty_group_id: ErrorCode = history({"0.8.0": ErrorCode.UNKNOWN_MEMBER_ID, "2.0": ErrorCode.INVALID_GROUP_ID})
    """Heartbeat, SyncGroup and LeaveGroup for the group "". JoinGroup gets 24 always. Recorded from 0.9.0.1 to 4.3.1:
    group_classic."""

    join_without_protocols: ErrorCode | None = history(
        {
            "0.8.0": ErrorCode.UNKNOWN_SERVER_ERROR,
            "0.11.0": None,
            "1.0": ErrorCode.INCONSISTENT_GROUP_PROTOCOL,
        }
    )
    """JoinGroup with an empty list of protocols. None: never answered, nor is anything behind it. Recorded from 0.9.0.1
    to 4.3.1: group_classic."""

    empty_protocol_type: Literal["taken", "refused"] = history({"0.8.0": "taken", "1.0": "refused"})
    """JoinGroup with the protocol type "". Taken, the group keeps that type even if the join fails, and all later joins
    get 23. Refused with 23. Recorded from 0.9.0.1 to 4.3.1: group_classic."""

    heartbeat_awaiting_sync: ErrorCode = history({"0.8.0": ErrorCode.REBALANCE_IN_PROGRESS, "2.6.1": ErrorCode.NONE})
    """Heartbeat of the right generation while the group waits for its leader's SyncGroup (KAFKA-10134). Recorded from
    0.9.0.1 to 4.3.1: group_classic; 2.6.1: GroupCoordinator.scala."""

    old_generation_awaiting_sync: ErrorCode = history(
        {"0.8.0": ErrorCode.REBALANCE_IN_PROGRESS, "2.3": ErrorCode.ILLEGAL_GENERATION}
    )
    """Heartbeat of another generation meanwhile. Recorded from 0.9.0.1 to 4.3.1: group_classic."""

    unknown_instance_heartbeat: ErrorCode = history({"0.8.0": ErrorCode.NONE, "3.0": ErrorCode.UNKNOWN_MEMBER_ID})
    """Heartbeat of a member with an instance id that the group has not (KIP-345). Recorded from 2.3.1 to 4.3.1:
    group_classic."""

    session_clock: Literal["wall", "monotonic"] = history({"0.8.0": "wall", "0.10.1": "monotonic"})
    """The clock that session timeouts run on, timer included. Recorded from 0.9.0.1 to 4.3.1: group_classic."""

    deleted_empty_name: ErrorCode = history({"0.8.0": ErrorCode.INVALID_GROUP_ID, "2.0": ErrorCode.GROUP_ID_NOT_FOUND})
    """DeleteGroups for the group "". Recorded from 1.1.1 to 4.3.1: group_classic."""

    operations_not_asked_for: int = history({"0.8.0": 0, "2.4": -2147483648})
    """Authorized operations in DescribeGroups 3+ that did not ask for them (KIP-430). Recorded from 2.3.1 to 4.3.1:
    group_classic."""

    coordinator_found_message: Literal["null", "NONE"] = history({"0.8.0": "null", "2.3": "NONE"})
    """The error message of a coordinator found by FindCoordinator 1 to 3: no text, or the text "NONE". From version 4
    on it is "". Recorded from 2.3.1 to 4.1.1: tour; before:
    FindCoordinatorResponse.java."""

    unknown_key_type: ErrorCode | None = history(
        {"0.8.0": None, "2.3": ErrorCode.UNKNOWN_SERVER_ERROR, "2.8": ErrorCode.INVALID_REQUEST}
    )
    """FindCoordinator with a key type that means nothing. None: the connection closes. Recorded from 0.11.0.3 to 4.3.1:
    group_classic."""

    share_key_type: Literal["unknown", "not available", "form checked"] = history(
        {"0.8.0": "unknown", "3.9": "not available", "4.0": "unknown", "4.1": "form checked"}
    )
    """FindCoordinator with key type 2 (KIP-932): as `unknown_key_type`; 15 whatever the key looks like; or 42 for a key
    that is not group:topic id:partition, then 15 while share groups are off. Recorded from 3.8.1 to 4.3.1:
    group_classic."""

    consumer_groups: bool = history({"0.8.0": False, "4.0": True})
    """Is the consumer rebalance protocol on by default (KIP-848)?"""

    first_consumer_epoch: int = history({"0.8.0": 1, "4.3": 2})
    """Epoch of a consumer group after its first member came. Recorded from 4.0.0 to 4.3.1: group_consumer."""

    assignment_interval: bool = history({"0.8.0": False, "4.3": True})
    """Is a new target assignment made at most once per group.consumer.assignment.interval.ms (share groups have their
    own), by the wall clock? Recorded from 4.3.1: group_consumer."""

    share_groups: Literal["no", "by feature", "yes"] = history({"0.8.0": "no", "4.1": "by feature", "4.2": "yes"})
    """Share groups (KIP-932): none; refused with 35 while the feature share.version is 0, its default; or on.
    Recorded from 4.1.1 to 4.3.1: share_group."""
