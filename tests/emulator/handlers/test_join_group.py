import pytest
from fakekafka.errors import ErrorCode
from fakekafka.ids import ApiKey

from tests.support.group_clients import Member, clock_of, grouped, settled


def test_in_version_0_the_session_timeout_is_the_rebalance_timeout_too() -> None:
    kafka = grouped("3.8")
    settled(Member(kafka, session_ms=8_000, versions={ApiKey.JOIN_GROUP: 0}))
    new = Member(kafka, session_ms=30_000)
    assert new.join() is None
    clock_of(kafka).advance(8_000)
    assert new.joined() is not None


@pytest.mark.parametrize(("version", "protocol"), [(6, ""), (7, None)])
def test_an_error_of_a_join_has_no_protocol(version: int, protocol: str | None) -> None:
    refused = Member(grouped("3.8"), group="", versions={ApiKey.JOIN_GROUP: version}).start_joining()
    assert refused is not None
    assert (refused.error_code, refused.protocol_name) == (ErrorCode.INVALID_GROUP_ID, protocol)


def test_the_leader_gets_the_metadata_of_the_members() -> None:
    kafka = grouped("3.8")
    one = Member(kafka, instance_id="i", protocols=[("a", b"1"), ("b", b"2")])
    joined = one.join()
    assert joined is not None
    assert (joined.protocol_type, joined.protocol_name) == ("consumer", "a")
    assert [(m.member_id, m.group_instance_id, m.metadata) for m in joined.members] == [(one.id, "i", b"1")]


@pytest.mark.parametrize(("release", "hangs"), [("0.10.2", False), ("0.11.0", True), ("1.0", False)])
def test_0_11_never_answers_a_member_without_protocols(release: str, hangs: bool) -> None:
    kafka = grouped(release)
    member = Member(kafka, protocols=[])
    assert (member.start_joining() is None) == hangs
    clock_of(kafka).advance(600_000)
    assert member.joined() is None


def test_a_client_without_a_client_id_gets_a_member_id_that_begins_with_a_dash() -> None:
    kafka = grouped("3.8")
    member = Member(kafka)
    member.client_id = None
    member.join()
    assert member.id.startswith("-")


@pytest.mark.parametrize(("release", "fails"), [("2.4.1", False), ("2.5.0", True), ("3.3.1", True), ("3.3.2", False)])
def test_a_static_member_fails_the_join_of_an_old_leader_up_to_3_3_1(release: str, fails: bool) -> None:
    """KAFKA-14422. Recorded from 2.4.1 to 3.3.2: patch_questions."""
    kafka = grouped(release)
    old = Member(kafka, versions={ApiKey.JOIN_GROUP: 4})
    settled(old)
    static = Member(kafka, instance_id="i")
    assert static.join() is None
    for _ in range(2):
        joined = old.start_joining()
        assert joined is not None
        assert joined.error_code == (ErrorCode.UNSUPPORTED_VERSION if fails else ErrorCode.NONE)
    assert (static.joined() is None) == fails


@pytest.mark.parametrize(("release", "version", "answered"), [("2.4", 5, True), ("2.4", 6, False), ("2.5", 6, True)])
def test_2_4_never_answers_a_join_of_version_6_over_which_it_fails(release: str, version: int, answered: bool) -> None:
    member = Member(grouped(release), versions={ApiKey.JOIN_GROUP: version})
    member.start_joining()
    member.instance_id = "i"  # which does not go with an id that was only given out
    refused = member.start_joining()
    assert (refused is not None) is answered
    assert refused is None or refused.error_code == ErrorCode.UNKNOWN_SERVER_ERROR
