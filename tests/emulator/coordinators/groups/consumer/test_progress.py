"""How requests of members change epochs and the target assignment."""

from collections.abc import Mapping

from fakekafka.coordinators.groups.consumer.group import Member, MemberState
from fakekafka.coordinators.groups.consumer.progress import Aim, reconciled
from hypothesis import given
from hypothesis import strategies as st

from tests.support.consumer_group_clients import ConsumerMember, group_of
from tests.support.group_clients import clock_of, grouped

T, U = b"t" * 16, b"u" * 16
ME = Member("me", epoch=4, previous_epoch=3, assigned={T: {0: 2, 1: 4}})
MINE = {(T, 0), (T, 1)}


def aim(
    target: Mapping[bytes, set[int]], owned: set[tuple[bytes, int]], reported: set[int] | None, epoch: int = 5
) -> Aim:
    said = None if reported is None else {T: frozenset(reported)}
    return Aim(epoch, {topic: frozenset(p) for topic, p in target.items()}, owned, said)


def test_a_member_that_has_everything_stays_as_it_is() -> None:
    assert reconciled(ME, aim({T: {0, 1}}, MINE, None, epoch=4)) is ME


def test_a_newer_target_with_the_same_partitions_only_moves_the_epoch() -> None:
    led = reconciled(ME, aim({T: {0, 1}}, MINE, None))
    assert led == ME._replace(epoch=5, previous_epoch=4)


def test_free_partitions_are_assigned_at_once_with_the_epoch_of_the_target() -> None:
    led = reconciled(ME, aim({T: {0, 1, 2}}, MINE, None))
    assert (led.state, led.assigned) == (MemberState.STABLE, {T: {0: 2, 1: 4, 2: 5}})


def test_a_member_waits_for_partitions_that_another_one_has() -> None:
    led = reconciled(ME, aim({T: {0, 1, 2, 3}}, {*MINE, (T, 3)}, None))
    assert (led.state, led.assigned, led.epoch) == (MemberState.UNRELEASED_PARTITIONS, {T: {0: 2, 1: 4, 2: 5}}, 5)
    done = reconciled(led, aim({T: {0, 1, 2, 3}}, MINE, None))
    assert (done.state, done.assigned) == (MemberState.STABLE, {T: {0: 2, 1: 4, 2: 5, 3: 5}})


def test_a_member_gives_up_before_it_gets_anything() -> None:
    led = reconciled(ME, aim({T: {0}, U: {0}}, MINE, {0, 1}))
    assert (led.state, led.epoch) == (MemberState.UNREVOKED_PARTITIONS, 4)
    assert (led.assigned, led.revoking) == ({T: {0: 2}}, {T: {1: 4}})
    assert reconciled(led, aim({T: {0}, U: {0}}, MINE, {0, 1})) is led
    assert reconciled(led, aim({T: {0}, U: {0}}, MINE, None)) is led, "who says nothing still has it"
    done = reconciled(led, aim({T: {0}, U: {0}}, MINE, {0}))
    assert (done.state, done.epoch, done.assigned, done.revoking) == (MemberState.STABLE, 5, {T: {0: 2}, U: {0: 5}}, {})


def test_a_member_that_has_given_up_its_partitions_goes_on_at_once() -> None:
    led = reconciled(ME, aim({T: {0}}, MINE, {0}))
    assert (led.state, led.epoch, led.assigned) == (MemberState.STABLE, 5, {T: {0: 2}})


def test_up_to_4_1_giving_up_more_partitions_takes_another_epoch() -> None:
    led = reconciled(ME, aim({T: {0}}, MINE, {0, 1}))
    again = reconciled(led, aim({T: set()}, MINE, {0}, epoch=7))
    assert (again.state, again.epoch) == (MemberState.UNREVOKED_PARTITIONS, 5)
    straight = reconciled(led, aim({T: set()}, MINE, {0}, epoch=7)._replace(skips_epochs=True))
    assert (straight.state, straight.epoch) == (MemberState.UNREVOKED_PARTITIONS, 4)


