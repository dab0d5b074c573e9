"""What ShareFetch and ShareAcknowledge have in common."""

from fakekafka.coordinators.share_partitions.partitions import find
from fakekafka.errors import ErrorCode
from fakekafka.storage.partition import Partition

from tests.support.clusters import formed, state_of
from tests.support.seeded import broker_of
from tests.support.share_group_clients import ShareMember, place, shared


def joined() -> ShareMember:
    member = ShareMember(shared(records=4))
    member.join()
    member.got()
    return member


def test_partitions_are_found_by_id() -> None:
    kafka = shared()
    topic = place(kafka).topic
    assert isinstance(find(broker_of(kafka), (topic, 0)), Partition)
    assert find(broker_of(kafka), (topic, 9)) is ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
    assert find(broker_of(kafka), (b"x" * 16, 0)) is ErrorCode.UNKNOWN_TOPIC_ID


def test_acknowledgements_must_be_well_formed() -> None:
    member = joined()
    for ack in [(0, 0, [9]), (0, 1, [1, 1, 1]), (1, 0, [1]), (0, 0, [])]:
        assert member.says(ack) == ErrorCode.INVALID_REQUEST
    assert member.says((1, 1, [1]), (0, 0, [1])) == ErrorCode.INVALID_REQUEST
    assert member.says((0, 3, [1, 2, 3, 0])) == ErrorCode.NONE


def test_a_request_needs_an_existing_session() -> None:
    member = joined()
    assert member.acknowledge(epoch=9).error_code == ErrorCode.INVALID_SHARE_SESSION_EPOCH
    assert member.acknowledge(epoch=0).error_code == ErrorCode.INVALID_SHARE_SESSION_EPOCH
    assert ShareMember(member.kafka, "x").acknowledge(epoch=1).error_code == ErrorCode.SHARE_SESSION_NOT_FOUND
    assert ShareMember(member.kafka, "").acknowledge(epoch=1).error_code == ErrorCode.INVALID_REQUEST


def test_a_broker_that_does_not_lead_names_the_leader() -> None:
    kafka = formed("4.3", brokers=2)
    leads = state_of(kafka).leader
    member = ShareMember(kafka)
    member.connection = kafka.connect(1 - leads)
    fetched = member.fetch()
    assert fetched.responses[0].partitions[0].error_code == ErrorCode.NOT_LEADER_OR_FOLLOWER
    said = member.acknowledge((0, 0, [1]))
    rows = fetched.responses[0].partitions[0], said.responses[0].partitions[0]
    assert [row.current_leader.leader_id for row in rows] == [leads, leads]
    assert [[node.node_id for node in answer.node_endpoints] for answer in (fetched, said)] == [[leads], [leads]]
