"""Rights: every API that is served has a decision about them, and every guard belongs to an API."""

from typing import Final

import pytest
from fakekafka.handlers import SERVED
from fakekafka.handlers.rights import GUARDS, guard
from fakekafka.ids import ApiKey as K

DECIDED_ELSEWHERE: Final = {
    K.FETCH: "asks within its handler, for each partition and for followers",
    K.CREATE_DELEGATION_TOKEN: "asks within its handler: tokens of others need CreateTokens on the owner",
    K.DESCRIBE_DELEGATION_TOKEN: "asks within its handler, for each token of somebody else",
    K.RENEW_DELEGATION_TOKEN: "belongs to the owner and the renewers of the token",
    K.EXPIRE_DELEGATION_TOKEN: "belongs to the owner and the renewers of the token",
}
FREE: Final = {
    K.API_VERSIONS: "open to everybody, before the login as well",
    K.SASL_HANDSHAKE: "part of the login",
    K.SASL_AUTHENTICATE: "part of the login",
    K.GET_TELEMETRY_SUBSCRIPTIONS: "open to every client (KIP-714)",
    K.PUSH_TELEMETRY: "open to every client (KIP-714)",
}


def test_every_api_that_is_served_has_a_decision_about_rights() -> None:
    guarded = {key for keys in GUARDS.values() for key in keys}
    assert guarded | DECIDED_ELSEWHERE.keys() | FREE.keys() == set(SERVED)
    assert not guarded & (DECIDED_ELSEWHERE.keys() | FREE.keys())


@pytest.mark.parametrize("module", GUARDS)
def test_every_guard_can_be_called(module: str) -> None:
    for key in GUARDS[module]:
        assert callable(guard(key)), key.name
