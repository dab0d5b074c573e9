"""DescribeAcls. The answers were asked of the releases that are named."""

import pytest
from fakekafka import FakeKafka
from fakekafka.wire.apis.describe_acls import DescribeAclsResponse
from fakekafka.wire.frames import request_frame

from tests.support.acls import VERSION, create, described, entry, everything, guarded
from tests.support.brokers import CLIENT_ID, answer


@pytest.mark.parametrize(("release", "words"), [("2.4", None), ("2.5", ""), ("4.2", "")])
def test_without_entries_the_answer_is_empty(release: str, words: str | None) -> None:
    response = answer(guarded(release), everything(), VERSION[release], DescribeAclsResponse)
    assert (response.error_code, response.error_message, list(response.resources)) == (0, words, [])


def test_matching_entries_are_grouped_by_resource() -> None:
    kafka = guarded("3.9")
    create(kafka, 3, entry(who="User:a"), entry(name="pre", pattern=4), entry(who="User:b"))
    wanted = everything()
    wanted.pattern_type_filter, wanted.resource_type_filter, wanted.resource_name_filter = 2, 2, "t"
    assert described(kafka, 3, wanted) == [("t", ["User:a", "User:b"])]
    wanted.resource_name_filter = "prefix"
    assert described(kafka, 3, wanted) == [("pre", ["User:a"])]


@pytest.mark.parametrize(("release", "closed"), [("2.7", False), ("2.8", True), ("4.2", True)])
def test_an_empty_filter_finds_nothing_or_closes_the_connection(release: str, closed: bool) -> None:
    wanted = everything()
    wanted.operation = 0
    client = guarded(release).connect()
    assert (client.send(request_frame(wanted, VERSION[release], 1, CLIENT_ID)) == b"") == closed
    assert client.closed == closed


def test_entries_outlive_the_broker() -> None:
    kafka = guarded("2.3")
    create(kafka, 1, entry())
    kafka.restart()
    assert described(kafka, 1) == [("t", ["User:a"])]


def test_without_an_authorizer_security_is_off() -> None:
    response = answer(FakeKafka("2.3").boot(), everything(), 1, DescribeAclsResponse)
    assert (response.error_code, response.error_message) == (54, "No Authorizer is configured on the broker")


@pytest.mark.parametrize(("release", "closed"), [("2.7", False), ("2.8", True), ("4.2", True)])
def test_an_empty_filter_closes_the_connection_without_an_authorizer_too(release: str, closed: bool) -> None:
    """Recorded from 1.1.1 to 4.3.1: odd_requests."""
    wanted = everything()
    wanted.operation = 0
    client = FakeKafka(release).boot().connect()
    assert (client.send(request_frame(wanted, VERSION[release], 1, CLIENT_ID)) == b"") == closed
    assert client.closed == closed
