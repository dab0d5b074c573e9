"""Members as values."""

from fakekafka.coordinators.groups.consumer.member import Member, MemberState, assignment

T = b"t" * 16
ME = Member("me", epoch=4, previous_epoch=3, assigned={T: {0: 2, 1: 4}}, revoking={T: {2: 1}})


def test_a_member_in_a_new_epoch_is_still_accepted_with_the_one_before() -> None:
    assert ME.in_epoch(6) == ME._replace(epoch=6, previous_epoch=4)


def test_only_a_stable_member_in_the_target_epoch_has_everything() -> None:
    assert ME.is_reconciled(4)
    assert not ME.is_reconciled(5)
    assert not ME._replace(state=MemberState.UNREVOKED_PARTITIONS).is_reconciled(4)


def test_epochs_make_no_other_partitions() -> None:
    assert assignment(ME.assigned) == {T: frozenset({0, 1})}
    assert not ME.has_other_partitions(ME._replace(assigned={T: {0: 9, 1: 9}}))
    assert ME.has_other_partitions(ME._replace(assigned={T: {0: 2}}))


def test_a_member_can_have_had_everything_from_the_beginning() -> None:
    fresh = ME.since_epoch_0()
    assert (fresh.assigned, fresh.revoking) == ({T: {0: 0, 1: 0}}, {})
