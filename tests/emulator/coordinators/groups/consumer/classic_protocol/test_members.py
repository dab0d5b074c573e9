"""Members of consumer groups that speak the classic protocol."""

from fakekafka.errors import ErrorCode

from tests.emulator.coordinators.groups.consumer.classic_protocol.test_migration import classic, upgraded
from tests.support.consumer_group_clients import ConsumerMember, group_of, settle
from tests.support.group_clients import Member, clock_of


def joined() -> tuple[Member, ConsumerMember]:
    """One member of each kind; the classic one has [0, 1]."""
    old, new = upgraded()
    old.join()
    old.sync()
    settle(new)
    return old, new


def test_the_generation_of_a_classic_member_is_its_member_epoch() -> None:
    old, new = joined()
    assert old.generation == group_of(new.kafka).members[old.id].epoch == 2
    assert old.heartbeat() == ErrorCode.NONE
    old.generation = 1
    assert old.heartbeat() == ErrorCode.ILLEGAL_GENERATION


def test_a_classic_member_that_does_not_join_a_rebalance_is_removed() -> None:
    old, new = joined()
    new.beat(subscribed_topic_names=["t", "u"])
    third = ConsumerMember(old.kafka, "third", assignor="range")
    third.join()
    assert old.heartbeat() == ErrorCode.REBALANCE_IN_PROGRESS
    for _ in range(7):
        clock_of(old.kafka).advance(10_000)
        settle(new, third)
    assert old.id not in group_of(old.kafka).members


def test_a_member_that_does_not_sync_is_removed() -> None:
    old, new = upgraded()
    old.join()
    for _ in range(7):
        clock_of(old.kafka).advance(10_000)
        settle(new)
    assert list(group_of(new.kafka).members) == ["new"]


def test_unknown_members_are_refused() -> None:
    old, _ = joined()
    stranger = classic(old.kafka, "j")
    stranger.id, stranger.generation = "nobody", 2
    assert stranger.heartbeat() in {ErrorCode.UNKNOWN_MEMBER_ID, ErrorCode.FENCED_INSTANCE_ID}
