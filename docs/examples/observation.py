"""What has happened."""

from contextlib import suppress

from fakekafka import FakeKafka
from kafka import KafkaConsumer, KafkaProducer
from kafka.errors import TopicAuthorizationFailedError


def requests(kafka: FakeKafka) -> None:
    with KafkaProducer(acks=1, enable_idempotence=False, **kafka.client_config("kafka-python")) as producer:
        producer.send("orders", b"two apples").get(timeout=10)
    assert kafka.requests.where(api="Produce")[-1].request.acks == 1


def counted_requests(kafka: FakeKafka) -> None:
    count, remembered = kafka.counted_requests()
    assert count == len(remembered) == 0


def wait_for_more_requests(kafka: FakeKafka) -> None:
    count, _ = kafka.counted_requests()
    assert not kafka.wait_for_more_requests(after=count, timeout=0.01)  # seconds


def versions_used(kafka: FakeKafka) -> None:
    KafkaProducer(**kafka.client_config("kafka-python")).close()
    assert "ApiVersions" in kafka.versions_used


def summary(kafka: FakeKafka) -> None:
    kafka.send("orders", b"two apples")
    assert "orders" in kafka.summary()


def still_open(kafka: FakeKafka) -> None:
    producer = KafkaProducer(**kafka.client_config("kafka-python"))
    producer.partitions_for("orders")  # which connects
    assert kafka.still_open()
    producer.close()
    assert kafka.still_open(patience=5) == []  # waits up to five seconds for what is closing


def unused_faults(kafka: FakeKafka) -> None:
    rule = kafka.faults.fail("Produce", "NOT_LEADER_OR_FOLLOWER")
    assert kafka.unused_faults() == [rule]


def open_listeners(kafka: FakeKafka) -> None:
    assert kafka.open_listeners() == ["PLAINTEXT"]
    with FakeKafka(tls=True) as encrypted:
        assert encrypted.open_listeners() == ["SSL"]  # but anybody may connect


def refused_connections() -> None:
    import socket

    with FakeKafka("3.9", tls=True) as kafka:
        with socket.create_connection((kafka.host, kafka.port)) as client:
            client.sendall(b"GET / HTTP/1.1\r\n\r\n")
            client.recv(100)
        assert kafka.refused_connections[0].why == "the client speaks HTTP"


def why_denied() -> None:
    rules = ["User:bob allow Describe topic orders"]
    with FakeKafka("3.9", users={"bob": "builder"}, acls=rules, topics={"orders": 1}) as kafka:
        producer = KafkaProducer(enable_idempotence=False, **kafka.client_config("kafka-python", user="bob"))
        with suppress(TopicAuthorizationFailedError):
            producer.send("orders", b"two apples").get(timeout=10)
        producer.close()
        assert "User:bob allow Write topic orders" in [denial.allowed_by for denial in kafka.why_denied()]


def stored_formats(kafka: FakeKafka) -> None:
    kafka.send("orders", b"two apples")
    [orders] = kafka.stored_formats()
    assert [units.magic for units in orders.units] == [2]


def conversions() -> None:
    with FakeKafka("2.3", topics={"orders": 1}, api_versions={"Fetch": 3}) as kafka:  # as for an old consumer
        kafka.send("orders", b"two apples")
        settings = kafka.client_config("kafka-python", quick=True)
        with KafkaConsumer("orders", auto_offset_reset="earliest", **settings) as consumer:
            next(consumer)
        [line] = [line for line in kafka.conversions() if not line.zero_copy]
        assert (line.direction, line.source, line.target, line.records) == ("down", 2, 1, 1)


def failures(kafka: FakeKafka) -> None:
    assert list(kafka.failures) == []
