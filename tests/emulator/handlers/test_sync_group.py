import pytest
from fakekafka.errors import ErrorCode
from fakekafka.ids import ApiKey
from fakekafka.wire.apis.sync_group import SyncGroupRequest, SyncGroupResponse

from tests.support.brokers import answer
from tests.support.group_clients import Member, grouped, settled


@pytest.mark.parametrize(("version", "error"), [(4, ErrorCode.NONE), (5, ErrorCode.INCONSISTENT_GROUP_PROTOCOL)])
def test_a_sync_must_name_the_protocol_since_version_5(version: int, error: ErrorCode) -> None:
    kafka = grouped("3.8")
    member = Member(kafka)
    settled(member)
    request = SyncGroupRequest(group_id="g", generation_id=1, member_id=member.id)
    assert answer(kafka, request, version, SyncGroupResponse).error_code == error


def test_the_answer_to_a_sync_names_the_protocol_beside_the_assignment() -> None:
    kafka = grouped("3.8")
    one, two = Member(kafka), Member(kafka)
    settled(one, two)
    shared = two.sync()
    assert shared is not None
    assert (shared.protocol_type, shared.protocol_name, shared.assignment) == ("consumer", "range", b"1")


def test_old_versions_of_a_sync_have_nothing_but_the_assignment() -> None:
    kafka = grouped("0.9.0")
    member = Member(kafka, versions={ApiKey.SYNC_GROUP: 0})
    settled(member)
    shared = member.sync()
    assert shared is not None
    assert shared.assignment == b"0"
