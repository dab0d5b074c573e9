"""Rights: it is decided for every served API which ones it needs, and every guard belongs to an API."""

from typing import Final

import pytest
from fakekafka import FakeKafka
from fakekafka.errors import ErrorCode
from fakekafka.handlers import SERVED
from fakekafka.handlers.rights import GUARDS, guard
from fakekafka.ids import ApiKey as K
from fakekafka.records import v2
from fakekafka.records.record import Record
from fakekafka.wire.apis.alter_client_quotas import (
    AlterClientQuotasRequest,
    AlterClientQuotasResponse,
    EntityData,
    EntryData,
)
from fakekafka.wire.apis.describe_topic_partitions import (
    DescribeTopicPartitionsRequest,
    DescribeTopicPartitionsResponse,
    TopicRequest,
)
from fakekafka.wire.apis.produce import PartitionProduceData, ProduceRequest, ProduceResponse, TopicProduceData
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


def described(kafka: FakeKafka, names: str) -> list[tuple[str | None, int]]:
    request = DescribeTopicPartitionsRequest(topics=[TopicRequest(name=name) for name in names.split(",")], cursor=None)
    found = answer(kafka, request, 0, DescribeTopicPartitionsResponse).topics
    return [(topic.name, topic.error_code) for topic in found]


@pytest.mark.parametrize(
    ("names", "shown"),
    [
        ("k,l,m,n,o,p,q", "pqklmno"),
        ("a,q,b,r,c,s,d,t,e,u,f,v", "aqbrcsdteufv"),
        ("a,q,b,r,c,s,d,t,e,u,f,v,g", "abcdefgqrstuv"),
    ],
)
def test_topics_that_may_not_be_described_are_refused_in_the_order_of_a_map(names: str, shown: str) -> None:
    """Asked of 3.9.1 and 4.3.1."""
    config = {"authorizer.class.name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer"}
    kafka = FakeKafka("4.3", config=config).boot()
    assert described(kafka, names) == [(name, ErrorCode.TOPIC_AUTHORIZATION_FAILED) for name in shown]


def test_a_topic_without_a_name_fails_those_that_may_be_described() -> None:
    """Asked of 3.9.1 to 4.3.1."""
    kafka = FakeKafka("4.3", topics={"a": 1}).boot()
    assert described(kafka, "a,") == [("a", ErrorCode.UNKNOWN_SERVER_ERROR), ("", ErrorCode.UNKNOWN_SERVER_ERROR)]
    assert described(kafka, "a,a,zz") == [("a", ErrorCode.NONE), ("zz", ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)]


@pytest.mark.parametrize(
    ("release", "transactional", "errors"),
    [
        ("1.1", (True, False), [31, 31]),
        ("1.1", (False, True), [53, 53]),
        ("2.0", (False, True), [-1, -1]),
        ("2.1", (True, False), [53, 53]),
        ("2.3", (False, True), [53, 53]),
    ],
)
def test_up_to_2_0_the_last_set_decides_which_right_a_produce_request_needs(
    release: str, transactional: tuple[bool, bool], errors: list[int]
) -> None:
    """Asked of 1.1.1, 2.0.1, 2.1.1 and 2.3.1: records with a producer id, some of them transactional, without a
    transactional id.
    """
    kafka = FakeKafka(release, config={"authorizer.class.name": "kafka.security.auth.SimpleAclAuthorizer"}).boot()
    row = [Record(0, 1_600_000_000_000, 0, b"k", b"v")]
    sets = [
        bytes(v2.build(row, producer_id=9999, producer_epoch=0, base_sequence=0, transactional=flag))
        for flag in transactional
    ]
    topics = [
        TopicProduceData(name=name, partition_data=[PartitionProduceData(index=0, records=data)])
        for name, data in zip("bc", sets, strict=True)
    ]
    done = answer(kafka, ProduceRequest(acks=1, timeout_ms=1000, topic_data=topics), 5, ProduceResponse).responses
    assert [topic.partition_responses[0].error_code for topic in done] == errors


@pytest.mark.parametrize(
    ("release", "told"),
    [("2.7.2", (31, None)), ("2.8.0", (0, "")), ("2.8.1", (31, "Cluster authorization failed."))],
)
def test_2_8_0_answers_forbidden_quotas_as_if_they_were_set(release: str, told: tuple[int, str | None]) -> None:
    """KAFKA-13258. Recorded from 2.7.2 to 2.8.2: acls."""
    kafka = FakeKafka(release, config={"authorizer.class.name": "kafka.security.authorizer.AclAuthorizer"}).boot()
    quotas = [EntryData(entity=[EntityData(entity_type="user", entity_name="u")], ops=[])]
    (done,) = answer(kafka, AlterClientQuotasRequest(entries=quotas), 0, AlterClientQuotasResponse).entries
    assert (done.error_code, done.error_message) == told
