"""DeleteAcls. The answers were asked of the releases that are named."""

import pytest
from fakekafka import FakeKafka
from fakekafka.admin import acl_changes
from fakekafka.wire.apis.delete_acls import DeleteAclsFilter, DeleteAclsRequest, DeleteAclsResponse
from fakekafka.wire.frames import request_frame

from tests.support.acls import VERSION, create, described, entry, guarded
from tests.support.brokers import CLIENT_ID, answer


def wanted(name: str | None, operation: int = 1) -> DeleteAclsFilter:
    return DeleteAclsFilter(
        resource_type_filter=2,
        resource_name_filter=name,
        pattern_type_filter=1,
        principal_filter=None,
        host_filter=None,
        operation=operation,
        permission_type=1,
    )


def removed(kafka: FakeKafka, version: int, *filters: DeleteAclsFilter) -> list[list[int]]:
    """The operations of the entries that each filter matched according to the answer."""
    response = answer(kafka, DeleteAclsRequest(filters=list(filters)), version, DeleteAclsResponse)
    return [[acl.operation for acl in result.matching_acls] for result in response.filter_results]


@pytest.mark.parametrize(
    ("release", "found"),
    [
        ("2.3", [[], [3, 4], []]),
        ("2.4", [[3], [4], []]),
        ("3.2", [[3], [4], []]),
        ("3.9", [[3], [3, 4], []]),
        ("4.2", [[3], [3, 4], []]),
    ],
)
def test_an_entry_that_two_filters_match_is_reported_as_the_release_does(release: str, found: list[list[int]]) -> None:
    kafka, version = guarded(release), VERSION[release]
    create(kafka, version, entry(), entry(operation=4), entry(name="other"))
    assert removed(kafka, version, wanted("t", 3), wanted("t"), wanted("nobody")) == found
    assert described(kafka, version) == [("other", ["User:a"])]


@pytest.mark.parametrize(("release", "closed"), [("2.7", False), ("2.8", True), ("4.2", True)])
def test_an_empty_filter_removes_nothing_or_closes_the_connection(release: str, closed: bool) -> None:
    kafka, version = guarded(release), VERSION[release]
    create(kafka, version, entry())
    client = kafka.connect()
    client.send(request_frame(DeleteAclsRequest(filters=[wanted(None, 0)]), version, 1, CLIENT_ID))
    assert client.closed == closed
    assert len(described(kafka, version)) == 1


def test_without_an_authorizer_security_is_off() -> None:
    request = DeleteAclsRequest(filters=[wanted("t")])
    (result,) = answer(FakeKafka("2.3").boot(), request, 1, DeleteAclsResponse).filter_results
    assert (result.error_code, result.error_message) == (54, "No Authorizer is configured on the broker.")


def test_entries_and_filters_are_compared_in_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(acl_changes, "PER_STEP", 10)
    kafka = guarded("3.9")
    entries = [entry(name=name) for name in "abcdef"]
    create(kafka, 3, *entries)
    asking = kafka.connect()
    filters = [wanted("none"), wanted("none"), wanted("a"), wanted("f")]
    asking.connection.receive(request_frame(DeleteAclsRequest(filters=filters), 3, 1, CLIENT_ID))
    asking.core.step(asking.connection)
    assert asking.connection.has_request
    assert removed(kafka, 3, wanted("f")) == [[3]]  # another client removes it meanwhile
    steps = 1
    while asking.connection.has_request:
        asking.core.step(asking.connection)
        steps += 1
    assert steps == 3  # six entries and four filters
    assert [name for name, _ in described(kafka, 3)] == ["b", "c", "d", "e"]
    assert removed(kafka, 3, wanted("b"), wanted("none")) == [[3], []]
