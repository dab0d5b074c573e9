"""How clients reach the cluster."""

from fakekafka import FakeKafka
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
