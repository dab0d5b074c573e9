"""Client libraries log in, with or without TLS, and may do what the rules say."""

import asyncio
import gc
import ssl
from collections.abc import Iterator
from pathlib import Path

import pytest
from aiokafka import AIOKafkaProducer
from fakekafka.emulator import FakeKafka
from kafka import KafkaConsumer, KafkaProducer
from kafka.errors import TopicAuthorizationFailedError

from tests.support.librdkafka import librdkafka_producer

ACLS = [
    "User:alice allow Read,Write,Describe topic orders",
    "User:alice allow Read group shop-*",
    "User:alice allow IdempotentWrite cluster",
]
IN_SHORT = ["User:alice allow Read,Write topic orders", "User:alice allow Read group shop-*"]
USERS = {"alice": "wonderland", "bob": "builder"}
TOPICS = {"orders": 1, "secret": 1}


@pytest.fixture(params=[("3.9", False), ("3.9", True), ("2.3", True), ("4.3", True)], ids=str)
def kafka(request: pytest.FixtureRequest) -> Iterator[FakeKafka]:
    release, tls = request.param
    with FakeKafka(release, users=USERS, tls=tls, acls=ACLS, topics=TOPICS, sasl=["PLAIN", "SCRAM-SHA-512"]) as kafka:
        yield kafka
        assert kafka.failures == ()


@pytest.mark.parametrize("mechanism", ["PLAIN", "SCRAM-SHA-512"])
def test_kafka_python_logs_in_and_is_held_to_the_rules(kafka: FakeKafka, mechanism: str) -> None:
    config = kafka.client_config("kafka-python", user="alice", mechanism=mechanism)
    producer = KafkaProducer(**config)
    producer.send("orders", b"one").get(timeout=20)
    with pytest.raises(TopicAuthorizationFailedError):
        producer.send("secret", b"two").get(timeout=20)
    producer.close()
    consumer = KafkaConsumer(
        "orders", group_id="shop-1", auto_offset_reset="earliest", consumer_timeout_ms=20_000, **config
    )
    assert next(consumer).value == b"one"
    consumer.close()
    assert "User:alice allow Describe topic secret" in {denial.allowed_by for denial in kafka.why_denied()}


@pytest.mark.parametrize("mechanism", ["PLAIN", "SCRAM-SHA-512"])
def test_confluent_kafka_logs_in_and_is_held_to_the_rules(kafka: FakeKafka, mechanism: str) -> None:
    told: dict[str | None, object] = {}
    config = kafka.client_config("confluent-kafka", user="alice", mechanism=mechanism)
    with librdkafka_producer(config) as producer:
        for topic in ("orders", "secret"):
            producer.produce(topic, b"x", on_delivery=lambda error, message: told.update({message.topic(): error}))
        assert producer.flush(20) == 0
    assert told["orders"] is None
    assert told["secret"] is not None
    assert [record.value for record in kafka.records("orders")] == [b"x"]


def test_aiokafka_logs_in_and_is_held_to_the_rules(kafka: FakeKafka) -> None:
    async def produce() -> None:
        producer = AIOKafkaProducer(**kafka.client_config("aiokafka", user="alice"))
        await producer.start()
        await producer.send_and_wait("orders", b"x")
        await producer.stop()

    asyncio.run(produce())
    assert [record.value for record in kafka.records("orders")] == [b"x"]


def test_a_user_without_a_right_sees_no_topic(kafka: FakeKafka) -> None:
    consumer = KafkaConsumer(**kafka.client_config("kafka-python", user="bob"))
    assert consumer.topics() == set()
    consumer.close()


def test_a_certificate_is_a_principal() -> None:
    config = {"ssl.client.auth": "required"}
    rules = ["User:CN=svc-1,OU=shop allow Write,Describe topic orders"]
    with FakeKafka("3.9", tls=True, config=config, acls=rules, topics=TOPICS) as kafka:
        certificate = kafka.tls.client_certificate("CN=svc-1,OU=shop")
        own = {"ssl_certfile": str(certificate.cert_file), "ssl_keyfile": str(certificate.key_file)}
        producer = KafkaProducer(enable_idempotence=False, **kafka.client_config("kafka-python"), **own)
        producer.send("orders", b"one").get(timeout=20)
        producer.close()
        assert [record.value for record in kafka.records("orders")] == [b"one"]


def test_rules_for_certificates_do_not_concern_a_client_that_logs_in() -> None:
    """Kafka asks its SslPrincipalMapper on listeners of the protocol SSL only (DefaultKafkaPrincipalBuilder)."""
    config = {
        "listener.name.sasl_ssl.ssl.client.auth": "required",
        "ssl.principal.mapping.rules": "RULE:^CN=admin$/admin/",
    }
    with FakeKafka("3.9", users=USERS, tls=True, config=config, acls=ACLS, topics=TOPICS) as kafka:
        certificate = kafka.tls.client_certificate("CN=svc")
        own = {"ssl_certfile": str(certificate.cert_file), "ssl_keyfile": str(certificate.key_file)}
        producer = KafkaProducer(max_block_ms=20_000, **kafka.client_config("kafka-python", user="alice"), **own)
        producer.send("orders", b"one").get(timeout=20)
        producer.close()
        assert [record.value for record in kafka.records("orders")] == [b"one"]
        assert kafka.refused_connections == []


def test_a_client_that_stalls_in_its_handshake_delays_nobody(kafka: FakeKafka) -> None:
    import socket

    with socket.create_connection((kafka.host, kafka.port)) as stalled:
        stalled.sendall(b"\x16\x03\x01")  # the beginning of a ClientHello, or of a frame's size
        producer = KafkaProducer(**kafka.client_config("kafka-python", user="alice"))
        producer.send("orders", b"one").get(timeout=20)
        producer.close()
    assert [record.value for record in kafka.records("orders")] == [b"one"]


