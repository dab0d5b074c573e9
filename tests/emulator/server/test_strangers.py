"""Clients that speak another protocol, or log in where no login is needed: the journal and the report say so."""

import logging
import socket
import ssl

import pytest
from fakekafka import FakeKafka
from fakekafka.server.strangers import what_it_is

from tests.support.librdkafka import librdkafka_producer


def turned_away(kafka: FakeKafka, first: bytes) -> str:
    with socket.create_connection((kafka.host, kafka.port), timeout=30) as client:
        client.sendall(first)
        while client.recv(4096):
            pass
    (refused,) = kafka.refused_connections
    assert f"turned away: {refused.why}" in kafka.summary()
    return refused.why


@pytest.mark.parametrize("release", ["0.8.2", "2.3", "4.3"])
def test_an_http_client_is_noted(release: str) -> None:
    with FakeKafka(release) as kafka:
        words = turned_away(kafka, b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert words == "an HTTP client connected to a PLAINTEXT listener: Kafka's port is not a web server"


def test_a_real_tls_client_is_noted() -> None:
    with FakeKafka("2.3") as kafka:
        context = ssl.create_default_context()
        with (
            socket.create_connection((kafka.host, kafka.port), timeout=30) as client,
            pytest.raises((ssl.SSLError, ConnectionError)),
            context.wrap_socket(client, server_hostname="localhost"),
        ):
            pass
        assert kafka._runtime.wait_until(lambda: bool(kafka.refused_connections), 30)
        (refused,) = kafka.refused_connections
        assert refused.why.startswith(
            "a TLS client connected to a PLAINTEXT listener: give it security.protocol=PLAINTEXT"
        )


def test_a_frame_that_is_too_large_is_noted() -> None:
    with FakeKafka("2.3") as kafka:
        assert turned_away(kafka, b"\x7f\xff\xff\xff") == (
            "a frame of 2147483647 bytes, which is negative or more than socket.request.max.bytes allows"
        )


@pytest.mark.parametrize(
    ("release", "request_", "words"),
    [
        ("2.3", "0003 0063", "the client asked Metadata v99; Kafka 2.3.1 has v0 to v8"),
        ("2.3", "004e 0000", "the client asked ShareFetch v0, which Kafka 2.3.1 does not have"),
        ("4.3", "0000 0002", "the client asked Produce v2; Kafka 4.3.1 has v3 to v13"),
        ("4.3", "03e8 0000", "the client asked API 1000 v0, which Kafka does not have"),
        ("4.3", "0003 0008", "the client asked Metadata v8 in bytes that cannot be read"),
    ],
)
def test_a_request_that_a_release_does_not_have_is_noted(release: str, request_: str, words: str) -> None:
    with FakeKafka(release) as kafka:
        frame = bytes.fromhex(request_) + (b"\0\0\0\1" + b"\xff\xff" if words.endswith("have") else b"\0\0\0\1\0")
        assert turned_away(kafka, len(frame).to_bytes(4, "big") + frame) == words


def test_a_real_sasl_client_on_a_listener_without_logins_is_noted() -> None:
    with FakeKafka("2.3") as kafka:
        login = {"sasl.mechanism": "PLAIN", "sasl.username": "alice", "sasl.password": "wonderland"}
        servers = {"bootstrap.servers": kafka.bootstrap_servers, "security.protocol": "SASL_PLAINTEXT"}
        with librdkafka_producer(servers | login, logger=logging.getLogger("silent")):
            assert kafka._runtime.wait_until(lambda: bool(kafka.refused_connections), 30)
        assert "a SASL client (PLAIN) connected to a PLAINTEXT listener, which takes no logins" in kafka.summary()


@pytest.mark.parametrize("method", ["GET ", "POST", "PUT ", "HEAD", "OPTI", "DELE"])
def test_each_method_of_http_is_known(method: str) -> None:
    assert what_it_is(int.from_bytes(method.encode(), "big"), "SASL_PLAINTEXT").startswith(
        "an HTTP client connected to a SASL"
    )


def test_negative_sizes_are_not_strangers() -> None:
    assert what_it_is(-1, "PLAINTEXT").startswith("a frame of -1 bytes")
