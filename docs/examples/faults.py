"""`kafka.faults`."""

from contextlib import suppress
from pathlib import Path
from typing import Any

from confluent_kafka import Consumer, TopicPartition
from fakekafka import FakeKafka
from kafka import KafkaProducer
from kafka.errors import CorruptRecordError, KafkaTimeoutError


def fail(kafka: FakeKafka) -> None:
    rule = kafka.faults.fail("Produce", "NOT_LEADER_OR_FOLLOWER", topic="orders", times=2)
    with KafkaProducer(**kafka.client_config("kafka-python"), retry_backoff_ms=10) as producer:
        producer.send("orders", b"two apples").get(timeout=20)  # refused twice, then stored
    assert rule.hits == 2
    assert len(kafka.records("orders")) == 1


def lose_answer(kafka: FakeKafka) -> None:
    kafka.faults.lose_answer("Produce", times=1)
    settings = {"enable_idempotence": False, "acks": 1, "retry_backoff_ms": 10}
    with KafkaProducer(**kafka.client_config("kafka-python"), **settings) as producer:
        producer.send("orders", b"two apples").get(timeout=20)
    assert len(kafka.records("orders")) == 2  # the client could not know that it was stored, and sent it again


def drop(kafka: FakeKafka) -> None:
    kafka.faults.drop("Produce", how="close", times=1)
    with KafkaProducer(**kafka.client_config("kafka-python"), retry_backoff_ms=10) as producer:
        producer.send("orders", b"two apples").get(timeout=20)
    assert len(kafka.records("orders")) == 1


def delay(kafka: FakeKafka) -> None:
    kafka.faults.delay("Produce", ms=50, times=1)  # milliseconds of the broker's clock
    with KafkaProducer(**kafka.client_config("kafka-python")) as producer:
        producer.send("orders", b"two apples").get(timeout=20)
    took_ms = kafka.requests.where(api="Produce")[0].took_ms
    assert took_ms is not None
    assert took_ms >= 50


def corrupt(kafka: FakeKafka) -> None:
    kafka.faults.corrupt("Produce", how="bad crc", times=1)
    with KafkaProducer(**kafka.client_config("kafka-python")) as producer, suppress(CorruptRecordError):
        producer.send("orders", b"two apples").get(timeout=20)
    assert kafka.requests.where(api="Produce", error="CORRUPT_MESSAGE")


def mislead(cluster: FakeKafka) -> None:
    leader = cluster.describe_topics()["orders"].partitions[0].leader
    cluster.faults.mislead("Metadata", topic="orders", leader=(leader + 1) % 3, times=1)
    with KafkaProducer(**cluster.client_config("kafka-python"), retry_backoff_ms=10) as producer:
        producer.send("orders", b"two apples").get(timeout=20)
    assert cluster.requests.where(api="Produce", error="NOT_LEADER_OR_FOLLOWER")  # the wrong broker was asked first


def throttle(kafka: FakeKafka) -> None:
    kafka.faults.throttle("Produce", time_ms=20, times=1)  # as a quota does, and the answer says so
    with KafkaProducer(**kafka.client_config("kafka-python")) as producer:
        producer.send("orders", b"two apples").get(timeout=20)
    assert kafka.requests.where(api="Produce")[0].response.throttle_time_ms == 20


def slice(kafka: FakeKafka) -> None:
    rule = kafka.faults.slice(bytes=7)  # a client that reads less than a whole answer has to go on reading
    with KafkaProducer(**kafka.client_config("kafka-python")) as producer:
        producer.send("orders", b"two apples").get(timeout=20)
    assert rule.hits == len(kafka.requests)


def disconnect(kafka: FakeKafka) -> None:
    with KafkaProducer(client_id="svc-1", **kafka.client_config("kafka-python")) as producer:
        producer.send("orders", b"two apples").get(timeout=20)
        kafka.faults.disconnect(client_id="svc-*", how="reset")
        producer.send("orders", b"two pears").get(timeout=20)
    first, second = kafka.requests.where(api="Produce")
    assert first.connection != second.connection


def refuse_connections(kafka: FakeKafka) -> None:
    import socket

    with kafka.faults.refuse_connections(how="close"), socket.create_connection((kafka.host, kafka.port)) as client:
        assert client.recv(1) == b""


