"""How clients reach the cluster."""

from fakekafka import FakeKafka, ManualClock
from kafka import KafkaProducer


def bootstrap_servers(cluster: FakeKafka) -> None:
    assert len(cluster.bootstrap_servers.split(",")) == 3


def host(kafka: FakeKafka) -> None:
    assert kafka.host == "127.0.0.1"


def port(kafka: FakeKafka) -> None:
    assert kafka.bootstrap_servers == f"127.0.0.1:{kafka.port}"


def client_config(kafka: FakeKafka) -> None:
    with KafkaProducer(**kafka.client_config("kafka-python", quick="producer")) as producer:
        producer.send("orders", b"two apples").get(timeout=10)
    assert kafka.client_config("confluent-kafka")["bootstrap.servers"] == kafka.bootstrap_servers


def set_quotas() -> None:
    clock = ManualClock()
    with FakeKafka("0.10.2", topics={"orders": 1}, clock=clock) as kafka:
        kafka.set_quotas({"producer_byte_rate": 100}, client_id="greedy")
        with KafkaProducer(client_id="greedy", **kafka.client_config("kafka-python")) as producer:
            sent = producer.send("orders", b"apples" * 1000)
            [throttled] = kafka.wait_for_request("Produce", client_id="greedy")
            assert throttled.answered_ms is None  # up to 1.1 the answer waits, from 2.0 on the client does
            clock.advance(60_000)
            assert sent.get(timeout=10).offset == 0


def tls() -> None:
    with FakeKafka(tls=True) as kafka:
        files = kafka.tls.client_certificate("CN=svc-1")  # for a client that is User:CN=svc-1
        assert files.key_file.exists()
        assert kafka.tls.ca_file.exists()


def oauth() -> None:
    with FakeKafka(oauth=True) as kafka:
        expired = kafka.oauth.token("alice", lifetime_s=-60)
        assert expired.count(".") == 2


def connect() -> None:
    with FakeKafka("2.3").boot() as kafka:
        api_versions = bytes.fromhex("0000000a 0012 0000 00000007 ffff")  # size, API, version, number, no client id
        answer = kafka.connect().send(api_versions)
        assert answer[4:8] == bytes.fromhex("00000007")
