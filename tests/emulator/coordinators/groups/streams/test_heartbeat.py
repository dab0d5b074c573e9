"""Members of streams groups come and stay."""

import pytest
from fakekafka.errors import ErrorCode
from fakekafka.wire.apis.streams_group_heartbeat import Endpoint, TaskIds

from tests.support.streams_group_clients import (
    PLAIN,
    STATEFUL,
    StreamsMember,
    described,
    group_of,
    part,
    plan,
    settle,
    streaming,
)

every_release = pytest.mark.parametrize("release", ["4.2", "4.3", "4.4"])


@every_release
def test_the_first_member_gets_every_task_in_epoch_2(release: str) -> None:
    member = StreamsMember(streaming(release))
    member.join()
    assert (member.epoch, member.tasks) == (2, [("0", n) for n in range(4)])
    assert member.beat().active_tasks is None, "nothing has changed"
    assert described(member.kafka).group_state == "Stable"


@every_release
def test_two_members_hand_tasks_over(release: str) -> None:
    kafka = streaming(release)
    one, two = StreamsMember(kafka, "one"), StreamsMember(kafka, "two")
    one.join()
    two.join()
    assert two.tasks == []
    one.beat()
    assert two.beat().active_tasks is None, "the other one has not given up yet"
    settle(one, two)
    assert sorted([*one.tasks, *two.tasks]) == [("0", n) for n in range(4)]
    assert len(one.tasks) == 2
    assert described(kafka).group_state == "Stable"


def test_a_changed_description_of_a_member_raises_the_epoch() -> None:
    member = StreamsMember(streaming())
    member.join()
    member.join()
    assert member.epoch == 2, "it said the same"
    member.join(process_id="other")
    assert member.epoch == 3
    member.beat(rebalance_timeout_ms=5)
    assert member.epoch == 4


def test_a_member_with_a_wrong_epoch_must_join_again() -> None:
    member = StreamsMember(streaming())
    member.join()
    member.beat(rebalance_timeout_ms=5)
    fenced = ErrorCode.FENCED_MEMBER_EPOCH
    assert [member.send(epoch).error_code for epoch in (9, 1, 2)] == [fenced, fenced, fenced]
    rows = [TaskIds(subtopology_id="0", partitions=[0])]
    said = member.send(2, active_tasks=rows, standby_tasks=[], warmup_tasks=[])
    assert (said.error_code, said.member_epoch) == (0, 3), "it had not heard of its epoch, and has what it may have"


def test_tasks_that_a_member_owns_must_exist() -> None:
    member = StreamsMember(streaming())
    member.join()
    for row in (TaskIds(subtopology_id="0", partitions=[4]), TaskIds(subtopology_id="9", partitions=[0])):
        assert member.beat(active_tasks=[row]).error_code == ErrorCode.INVALID_REQUEST


def test_a_group_has_one_topology() -> None:
    kafka = streaming()
    StreamsMember(kafka, "new", topology=plan(part("0", ["t"]), epoch=1)).join()
    old = StreamsMember(kafka, "old", topology=plan(part("0", ["u"]), epoch=0))
    (status,) = old.join().status or []
    assert status.status_code == 0
    assert status.status_detail == "The member's topology epoch 0 is behind the group's topology epoch 1."
    for topology in (plan(part("0", ["t"]), epoch=2), plan(part("0", ["u"]), epoch=1), plan(epoch=1)):
        refused = StreamsMember(kafka, "x", topology=topology).join()
        assert refused.error_message == "Topology updates are not supported yet."
    assert group_of(kafka).state == "Reconciling"


def test_a_group_has_room_for_a_limited_number_of_members() -> None:
    kafka = streaming(group_streams_max_size=1)
    member = StreamsMember(kafka)
    member.join()
    assert StreamsMember(kafka, "two").join().error_code == ErrorCode.GROUP_MAX_SIZE_REACHED
    assert member.join().error_code == ErrorCode.GROUP_MAX_SIZE_REACHED, "even who is in cannot join again"


def test_changed_endpoints_are_reported() -> None:
    kafka = streaming()
    member = StreamsMember(kafka)
    first = member.join(user_endpoint=Endpoint(host="h", port=1))
    assert first.endpoint_information_epoch == 0
    (told,) = first.partitions_by_user_endpoint or []
    assert (told.user_endpoint.host, told.active_partitions[0].partitions) == ("h", [0, 1, 2, 3])
    assert member.beat().partitions_by_user_endpoint is None
    other = StreamsMember(kafka, "two").join(user_endpoint=Endpoint(host="g", port=2))
    assert other.endpoint_information_epoch == 1
    assert [one.user_endpoint.host for one in other.partitions_by_user_endpoint or []] == ["h", "g"]


def test_an_endpoint_is_an_unknown_error_while_a_topic_is_missing() -> None:
    member = StreamsMember(streaming(), topology=plan(part("0", ["no"])))
    assert member.join(user_endpoint=Endpoint(host="h", port=1)).error_code == ErrorCode.UNKNOWN_SERVER_ERROR


def test_a_shutdown_asked_for_by_the_first_heartbeat_is_forgotten() -> None:
    member = StreamsMember(streaming())
    (status,) = member.join(shutdown_application=True).status or []
    assert status.status_code == 4
    assert member.beat().status == []
    (status,) = member.beat(shutdown_application=True).status or []
    assert status.status_code == 4


def test_a_streams_group_continues_after_a_restart() -> None:
    kafka = streaming()
    one, two = StreamsMember(kafka, "one", topology=STATEFUL), StreamsMember(kafka, "two", topology=STATEFUL)
    one.join()
    two.join()
    settle(one, two)
    before = (one.epoch, one.active, two.epoch, two.active)
    kafka.restart()
    settle(one, two)
    assert (one.epoch, one.active, two.epoch, two.active) == before
    assert group_of(kafka).state == "Stable"


def test_a_first_heartbeat_that_is_refused_leaves_nothing() -> None:
    member = StreamsMember(streaming())
    assert member.join(topology=plan(part("0"))).error_code == ErrorCode.STREAMS_INVALID_TOPOLOGY
    assert member.join(topology=plan(part("0", ["t"]), epoch=-1)).error_code == ErrorCode.UNKNOWN_SERVER_ERROR
    assert member.beat().error_code == ErrorCode.INVALID_REQUEST
    assert member.send(1).error_message == "Streams group g not found."
    assert member.join(topology=PLAIN).error_code == ErrorCode.NONE
