"""Behaviours against single exchanges with real brokers. The replay of whole recordings is elsewhere."""

import pytest
from fakekafka.errors import ErrorCode
from fakekafka.ids import ApiKey
from fakekafka.wire.apis.elect_leaders import ElectLeadersRequest, ElectLeadersResponse
from fakekafka.wire.apis.fetch import FetchRequest, FetchResponse
from fakekafka.wire.apis.find_coordinator import FindCoordinatorRequest, FindCoordinatorResponse
from fakekafka.wire.apis.heartbeat import HeartbeatRequest, HeartbeatResponse
from fakekafka.wire.apis.join_group import JoinGroupRequest, JoinGroupResponse
from fakekafka.wire.apis.leave_group import LeaveGroupRequest, LeaveGroupResponse
from fakekafka.wire.apis.offset_fetch import OffsetFetchRequest, OffsetFetchResponse
from fakekafka.wire.apis.sync_group import SyncGroupRequest, SyncGroupResponse

from tests.emulator.releases.recorded import asked, recorded_profile, scenario
from tests.golden.transcript import End

groups = pytest.mark.parametrize("name", scenario("group_classic"))
fetches = pytest.mark.parametrize("name", scenario("fetch_manners"))


def error_or_end(answer: object) -> ErrorCode | None:
    """The error of the answer, or None if there was no answer, whatever happened to the connection."""
    return None if isinstance(answer, End) else ErrorCode(getattr(answer, "error_code"))  # noqa: B009


@groups
def test_the_empty_group_id_gets_its_error(name: str) -> None:
    errors = {error_or_end(a) for q, a in asked(name, HeartbeatRequest, HeartbeatResponse) if q.group_id == ""}
    errors |= {error_or_end(a) for q, a in asked(name, SyncGroupRequest, SyncGroupResponse) if q.group_id == ""}
    assert errors == {recorded_profile(name).groups.empty_group_id}


@groups
def test_leaving_the_empty_group_id_gets_its_error(name: str) -> None:
    rules = recorded_profile(name).groups
    answers = [a for q, a in asked(name, LeaveGroupRequest, LeaveGroupResponse) if q.group_id == ""]
    assert {error_or_end(answer) for answer in answers} <= {rules.empty_group_id, rules.leave_refused_as}
    if rules.leave_refused_as is not None:
        assert rules.leave_refused_as in {error_or_end(answer) for answer in answers}


@groups
def test_a_join_without_protocols_gets_its_error(name: str) -> None:
    joins = asked(name, JoinGroupRequest, JoinGroupResponse)
    errors = {error_or_end(answer) for join, answer in joins if join.group_id and not join.protocols}
    assert errors == {recorded_profile(name).groups.join_without_protocols}


@groups
def test_an_unknown_type_of_coordinator_gets_its_error(name: str) -> None:
    requests = asked(name, FindCoordinatorRequest, FindCoordinatorResponse)
    errors = {_found(answer) for request, answer in requests if request.key_type not in (0, 1, 2)}
    assert errors <= {recorded_profile(name).groups.unknown_key_type}
    assert errors or recorded_profile(name).release.line.startswith(("0.9", "0.10"))


def _found(answer: FindCoordinatorResponse | End) -> ErrorCode | None:
    """The error of the whole answer, or of its first coordinator (version 4+)."""
    if isinstance(answer, End):
        return None
    return ErrorCode(answer.coordinators[0].error_code if answer.coordinators else answer.error_code)


@fetches
def test_an_unknown_isolation_level_ends_as_recorded(name: str) -> None:
    ends = {
        "close" if answer is End.CLOSED else "error"
        for request, answer in asked(name, FetchRequest, FetchResponse)
        if request.isolation_level not in (0, 1)
    }
    assert ends <= {recorded_profile(name).fetch.unknown_isolation}
    assert ends or recorded_profile(name).release.line.startswith(("0.8", "0.9", "0.10"))


@pytest.mark.parametrize("name", scenario("offsets"))
def test_an_empty_list_of_groups_ends_as_recorded(name: str) -> None:
    ends = {
        "hang" if answer is End.SILENCE else "empty"
        for request, answer in asked(name, OffsetFetchRequest, OffsetFetchResponse, oldest=8)
        if not request.groups
    }
    newest = recorded_profile(name).accepted[ApiKey.OFFSET_FETCH].high
    assert newest < 8 or ends == {recorded_profile(name).offsets.no_groups_fetched}


@pytest.mark.parametrize("name", scenario("admin"))
def test_an_unknown_type_of_election_gets_its_error(name: str) -> None:
    requests = asked(name, ElectLeadersRequest, ElectLeadersResponse)
    errors = {error_or_end(answer) for request, answer in requests if request.election_type not in (0, 1)}
    assert errors <= {recorded_profile(name).topics.unknown_election}
    known = recorded_profile(name).accepted.get(ApiKey.ELECT_LEADERS)
    assert errors or known is None or known.high < 1
