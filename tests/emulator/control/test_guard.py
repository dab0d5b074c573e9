"""Requests by this machine's programs, the server's page and holders of the token are accepted, others are refused."""

import pytest
from fakekafka.control.guard import Guard, Refused, is_loopback
from fakekafka.errors import UsageError

LOCAL = {"host": "127.0.0.1:9099"}
OUTSIDE = {"host": "ci.example:9099"}


@pytest.mark.parametrize(
    "headers",
    [
        LOCAL,
        {"host": "localhost:9099"},
        {"host": "LOCALHOST"},
        {"host": "[::1]:9099"},
        LOCAL | {"origin": "http://127.0.0.1:9099", "sec-fetch-site": "same-origin"},
        LOCAL | {"sec-fetch-site": "none"},
        LOCAL | {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"},
    ],
)
def test_this_machine_and_its_own_page_are_accepted(headers: dict[str, str]) -> None:
    Guard("127.0.0.1", None).check("POST", headers, needs_token=True)


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"host": "evil.example"},
        {"host": "127.0.0.1.evil.example:9099"},
        {"host": "[::2]:9099"},
        LOCAL | {"origin": "http://evil.example"},
        LOCAL | {"origin": "null"},
        LOCAL | {"origin": "https://127.0.0.1:9099"},
        LOCAL | {"origin": "http://127.0.0.1:8000"},
        LOCAL | {"sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors"},
        LOCAL | {"sec-fetch-site": "same-site", "sec-fetch-mode": "cors"},
    ],
)
def test_other_sites_and_foreign_names_of_this_machine_are_refused(headers: dict[str, str]) -> None:
    with pytest.raises(Refused) as refused:
        Guard("127.0.0.1", None).check("GET", headers, needs_token=True)
    assert refused.value.status == 403


@pytest.mark.parametrize("given", [None, "", "Bearer", "Bearer ", "Bearer wrong", "Basic secret", "secret", "Bearer é"])
def test_a_wrong_token_is_refused(given: str | None) -> None:
    headers = OUTSIDE if given is None else OUTSIDE | {"authorization": given}
    with pytest.raises(Refused) as refused:
        Guard("0.0.0.0", "secret").check("GET", headers, needs_token=True)
    assert (refused.value.status, refused.value.headers) == (401, {"WWW-Authenticate": "Bearer"})


def test_the_token_is_accepted_and_the_page_needs_none() -> None:
    guard = Guard("0.0.0.0", "secret")
    guard.check("GET", OUTSIDE | {"authorization": "Bearer secret"}, needs_token=True)
    guard.check("GET", OUTSIDE, needs_token=False)


def test_a_token_can_be_required_on_loopback_too() -> None:
    with pytest.raises(Refused, match="Authorization"):
        Guard("127.0.0.1", "secret").check("GET", LOCAL, needs_token=True)


@pytest.mark.parametrize("token", [None, ""])
def test_an_address_that_other_machines_can_reach_needs_a_token(token: str | None) -> None:
    with pytest.raises(UsageError, match=r"a control API at 0\.0\.0\.0 needs a token"):
        Guard("0.0.0.0", token)


def test_loopback_is_known_by_its_addresses() -> None:
    assert [is_loopback(host) for host in ("127.0.0.1", "127.8.8.8", "::1", "localhost")] == [True] * 4
    assert [is_loopback(host) for host in ("0.0.0.0", "::", "10.0.0.1", "example.org")] == [False] * 4