def cut_off(cluster: FakeKafka) -> None:
    leader = cluster.describe_topics()["orders"].partitions[0].leader
    with KafkaProducer(**cluster.client_config("kafka-python"), request_timeout_ms=1_000) as producer:
        producer.send("orders", b"two apples").get(timeout=20)
        with cluster.faults.cut_off(broker=leader), suppress(KafkaTimeoutError):  # the other brokers answer
            producer.send("orders", b"two pears").get(timeout=0.2)
        assert len(cluster.records("orders")) == 1
        producer.flush(timeout=20)  # the client tries again, and the network works
    assert len(cluster.records("orders")) == 2


def down(cluster: FakeKafka) -> None:
    with cluster.faults.down(broker=0):
        assert 0 not in cluster.brokers()
    assert 0 in cluster.brokers()


def full_disk() -> None:
    with FakeKafka("3.9", faulty_disks=True, topics={"orders": 1}) as kafka:
        kafka.faults.full_disk(free_bytes=1_000, expected=False)
        kafka.send("orders", bytes(100))  # there is still room for this record
        assert len(kafka.records("orders")) == 1


def read_error() -> None:
    with FakeKafka("3.9", faulty_disks=True, topics={"orders": 1}) as kafka:
        kafka.send("orders", b"two apples")
        kafka.faults.read_error(files="*.log")
        settings = {"group.id": "shop", "auto.offset.reset": "earliest"}
        consumer = Consumer(kafka.client_config("confluent-kafka") | settings)
        consumer.assign([TopicPartition("orders", 0)])
        while not kafka.requests.where(api="Fetch", error="KAFKA_STORAGE_ERROR"):
            consumer.poll(0.1)
        consumer.close()
        assert not kafka.brokers()  # a broker ends if its only log directory fails


def move_leader(cluster: FakeKafka) -> None:
    cluster.faults.move_leader(topic="orders", to=2)
    assert cluster.describe_topics()["orders"].partitions[0].leader == 2


def move_coordinator(cluster: FakeKafka) -> None:
    rule = cluster.faults.move_coordinator(group="shop", to=1)
    assert rule.hits == 1


def move_controller(cluster: FakeKafka) -> None:
    rule = cluster.faults.move_controller(to=2)  # brokers 0 and 1 now answer "not the controller"
    assert rule.hits == 1


def hold(kafka: FakeKafka) -> None:
    with kafka.faults.hold("Produce", times=1) as held:
        producer = KafkaProducer(**kafka.client_config("kafka-python"))
        sent = producer.send("orders", b"two apples")
        held.wait(timeout=10)  # the request has arrived, and is not carried out yet
        assert kafka.records("orders") == []
        held.release()
        sent.get(timeout=20)
        producer.close()


def intercept(kafka: FakeKafka) -> None:
    def slower(request: Any, answer: Any) -> None:
        answer.throttle_time_ms = 5

    kafka.faults.intercept("Produce", slower)
    with KafkaProducer(**kafka.client_config("kafka-python")) as producer:
        producer.send("orders", b"two apples").get(timeout=20)
    assert kafka.requests.where(api="Produce")[0].response.throttle_time_ms == 5


def add(kafka: FakeKafka) -> None:
    rule = kafka.faults.fail("Produce", "NOT_LEADER_OR_FOLLOWER", times=1, expected=False)
    rule.remove()
    assert kafka.faults.add(rule).active  # in force again


def load(kafka: FakeKafka, folder: Path) -> None:
    plan = folder / "plan.toml"
    plan.write_text('[[fault]]\nfail = "NOT_LEADER_OR_FOLLOWER"\napi = "Produce"\ntimes = 2\n')
    [rule] = kafka.faults.load(plan)
    assert rule.active
    rule.expected = False


def rules(kafka: FakeKafka) -> None:
    kafka.faults.fail("Produce", "NOT_LEADER_OR_FOLLOWER", times=2, expected=False)
    assert 'api = "Produce"' in str(kafka.faults.rules)  # a plan that `load` reads


def rules_so_far(kafka: FakeKafka) -> None:
    with kafka.faults.fail("Produce", "NOT_LEADER_OR_FOLLOWER", expected=False) as rule:
        pass
    assert list(kafka.faults.rules) == []
    assert kafka.faults.rules_so_far() == (rule,)


def clear(kafka: FakeKafka) -> None:
    kafka.faults.fail("Produce", "NOT_LEADER_OR_FOLLOWER")
    kafka.faults.clear()
    assert kafka.faults.rules_so_far() == ()
