"""Damaged logins and handshakes: nobody is let in, nobody else notices, and strangers cost little memory."""

import os
import socket
import ssl
from collections.abc import Iterator
from contextlib import suppress
from typing import Final

import pytest
from fakekafka import FakeKafka, ManualClock
from fakekafka.ids import ApiKey
from fakekafka.server.inbox import LARGE, MOST_OF_STRANGERS
from fakekafka.server.memory import MemoryClient
from fakekafka.wire.apis.metadata import MetadataRequest
from fakekafka.wire.apis.sasl_authenticate import SaslAuthenticateRequest
from fakekafka.wire.apis.sasl_handshake import SaslHandshakeRequest
from fakekafka.wire.frames import SIZE, request_frame
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.fuzz.damage import damaged
from tests.support.handled import handled

EXAMPLES: Final = int(os.environ.get("FUZZ_EXAMPLES", "25"))
RELEASES: Final = ("0.10.2", "1.0", "2.3", "3.9", "4.3")
MECHANISMS: Final = ("PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512", "OAUTHBEARER")
TOKENS: Final = (
    b"\0alice\0wrong",
    b"n,,n=alice,r=abcdefgh",
    b"n,a=alice,n=alice,r=abcdefgh,tokenauth=true",
    b"c=biws,r=abcdefgh,p=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
    b"n,,\x01auth=Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJhbGljZSIsImV4cCI6MX0.\x01\x01",
)
"""Wrong tokens."""


def sasl_of(release: str) -> list[str]:
    return list(MECHANISMS[:3] if release in ("0.10.2", "1.0") else MECHANISMS)


@st.composite
def conversations(draw: st.DrawFn, release: str) -> list[bytes]:
    """What a hostile client sends in place of a login, in the right order, damaged here and there."""
    version = 0 if release == "0.10.2" else draw(st.integers(0, 1))
    shake = request_frame(SaslHandshakeRequest(mechanism=draw(st.sampled_from(sasl_of(release)))), version, 1, "c")
    found = [shake[SIZE.size :]]
    for _ in range(draw(st.integers(1, 3))):
        token = draw(damaged(draw(st.sampled_from(TOKENS))))
        frame = request_frame(SaslAuthenticateRequest(auth_bytes=token), 0, 2, "c")[SIZE.size :]
        found.append(frame if version else token)
    found.append(request_frame(MetadataRequest(topics=[]), 0, 3, "c")[SIZE.size :])
    at = draw(st.integers(0, len(found) - 1))
    found[at] = draw(damaged(found[at]))
    return [SIZE.pack(len(frame)) + frame for frame in found]


def log_in(client: MemoryClient) -> None:
    client.send(request_frame(SaslHandshakeRequest(mechanism="PLAIN"), 0, 1, "other"))
    token = b"\0alice\0wonderland"
    assert client.send(SIZE.pack(len(token)) + token) == SIZE.pack(0)


@pytest.mark.parametrize("release", RELEASES)
@settings(max_examples=EXAMPLES, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_damaged_logins_let_nobody_in(release: str, data: st.DataObject) -> None:
    clock = ManualClock()
    kafka = FakeKafka(release, users={"alice": "wonderland"}, sasl=sasl_of(release), clock=clock)
    with kafka.boot(), handled() as calls:
        other, bad = kafka.connect(), kafka.connect()
        log_in(other)
        for frame in data.draw(conversations(release)):
            if not bad.closed and not bad.connection.is_closing:
                bad.send(frame)
            assert other.send(request_frame(MetadataRequest(topics=[]), 0, 4, "other"))
        clock.advance(10_000)
        assert kafka.failures == ()
        served = {call.connection_id for call in calls if call.key is not ApiKey.API_VERSIONS}
        assert served == {other.connection.id}


@pytest.mark.parametrize("release", ["0.10.2", "3.9"])
def test_a_stranger_costs_no_more_memory_than_it_sends(release: str) -> None:
    with FakeKafka(release, users={"alice": "wonderland"}, clock=ManualClock()).boot() as kafka:
        client = kafka.connect()
        client.send(SIZE.pack(MOST_OF_STRANGERS))
        assert len(client.connection.space()) <= 2 * LARGE


def test_a_release_without_a_limit_of_its_own_keeps_no_more_than_others() -> None:
    with FakeKafka("0.10.2", users={"alice": "wonderland"}, clock=ManualClock()).boot() as kafka:
        client = kafka.connect()
        client.send(SIZE.pack(1 << 30))
        client.send(bytes(MOST_OF_STRANGERS))
        assert not client.closed
        client.send(bytes(1 << 17))
        assert client.closed


# ---- TLS


@pytest.fixture(scope="module")
def encrypted() -> Iterator[FakeKafka]:
    with FakeKafka("3.9", tls=True) as kafka:
        yield kafka


def client_hello(kafka: FakeKafka) -> bytes:
    """The first bytes that a good client sends."""
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    tls = ssl.create_default_context(cafile=str(kafka.tls.ca_file)).wrap_bio(
        incoming, outgoing, server_hostname="localhost"
    )
    with suppress(ssl.SSLWantReadError):
        tls.do_handshake()
    return outgoing.read()


@settings(max_examples=EXAMPLES, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_damaged_handshakes_disturb_nobody_else(encrypted: FakeKafka, data: st.DataObject) -> None:
    shot = data.draw(damaged(client_hello(encrypted)))
    with socket.create_connection((encrypted.host, encrypted.port), timeout=30) as bad, suppress(ConnectionError):
        bad.sendall(shot)
        bad.shutdown(socket.SHUT_WR)
        while bad.recv(65536):
            pass
    context = ssl.create_default_context(cafile=str(encrypted.tls.ca_file))
    raw = socket.create_connection((encrypted.host, encrypted.port), timeout=30)
    with context.wrap_socket(raw, server_hostname="localhost") as good:
        good.sendall(request_frame(MetadataRequest(topics=[]), 0, 1, "good"))
        assert good.recv(4)
    assert encrypted.failures == ()
    assert {entry.call.client_id for entry in encrypted.requests} == {"good"}
    assert all(refused.why for refused in encrypted.refused_connections)
