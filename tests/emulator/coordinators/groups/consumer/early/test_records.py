"""Records of the early access (3.7), read as they were written."""

import pytest
from fakekafka.coordinators.groups.consumer.early.records import EARLY_TYPES, current_record_by, with_early_current
from fakekafka.coordinators.groups.consumer.group import Early, Member, MemberState
from fakekafka.coordinators.groups.consumer.records import TYPES, member_record
from fakekafka.releases.behaviours.consumer_groups import ConsumerGroupsBehaviour
from fakekafka.releases.profile import profile
from fakekafka.releases.release import Release
from fakekafka.wire.internal.early_consumer_group_records import EarlyCurrentMemberAssignmentValue

T = b"t" * 16
REVOKES = MemberState.UNREVOKED_PARTITIONS


@pytest.fixture
def rules() -> ConsumerGroupsBehaviour:
    return profile(Release.parse("3.7")).consumer_groups


def test_the_assignment_of_a_member_is_read_as_it_was_written(rules: ConsumerGroupsBehaviour) -> None:
    led = Member(
        "m", epoch=1, state=REVOKES, assigned={T: {0: 1}}, revoking={T: {1: 1}}, early=Early(2, {T: frozenset({3})})
    )
    key, value = EARLY_TYPES.encoded(current_record_by(rules, "g", led))
    _, read = EARLY_TYPES.decoded(8, key, value)
    assert isinstance(read, EarlyCurrentMemberAssignmentValue)
    assert with_early_current(Member("m"), read) == led


def test_the_record_of_a_member_has_another_layout_than_in_3_8() -> None:
    """Recorded from 3.7.2: the member ends with an empty list of the client's assignors, and with no tag."""
    record = member_record("g", Member("m", topics=frozenset({"t"})))
    (key, early), (_, later) = EARLY_TYPES.encoded(record), TYPES.encoded(record)
    assert early is not None
    assert later is not None
    assert early.endswith(b"\0\1\0")
    assert later.endswith(b"\0\1\0\1\0")
    assert EARLY_TYPES.decoded(5, key, early) == TYPES.decoded(5, key, later)
