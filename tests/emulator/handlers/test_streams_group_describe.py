"""Streams groups as they are described."""

from fakekafka import FakeKafka
from fakekafka.wire.apis.streams_group_describe import (
    DescribedGroup,
    StreamsGroupDescribeRequest,
    StreamsGroupDescribeResponse,
)

from tests.support.brokers import answer
from tests.support.streams_group_clients import STATEFUL, StreamsMember, described, settle, streaming


def ask(kafka: FakeKafka, *group_ids: str, version: int = 0, topology: bool = False) -> list[DescribedGroup]:
    request = StreamsGroupDescribeRequest(group_ids=list(group_ids), include_authorized_operations=True)
    request.include_topology_description = topology
    return answer(kafka, request, version, StreamsGroupDescribeResponse).groups


def test_a_group_is_described_with_its_members_and_topology() -> None:
    kafka = streaming()
    member = StreamsMember(kafka, topology=STATEFUL)
    member.join()
    settle(member)
    (group,) = ask(kafka, "g")
    assert (group.group_state, group.group_epoch, group.assignment_epoch) == ("Stable", 3, 3)
    assert group.authorized_operations == 3400
    assert group.topology is not None
    (part,) = group.topology.subtopologies or []
    assert [(topic.name, topic.partitions) for topic in part.state_changelog_topics] == [("t-changelog", 4)]
    (found,) = group.members
    assert (found.member_id, found.process_id, found.is_classic) == ("m", "m", False)
    assert found.assignment == found.target_assignment
    assert [row.partitions for row in found.assignment.active_tasks] == [[0, 1, 2, 3]]


def test_partition_counts_of_internal_topics_are_reported_once_a_heartbeat_has_seen_them() -> None:
    kafka = streaming()
    member = StreamsMember(kafka, topology=STATEFUL)
    member.join()
    for partitions in (0, 4):
        topology = described(kafka).topology
        assert topology is not None
        (part,) = topology.subtopologies or []
        assert [topic.partitions for topic in part.state_changelog_topics] == [partitions]
        member.beat()


def test_an_empty_group_id_is_answered_first() -> None:
    kafka = streaming()
    StreamsMember(kafka).join()
    found = ask(kafka, "g", "", "h")
    assert [(group.group_id, group.error_code) for group in found] == [("", 24), ("g", 0), ("h", 69)]
    assert found[1].topology is not None
    assert found[2].topology is None


def test_no_description_of_the_topology_is_stored() -> None:
    kafka = streaming("4.4")
    StreamsMember(kafka).join()
    statuses = [ask(kafka, "g", version=1, topology=asked)[0].topology_description_status for asked in (False, True)]
    assert statuses == [0, 1]
    assert ask(kafka, "g", version=1)[0].assignor_name == "sticky"
