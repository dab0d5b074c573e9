"""Signed tokens of OAUTHBEARER: which tokens are accepted, which keys count, and how clients use them."""

import asyncio
import base64
import json
import time
from collections.abc import Iterator
from typing import Any

import pytest
from aiokafka import AIOKafkaProducer
from fakekafka import FakeKafka, ManualClock
from fakekafka.errors import BrokerWillNotStart, UsageError
from fakekafka.server.memory import MemoryClient
from fakekafka.settings.oauth import TokenIssuer
from fakekafka.wire.apis.sasl_authenticate import SaslAuthenticateRequest, SaslAuthenticateResponse
from fakekafka.wire.apis.sasl_handshake import SaslHandshakeRequest
from fakekafka.wire.frames import read_response, request_frame
from kafka import KafkaProducer

from tests.support.librdkafka import librdkafka_producer

NOW_S = 1_600_000_000


@pytest.fixture(scope="module")
def issuer() -> TokenIssuer:
    return TokenIssuer(audience="kafka", now_s=lambda: NOW_S)


@pytest.fixture(params=["3.1", "3.9", "4.3"])
def kafka(request: pytest.FixtureRequest, issuer: TokenIssuer) -> Iterator[FakeKafka]:
    clock = ManualClock(NOW_S * 1000)
    with FakeKafka(request.param, oauth=issuer, clock=clock).boot() as kafka:
        yield kafka
        assert kafka.failures == ()


def log_in(client: MemoryClient, token: str) -> SaslAuthenticateResponse:
    client.send(request_frame(SaslHandshakeRequest(mechanism="OAUTHBEARER"), 1, 1, "c"))
    first = f"n,,\x01auth=Bearer {token}\x01\x01".encode()
    answer = client.send(request_frame(SaslAuthenticateRequest(auth_bytes=first), 1, 2, "c"))
    return read_response(SaslAuthenticateResponse, 1, answer[4:])[1]


def refusal(kafka: FakeKafka, token: str) -> str:
    """Why a token is refused, as the journal reports it to tests."""
    client = kafka.connect()
    assert bytes(log_in(client, token).auth_bytes) == b'{"status":"invalid_token"}'
    client.send(request_frame(SaslAuthenticateRequest(auth_bytes=b"\x01"), 1, 3, "c"))
    assert not client.connection.is_known
    return kafka.refused_connections[-1].why


def test_a_good_token_is_accepted(kafka: FakeKafka, issuer: TokenIssuer) -> None:
    client = kafka.connect()
    answer = log_in(client, issuer.token("alice", lifetime_s=60))
    assert (answer.error_code, bytes(answer.auth_bytes)) == (0, b"")
    assert str(client.connection.principal) == "User:alice"


@pytest.mark.parametrize(
    ("claims", "why"),
    [
        ({"exp": NOW_S - 30}, "it has expired"),
        ({"exp": None}, "it needs the claims exp and iat"),
        ({"iat": None}, "it needs the claims exp and iat"),
        ({"nbf": NOW_S + 31}, "it is not valid yet"),
        ({"aud": "other"}, "its audience is not one of kafka"),
        ({"aud": None}, "its audience is not one of kafka"),
        ({"iss": "other"}, "its issuer is not fakekafka"),
        ({"sub": ""}, "it needs the claim sub"),
        ({"sub": 7}, "it needs the claim sub"),
    ],
    ids=str,
)
def test_bad_claims_are_refused(kafka: FakeKafka, issuer: TokenIssuer, claims: dict[str, Any], why: str) -> None:
    assert refusal(kafka, issuer.token("alice", **claims)) == f"its token is refused: {why}"


@pytest.mark.parametrize("claims", [{"exp": NOW_S - 29}, {"nbf": NOW_S + 30}, {"aud": ["x", "kafka"]}], ids=str)
def test_unusual_claims_are_accepted(kafka: FakeKafka, issuer: TokenIssuer, claims: dict[str, Any]) -> None:
    assert not bytes(log_in(kafka.connect(), issuer.token("alice", **claims)).auth_bytes)


def test_a_token_of_another_issuer_is_refused(kafka: FakeKafka) -> None:
    stranger = TokenIssuer(audience="kafka", now_s=lambda: NOW_S)
    assert "no key" in refusal(kafka, stranger.token("alice"))


def _with_header(token: str, **header: str) -> str:
    _, claims, signature = token.split(".")
    return ".".join((base64.urlsafe_b64encode(json.dumps(header).encode()).decode().rstrip("="), claims, signature))


def test_a_signature_that_does_not_fit_is_refused(kafka: FakeKafka, issuer: TokenIssuer) -> None:
    header, claims, signature = issuer.token("alice").split(".")
    other = issuer.token("root").split(".")[1]
    assert "its signature" in refusal(kafka, f"{header}.{other}.{signature}")
    kid = issuer.jwks["keys"][0]["kid"]  # type: ignore[index]
    for algorithm in ("none", "HS256", "ES256", "PS256", ""):
        assert "its signature" in refusal(kafka, _with_header(issuer.token("alice"), alg=algorithm, kid=kid))
    assert "its signature" in refusal(kafka, f"{header}.{claims}.")


