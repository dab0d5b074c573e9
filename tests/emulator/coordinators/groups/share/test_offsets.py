"""Where share groups start to read, for administrators."""

import pytest
from fakekafka.coordinators.groups.share.offsets import alter, delete, start_offset, stated_topics
from fakekafka.coordinators.hosted import coordinators_of
from fakekafka.errors import ApiError, ErrorCode

from tests.support.seeded import broker_of
from tests.support.share_group_clients import ShareMember, groups_of, place, shared, state_of


def left() -> ShareMember:
    """A member that has read two of six records and left."""
    member = ShareMember(shared(records=6))
    member.join()
    member.got()
    member.says((0, 1, [1]))
    member.acknowledge(epoch=-1)
    member.send(-1)
    return member


def test_the_start_offset_and_the_lag_are_described() -> None:
    member = left()
    found = start_offset(broker_of(member.kafka), place(member.kafka))
    assert (found.offset, found.lag) == (2, 4)
    assert [s.name for s in stated_topics(groups_of(member.kafka), "g").values()] == ["t"]
    assert start_offset(broker_of(member.kafka), place(member.kafka, group="other")).offset == -1


def test_a_share_group_without_members_can_start_elsewhere() -> None:
    member = left()
    alter(groups_of(member.kafka), "g", {"t": {0: 5}})
    assert state_of(member.kafka).start == 5
    member.connection.disconnect()
    member.connection = member.kafka.connect()
    member.session_epoch = member.epoch = 0
    member.join()
    assert member.got() == [(5, 5, 1)]
    with pytest.raises(ApiError) as refused:
        alter(groups_of(member.kafka), "g", {"t": {0: 0}})
    assert refused.value.code is ErrorCode.NON_EMPTY_GROUP


def test_the_leader_learns_that_offsets_were_changed_when_it_stores_an_acknowledgement() -> None:
    member = left()  # its connection stays, and with it what the leader knows
    alter(groups_of(member.kafka), "g", {"t": {0: 5}})
    member.session_epoch = member.epoch = 0
    member.join()
    assert member.got() == [(2, 5, 2)]
    refused = member.acknowledge((2, 2, [1])).responses[0].partitions[0]
    assert refused.error_code == ErrorCode.NOT_LEADER_OR_FOLLOWER
    assert (refused.error_message or "").startswith("Error in write state RPC. The share coordinator rejected")
    assert [member.got(), member.got()] == [[], [(5, 5, 1)]]  # the first has the state read again


def test_a_share_group_begins_at_its_offsets() -> None:
    kafka = shared(records=3)
    alter(groups_of(kafka), "g", {"t": {0: 2}})
    assert state_of(kafka).start == 2
    alter(groups_of(kafka), "h", {})
    assert "h" not in groups_of(kafka).groups


def test_offsets_are_deleted_topic_by_topic() -> None:
    member = left()
    answers = delete(groups_of(member.kafka), "g", ["t", "nope"])
    assert [answer.error for answer in answers] == [ErrorCode.NONE, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION]
    assert coordinators_of(broker_of(member.kafka)).share.states.read(place(member.kafka)) is None
    (again,) = delete(groups_of(member.kafka), "g", ["t"])
    assert again.words == "There is no offset information to delete."
    with pytest.raises(ApiError):
        delete(groups_of(member.kafka), "unknown", ["t"])
