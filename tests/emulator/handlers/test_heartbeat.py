import pytest
from fakekafka.errors import ErrorCode
from fakekafka.ids import ApiKey

from tests.support.group_clients import Member, grouped, settled


@pytest.mark.parametrize("version", range(5))
def test_a_heartbeat_is_accepted_in_every_version(version: int) -> None:
    member = Member(grouped("3.8"), versions={ApiKey.HEARTBEAT: version})
    settled(member)
    assert member.heartbeat() is ErrorCode.NONE
    member.generation = 7
    assert member.heartbeat() is ErrorCode.ILLEGAL_GENERATION


@pytest.mark.parametrize(("version", "error"), [(2, ErrorCode.NONE), (3, ErrorCode.FENCED_INSTANCE_ID)])
def test_instance_ids_exist_since_version_3(version: int, error: ErrorCode) -> None:
    kafka = grouped("3.8")
    member, static = Member(kafka, versions={ApiKey.HEARTBEAT: version}), Member(kafka, instance_id="i")
    settled(member, static)
    member.instance_id = "i"
    assert member.heartbeat() is error
