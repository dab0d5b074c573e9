"""Classic groups become consumer groups while their members stay, and the other way round."""

from typing import Any

import pytest
from fakekafka import FakeKafka
from fakekafka.coordinators.groups.classic.group import State
from fakekafka.coordinators.groups.consumer.classic_protocol.migration import (
    owned_partitions,
    packed_assignment,
    reported_partitions,
    subscription,
    version_of,
)
from fakekafka.errors import ErrorCode, MalformedBytes
from fakekafka.wire.codec import encode_bytes
from fakekafka.wire.internal.consumer_protocol import (
    ConsumerProtocolAssignment,
    ConsumerProtocolAssignmentTopicPartition,
    ConsumerProtocolSubscription,
    TopicPartition,
)

from tests.support.consumer_group_clients import ConsumerMember, group_of, groups_of
from tests.support.group_clients import Member, coordinator_of, grouped
from tests.support.seeded import broker_of


@pytest.fixture(scope="module")
def kafka() -> FakeKafka:
    return grouped("4.3", partitions=4)


def metadata(version: int = 1) -> bytes:
    owned = [TopicPartition(topic="t", partitions=[1]), TopicPartition(topic="gone", partitions=[0])]
    value = ConsumerProtocolSubscription(topics=["t"], owned_partitions=owned)
    return version.to_bytes(2, "big") + encode_bytes(value, version)


def test_only_partitions_of_existing_topics_are_taken_from_a_subscription(kafka: FakeKafka) -> None:
    cluster = broker_of(kafka).cluster
    topic = cluster.topics["t"].id
    assert reported_partitions(cluster, subscription(metadata())) == {topic: frozenset({1})}


@pytest.mark.parametrize("version", [0, 1, 2, 3])
def test_a_packed_assignment_is_unpacked_unchanged(kafka: FakeKafka, version: int) -> None:
    cluster = broker_of(kafka).cluster
    target = {cluster.topics["t"].id: frozenset({0, 3})}
    packed = packed_assignment(cluster, target, version.to_bytes(2, "big"))
    assert version_of(packed) == version
    assert owned_partitions(cluster, packed) == target
    assert owned_partitions(cluster, b"") == {}


def test_unknown_newer_versions_are_read_as_the_newest_known_one() -> None:
    assert version_of(b"\x7f\xff") == 3


@pytest.mark.parametrize("data", [b"", b"\0", b"\xff\xff"])
def test_a_subscription_without_a_version_is_malformed(data: bytes) -> None:
    with pytest.raises(MalformedBytes):
        version_of(data)


PREVIEW: dict[str, Any] = {"group_coordinator_rebalance_protocols": "classic,consumer"}
SUBSCRIPTION = b"\0\0" + encode_bytes(ConsumerProtocolSubscription(topics=["t"]), 0)


def share(*partitions: int) -> bytes:
    row = ConsumerProtocolAssignmentTopicPartition(topic="t", partitions=list(partitions))
    return b"\0\0" + encode_bytes(ConsumerProtocolAssignment(assigned_partitions=[row]), 0)


def classic(kafka: FakeKafka, instance_id: str = "i") -> Member:
    return Member(kafka, instance_id=instance_id, protocols=(("range", SUBSCRIPTION),))


def upgraded(policy: str = "bidirectional", release: str = "4.1") -> tuple[Member, ConsumerMember]:
    """A classic member that has everything, and a newly joined one that uses the consumer protocol."""
    kafka = grouped(release, partitions=4, group_consumer_migration_policy=policy, group_initial_rebalance_delay_ms=0)
    old, new = classic(kafka), ConsumerMember(kafka, "new", assignor="range")
    old.join()
    old.sync({old: share(0, 1, 2, 3)})
    new.join()
    return old, new