def test_from_4_2_on_topics_without_subscription_are_given_up_before_the_next_target() -> None:
    dropped = aim({T: {0, 1}}, MINE, None, epoch=4)._replace(
        subscribed=frozenset({U}), subscription_changed=True, skips_epochs=True
    )
    led = reconciled(ME, dropped)
    assert (led.state, led.assigned, led.revoking) == (MemberState.UNREVOKED_PARTITIONS, {}, {T: {0: 2, 1: 4}})
    kept = dropped._replace(subscribed=frozenset({T}))
    assert reconciled(ME, kept) is ME


partitions = st.sets(st.integers(0, 4))


@given(partitions, st.lists(st.tuples(partitions, partitions, st.booleans()), max_size=6))
def test_no_partition_is_given_twice(others: set[int], steps: list[tuple[set[int], set[int], bool]]) -> None:
    """Whatever the target and the report, a member never gets partitions that others have, and no partition is both
    assigned and being revoked.
    """
    member = Member("me")
    for n, (target, others_now, honest) in enumerate(steps, 1):
        others = others_now - set(member.assigned.get(T, {})) - set(member.revoking.get(T, {}))
        mine = {(T, p) for part in (member.assigned, member.revoking) for p in part.get(T, {})}
        reported = set(member.assigned.get(T, {})) if honest else {p for _, p in mine}
        member = reconciled(member, aim({T: target}, mine | {(T, p) for p in others}, reported, epoch=n))
        assigned, revoking = set(member.assigned.get(T, {})), set(member.revoking.get(T, {}))
        assert not assigned & revoking
        assert not assigned & others
        assert assigned <= target or member.state is MemberState.UNREVOKED_PARTITIONS


def epochs(member: ConsumerMember) -> tuple[int, int, int]:
    group = group_of(member.kafka)
    return group.epoch, group.assignment_epoch, group.members[member.id].epoch


def test_a_heartbeat_without_changes_changes_nothing() -> None:
    member = ConsumerMember(grouped("4.1"))
    member.join()
    assert epochs(member) == (1, 1, 1)
    member.beat()
    assert epochs(member) == (1, 1, 1)


def test_a_changed_subscription_makes_a_new_epoch() -> None:
    member = ConsumerMember(grouped("4.1"))
    member.join()
    member.beat(subscribed_topic_names=["t", "u"])
    assert epochs(member) == (2, 2, 2)


def test_a_new_topic_makes_a_new_epoch() -> None:
    kafka = grouped("4.1")
    member = ConsumerMember(kafka, topics=["t", "u"])
    member.join()
    kafka.create_topic("u", partitions=1)
    member.beat()
    assert epochs(member) == (2, 2, 2)
    assert member.owned["u"] == [0]


def test_partitions_are_revoked_before_the_epoch_is_reached() -> None:
    kafka = grouped("4.1", partitions=2)
    one, two = ConsumerMember(kafka, "a"), ConsumerMember(kafka, "b")
    one.join()
    two.join()
    one.send(one.epoch)
    group = group_of(kafka)
    assert group.members["a"].state is MemberState.UNREVOKED_PARTITIONS
    assert epochs(one) == (2, 2, 1)
    assert (epochs(two), two.partitions) == ((2, 2, 2), [])


def test_4_3_assigns_at_most_once_per_interval() -> None:
    kafka = grouped("4.3", group_consumer_assignment_interval_ms=1000)
    one, two = ConsumerMember(kafka, "a"), ConsumerMember(kafka, "b")
    one.join()
    two.join()
    group = group_of(kafka)
    assert group.epoch == group.assignment_epoch + 1
    assert group.state == "Assigning"
    clock_of(kafka).advance(1001)
    two.beat()
    assert group.epoch == group.assignment_epoch
