"""Rights: it is decided for every served API which ones it needs, and every guard belongs to an API."""

from typing import Final

import pytest
from fakekafka import FakeKafka
from fakekafka.errors import ErrorCode
from fakekafka.handlers import SERVED
from fakekafka.handlers.rights import GUARDS, guard
from fakekafka.ids import ApiKey as K
from fakekafka.wire.apis.share_fetch import FetchPartition, FetchTopic, ShareFetchRequest, ShareFetchResponse

from tests.support.brokers import answer

DECIDED_ELSEWHERE: Final = {
    K.ENVELOPE: "refused to everybody: only controllers open one",
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


@pytest.mark.parametrize(
    ("release", "member_id", "error"),
    [
        ("4.2", "", ErrorCode.INVALID_REQUEST),
        ("4.2", "m", ErrorCode.SHARE_SESSION_NOT_FOUND),
        ("4.1", "", ErrorCode.UNKNOWN_SERVER_ERROR),
    ],
)
def test_share_fetch_checks_the_member_before_its_session_if_a_topic_is_unknown(
    release: str, member_id: str, error: ErrorCode
) -> None:
    """KafkaApis.handleShareFetchRequest reads the member's id, then asks for the session, then for rights."""
    rules = {"authorizer.class.name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer"}
    everyone = {"allow.everyone.if.no.acl.found": "true"}
    kafka = FakeKafka(release, config={**rules, **everyone}, features={"share.version": 1}).boot()
    unknown = FetchTopic(topic_id=b"x" * 16, partitions=[FetchPartition(partition_index=0, acknowledgement_batches=[])])
    asked = ShareFetchRequest(
        group_id="g",
        member_id=member_id,
        share_session_epoch=5,
        max_wait_ms=0,
        min_bytes=0,
        max_bytes=1,
        topics=[unknown],
        forgotten_topics_data=[],
    )
    assert answer(kafka, asked, 1, ShareFetchResponse).error_code == error