@pytest.mark.parametrize("release", ["4.0.0", "4.1", "4.3"])
def test_a_new_member_converts_a_classic_group(release: str) -> None:
    old, new = upgraded(release=release)
    group = group_of(old.kafka)
    assert [m.id for m in group.classic_members] == [old.id]
    assert "g" not in coordinator_of(old.kafka).classic_groups.groups
    assert old.heartbeat() == ErrorCode.REBALANCE_IN_PROGRESS
    assert (new.epoch, new.partitions) == (2, [])


@pytest.mark.parametrize("policy", ["disabled", "downgrade"])
def test_without_the_policy_a_new_member_does_not_convert_a_classic_group(policy: str) -> None:
    old, new = upgraded(policy)
    assert not groups_of(old.kafka).groups
    assert new.join().error_message == "Group g is not a consumer group."
    assert old.heartbeat() == ErrorCode.NONE


def test_a_classic_member_gives_up_partitions_by_joining_again() -> None:
    old, new = upgraded()
    assert old.heartbeat() == ErrorCode.REBALANCE_IN_PROGRESS
    joined = old.join()
    assert joined is not None
    assert (joined.error_code, joined.leader, joined.members) == (ErrorCode.NONE, "", [])
    synced = old.sync()
    assert synced is not None
    assert synced.assignment == share(0, 1)
    new.beat()
    assert new.partitions == [2, 3]


def test_when_the_last_member_of_the_consumer_protocol_leaves_the_group_becomes_classic() -> None:
    old, new = upgraded()
    new.leave()
    assert not groups_of(old.kafka).groups
    group = coordinator_of(old.kafka).classic_groups.groups["g"]
    assert (group.state, list(group.members)) == (State.PREPARING_REBALANCE, [old.id])
    assert old.heartbeat() == ErrorCode.ILLEGAL_GENERATION, "its generation is the group epoch"


def test_without_the_policy_a_group_stays_a_consumer_group() -> None:
    old, new = upgraded("upgrade")
    new.leave()
    assert list(group_of(old.kafka).members) == [old.id]


def test_a_classic_process_that_replaces_the_last_one_converts_the_group() -> None:
    kafka = grouped("4.1", partitions=4)
    new = ConsumerMember(kafka, "new", instance_id="i", assignor="range")
    new.join()
    new.leave(-2)
    old = classic(kafka)
    joined = old.join()
    assert joined is not None
    assert joined.error_code == ErrorCode.NONE
    group = coordinator_of(kafka).classic_groups.groups["g"]
    assert (group.state, group.members[old.id].assignment) == (State.STABLE, share(0, 1, 2, 3))


def test_before_4_0_a_classic_process_that_replaces_the_last_one_does_not_convert_the_group() -> None:
    kafka = grouped("3.9", **PREVIEW, group_consumer_migration_policy="bidirectional")
    new = ConsumerMember(kafka, "new", instance_id="i", assignor="range")
    new.join()
    new.leave(-2)
    classic(kafka).join()
    assert "g" in groups_of(kafka).groups


def test_an_empty_group_changes_its_kind_whatever_the_policy() -> None:
    kafka = grouped("4.1", group_consumer_migration_policy="disabled", group_initial_rebalance_delay_ms=0)
    new = ConsumerMember(kafka)
    new.join()
    new.leave()
    old = classic(kafka, "j")
    joined = old.join()
    assert joined is not None
    assert joined.error_code == ErrorCode.NONE
    assert "g" in coordinator_of(kafka).classic_groups.groups
    assert not groups_of(kafka).groups
    old.leave()
    new.join()
    assert "g" not in coordinator_of(kafka).classic_groups.groups
    assert list(group_of(kafka).members) == ["m"]


def test_protocols_that_no_classic_member_speaks_are_refused() -> None:
    old, _ = upgraded()
    stranger = Member(old.kafka, instance_id="j", protocols=(("other", SUBSCRIPTION),))
    joined = stranger.join()
    assert joined is not None
    assert joined.error_code == ErrorCode.INCONSISTENT_GROUP_PROTOCOL


def test_classic_members_leave_a_consumer_group() -> None:
    old, new = upgraded()
    left = old.leave()
    assert left is not None
    assert list(group_of(new.kafka).members) == ["new"]