@pytest.mark.parametrize("token", ["a", "a.b", "a.b.c", "a.b.c.d", "e30.e30.e30", "W10.W10.W10"])
def test_text_that_is_not_a_token_is_refused(kafka: FakeKafka, token: str) -> None:
    assert refusal(kafka, token)


def test_an_unsecured_token_is_not_a_signed_one(kafka: FakeKafka, issuer: TokenIssuer) -> None:
    header = base64.urlsafe_b64encode(b'{"alg":"none"}').decode().rstrip("=")
    assert refusal(kafka, f"{header}.{issuer.token('alice').split('.')[1]}.")


def test_a_new_key_counts_once_it_has_been_fetched() -> None:
    issuer = TokenIssuer()
    with FakeKafka("3.9", oauth=issuer, clock=ManualClock(int(time.time() * 1000))).boot() as kafka:
        issuer.renew_key()
        assert "no key" in refusal(kafka, issuer.token("alice"))
        broker = kafka._running.cluster.brokers[0]
        sasl = broker.listeners[0].sasl
        assert sasl is not None
        keys = sasl.validate.__self__._find_key.__self__  # type: ignore[union-attr]
        keys._fetching.join()
        assert not bytes(log_in(kafka.connect(), issuer.token("alice")).auth_bytes)


def test_keys_may_come_over_http() -> None:
    issuer = TokenIssuer()
    with issuer.serve() as url:
        config = {"sasl.oauthbearer.jwks.endpoint.url": f"{url}/jwks"}
        with FakeKafka("3.9", oauth=issuer, config=config, clock=ManualClock(int(time.time() * 1000))).boot() as kafka:
            assert not bytes(log_in(kafka.connect(), issuer.token("alice")).auth_bytes)


@pytest.mark.parametrize("url", ["file:///nowhere/jwks.json", "nonsense", "http://127.0.0.1:1/jwks"])
def test_a_broker_without_keys_does_not_start(issuer: TokenIssuer, url: str) -> None:
    with pytest.raises(BrokerWillNotStart):
        FakeKafka("3.9", oauth=issuer, config={"sasl.oauthbearer.jwks.endpoint.url": url}).boot()


def test_signed_tokens_are_refused_where_they_cannot_be_used(issuer: TokenIssuer) -> None:
    with pytest.raises(UsageError, match=r"3\.1 is the first release"):
        FakeKafka("2.8", oauth=issuer)
    with pytest.raises(UsageError, match="OAUTHBEARER"):
        FakeKafka("3.9", oauth=issuer, sasl=["PLAIN"])


# ---- clients


@pytest.fixture(scope="module", params=[False, True], ids=["plain", "tls"])
def started(request: pytest.FixtureRequest) -> Iterator[FakeKafka]:
    with FakeKafka("3.9", oauth=True, tls=request.param, topics={"t": 1}) as kafka:
        yield kafka
        assert kafka.failures == ()


def users(kafka: FakeKafka) -> set[str]:
    return {str(entry.call.principal) for entry in kafka.requests if entry.call.key.name == "PRODUCE"}


def test_kafka_python_logs_in_with_a_signed_token(started: FakeKafka) -> None:
    producer = KafkaProducer(**started.client_config("kafka-python", user="kafka-python"))
    producer.send("t", b"x").get(timeout=20)
    producer.close()
    assert "User:kafka-python" in users(started)


def test_confluent_kafka_logs_in_with_a_signed_token(started: FakeKafka) -> None:
    with librdkafka_producer(started.client_config("confluent-kafka", user="confluent")) as producer:
        producer.poll(0)
        producer.produce("t", b"x")
        assert producer.flush(20) == 0
    assert "User:confluent" in users(started)


def test_aiokafka_logs_in_with_a_signed_token(started: FakeKafka) -> None:
    async def produce() -> None:
        producer = AIOKafkaProducer(**started.client_config("aiokafka", user="aio"))
        await producer.start()
        await producer.send_and_wait("t", b"x")
        await producer.stop()

    asyncio.run(produce())
    assert "User:aio" in users(started)


def test_a_client_logs_in_with_tokens_that_it_fetches() -> None:
    with FakeKafka("3.9", oauth=True, topics={"t": 1}) as kafka, kafka.oauth.serve() as url:
        config = {
            "bootstrap.servers": kafka.bootstrap_servers,
            "security.protocol": "SASL_PLAINTEXT",
            "sasl.mechanism": "OAUTHBEARER",
            "sasl.oauthbearer.method": "oidc",
            "sasl.oauthbearer.client.id": "service-1",
            "sasl.oauthbearer.client.secret": "anything",
            "sasl.oauthbearer.token.endpoint.url": f"{url}/token",
        }
        with librdkafka_producer(config) as producer:
            producer.produce("t", b"x")
            assert producer.flush(20) == 0
        assert users(kafka) == {"User:service-1"}
