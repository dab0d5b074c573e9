import pytest
from fakekafka import FakeKafka
from fakekafka.wire.apis.list_groups import ListGroupsRequest, ListGroupsResponse

from tests.support.brokers import answer
from tests.support.group_clients import Member, grouped, settled, simple


def listed(kafka: FakeKafka, version: int, states: list[str], kinds: list[str]) -> list[tuple[str, str, str, str]]:
    request = ListGroupsRequest(states_filter=states, types_filter=kinds)
    done = answer(kafka, request, version, ListGroupsResponse)
    assert done.error_code == 0
    return sorted((g.group_id, g.protocol_type, g.group_state, g.group_type) for g in done.groups)


@pytest.mark.parametrize(("release", "with_offsets"), [("0.9.0", False), ("0.10.1", True), ("4.3", True)])
def test_groups_with_members_are_listed_and_since_0_10_1_those_with_offsets(release: str, with_offsets: bool) -> None:
    kafka = grouped(release)
    settled(Member(kafka, "members"))
    simple(kafka, "offsets").commit(5)
    expected = [("members", "consumer", "", "")] + [("offsets", "", "", "")] * with_offsets
    assert listed(kafka, 0, [], []) == expected


def test_newer_versions_show_states_and_types_and_filter_by_them() -> None:
    kafka = grouped("3.8")
    settled(Member(kafka, "members"))
    simple(kafka, "offsets").commit(5)
    stable, empty = ("members", "consumer", "Stable"), ("offsets", "", "Empty")
    assert listed(kafka, 4, [], []) == [(*stable, ""), (*empty, "")]
    assert listed(kafka, 4, ["Empty"], []) == [(*empty, "")]
    assert listed(kafka, 5, ["Stable"], ["classic"]) == [(*stable, "classic")]
    assert listed(kafka, 5, [], ["consumer"]) == []