@pytest.mark.parametrize("name", ["localhost", "broker-1.example", None])
def test_whatever_server_name_a_client_asks_for_it_gets_the_one_certificate(name: str | None) -> None:
    """Kafka's key manager, SunX509, does not look at SNI."""
    import socket

    with FakeKafka("3.9", tls=True) as kafka:
        context = ssl.create_default_context(cafile=str(kafka.tls.ca_file))
        context.check_hostname = False
        raw = socket.create_connection((kafka.host, kafka.port), timeout=20)
        with context.wrap_socket(raw, server_hostname=name) as client:
            names = client.getpeercert()["subjectAltName"]  # type: ignore[index]
    assert ("DNS", "localhost") in names


def test_large_records_go_through_tls_both_ways() -> None:
    value = bytes(range(256)) * 3000
    with FakeKafka("3.9", tls=True, topics=TOPICS) as kafka:
        config = kafka.client_config("kafka-python")
        producer = KafkaProducer(max_request_size=2_000_000, **config)
        for _ in range(5):
            producer.send("orders", value).get(timeout=20)
        producer.close()
        consumer = KafkaConsumer("orders", auto_offset_reset="earliest", consumer_timeout_ms=20_000, **config)
        assert [next(consumer).value == value for _ in range(5)] == [True] * 5
        consumer.close()


def test_a_client_that_does_not_speak_tls_is_turned_away_alone() -> None:
    import socket

    with FakeKafka("3.9", tls=True) as kafka:
        with socket.create_connection((kafka.host, kafka.port)) as stranger:
            stranger.sendall(b"\0\0\0\x0a" + bytes(10))
            stranger.settimeout(20)
            while stranger.recv(100):
                pass
        context = ssl.create_default_context(cafile=str(kafka.tls.ca_file))
        raw = socket.create_connection((kafka.host, kafka.port))
        with context.wrap_socket(raw, server_hostname=kafka.host) as secured:
            assert secured.version() in ("TLSv1.2", "TLSv1.3")
        assert kafka.failures == ()


# ---- what a user writes, in short and with Kafka's own properties


def test_users_tls_and_rules_in_one_call() -> None:
    minted = files_after_use()
    gc.collect()
    assert not any(file.exists() for file in minted)


def files_after_use() -> list[Path]:
    """A consumer reads; the files are those that were minted for it and for another client."""
    with FakeKafka("3.9", users={"alice": "wonderland"}, tls=True, acls=IN_SHORT, topics={"orders": 1}) as kafka:
        kafka.send("orders", b"one")
        config = kafka.client_config("kafka-python", user="alice")
        assert config["security_protocol"] == "SASL_SSL"
        consumer = KafkaConsumer(
            "orders", **config, group_id="shop-1", auto_offset_reset="earliest", consumer_timeout_ms=20_000
        )
        assert next(consumer).value == b"one"
        consumer.close()
        assert kafka.why_denied() == []
        certificate = kafka.tls.client_certificate("CN=svc-1")
        minted = [kafka.tls.ca_file, certificate.cert_file, certificate.key_file]
        assert all(file.exists() for file in minted)
        assert certificate.key_file.stat().st_mode & 0o077 == 0
        return minted


@pytest.mark.parametrize("release", ["2.3", "3.9", "4.3"])
def test_properties_as_an_operator_writes_them_secure_a_broker(release: str) -> None:
    """Two listeners, each with its protocol; a super user by its certificate, whose name a rule shortens."""
    kraft = "org.apache.kafka.metadata.authorizer.StandardAuthorizer"
    authorizers = {"2.3": "kafka.security.auth.SimpleAclAuthorizer", "3.9": kraft, "4.3": kraft}
    login = 'org.apache.kafka.common.security.plain.PlainLoginModule required user_alice="wonderland";'
    config = {
        "listeners": "IN://127.0.0.1:0,OUT://127.0.0.1:0",
        "listener.security.protocol.map": "IN:SSL,OUT:SASL_PLAINTEXT",
        "inter.broker.listener.name": "IN",
        "sasl.enabled.mechanisms": "PLAIN",
        "listener.name.out.plain.sasl.jaas.config": login,
        "listener.name.in.ssl.client.auth": "required",
        "listener.name.in.ssl.principal.mapping.rules": "RULE:^CN=(.*?)$/$1/,DEFAULT",
        "authorizer.class.name": authorizers[release],
        "super.users": "User:svc-1",
        "allow.everyone.if.no.acl.found": "false",
    }
    with FakeKafka(release, config=config, tls=True, topics={"orders": 1}) as kafka:
        certificate = kafka.tls.client_certificate("CN=svc-1")
        trusting = ssl.create_default_context(cafile=str(kafka.tls.ca_file))
        trusting.load_cert_chain(certificate.cert_file, certificate.key_file)
        inside = kafka.client_config("kafka-python", listener="IN") | {"ssl_context": trusting}
        producer = KafkaProducer(**inside)
        producer.send("orders", b"one").get(timeout=20)
        producer.close()
        outside = KafkaProducer(**kafka.client_config("kafka-python", user="alice", listener="OUT"))
        with pytest.raises(TopicAuthorizationFailedError):
            outside.send("orders", b"two").get(timeout=20)
        outside.close()
        refused = kafka.why_denied()[-1]
        assert (str(refused.principal), str(refused.resource)) == ("User:alice", "topic orders")
        assert [record.value for record in kafka.records("orders")] == [b"one"]
