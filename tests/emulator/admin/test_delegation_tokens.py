"""Renewing and ending delegation tokens: who may, and of which. Recorded from 2.8.1 to 4.1.1: token_questions."""

import pytest
from fakekafka import FakeKafka
from fakekafka.admin.delegation_tokens import create, expire, renew
from fakekafka.cluster.broker import Broker
from fakekafka.errors import ApiError, ErrorCode
from fakekafka.security.principal import user

from tests.support.seeded import broker_of

ALICE, BOB, CAROL, ROOT = map(user, ("alice", "bob", "carol", "root"))
NOW, HOUR, MAX = 1_600_000_000_000, 3_600_000, 2**63 - 1
EXPIRED, NOT_OWNER = ErrorCode.DELEGATION_TOKEN_EXPIRED, ErrorCode.DELEGATION_TOKEN_OWNER_MISMATCH


def broker(release: str) -> Broker:
    line = tuple(map(int, release.split(".")[:2]))
    key = "delegation.token.secret.key" if line >= (2, 8) else "delegation.token.master.key"
    return broker_of(FakeKafka(release, config={key: "key"}).boot())


def token(broker: Broker) -> bytes:
    """A token of bob that root requested, and that carol may renew. It expires after an hour."""
    return create(broker, BOB, ROOT, [CAROL], HOUR, NOW).hmac("key")


def refusal(call: object, *arguments: object) -> ErrorCode | None:
    assert callable(call)
    try:
        call(*arguments)
    except ApiError as refused:
        return refused.code
    return None


@pytest.mark.parametrize("release", ["2.8", "3.6", "4.1"])
def test_the_requester_of_a_token_may_neither_renew_nor_end_it(release: str) -> None:
    own = broker(release)
    mac = token(own)
    assert [refusal(renew, own, who, mac, HOUR, NOW) for who in (BOB, CAROL, ROOT, ALICE)] == [
        None, None, NOT_OWNER, NOT_OWNER,
    ]  # fmt: skip
    assert refusal(expire, own, ROOT, mac, -1, NOW) is NOT_OWNER


@pytest.mark.parametrize(
    ("release", "renewing", "ending"),
    [
        ("2.8", NOT_OWNER, NOT_OWNER),
        ("3.7.1", EXPIRED, EXPIRED),
        ("3.7.2", EXPIRED, NOT_OWNER),
        ("3.8.0", EXPIRED, EXPIRED),
        ("3.8.1", EXPIRED, NOT_OWNER),
        ("4.1", EXPIRED, NOT_OWNER),
    ],
)
def test_an_expired_token_of_somebody_else(release: str, renewing: ErrorCode, ending: ErrorCode) -> None:
    own = broker(release)
    mac = token(own)
    assert refusal(renew, own, ALICE, mac, HOUR, NOW + 2 * HOUR) is renewing
    assert refusal(expire, own, ALICE, mac, HOUR, NOW + 2 * HOUR) is ending


@pytest.mark.parametrize(("release", "refused"), [("2.8", EXPIRED), ("3.7.1", EXPIRED), ("3.7.2", None), ("4.1", None)])
def test_an_expired_token_can_be_ended_since_3_7_2(release: str, refused: ErrorCode | None) -> None:
    own = broker(release)
    mac = token(own)
    assert refusal(expire, own, BOB, mac, -1, NOW + 2 * HOUR) is refused


@pytest.mark.parametrize(("release", "time"), [("2.8", NOW), ("3.6", -7), ("3.7.1", -7), ("3.7.2", NOW), ("4.1", NOW)])
def test_the_time_at_which_a_token_was_ended(release: str, time: int) -> None:
    own = broker(release)
    assert expire(own, BOB, token(own), -7, NOW) == time
    assert own.cluster.settings.tokens == {}


@pytest.mark.parametrize(("release", "wraps"), [("2.8", True), ("3.9", True), ("4.0", False)])
def test_a_period_may_lead_around_the_end_of_all_times(release: str, wraps: bool) -> None:
    own = broker(release)
    mac = token(own)
    assert expire(own, BOB, mac, MAX, NOW) == (NOW + MAX - 2**64 if wraps else NOW + HOUR)
