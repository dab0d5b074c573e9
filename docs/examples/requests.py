"""`kafka.requests`."""

from pathlib import Path

from fakekafka import FakeKafka
from kafka import KafkaProducer


def where(kafka: FakeKafka) -> None:
    with KafkaProducer(client_id="svc-1", **kafka.client_config("kafka-python")) as producer:
        producer.send("orders", b"two apples").get(timeout=10)
    [produce] = kafka.requests.where(api="Produce", topic="orders", client_id="svc-*")
    assert produce.ending == "ok"


def to_jsonl(kafka: FakeKafka, folder: Path) -> None:
    KafkaProducer(**kafka.client_config("kafka-python")).close()
    kafka.requests.to_jsonl(folder / "requests.jsonl")  # for `fakekafka diagnose`
    assert '"ApiVersions"' in (folder / "requests.jsonl").read_text()


def to_pcap(kafka: FakeKafka, folder: Path) -> None:
    KafkaProducer(**kafka.client_config("kafka-python")).close()
    kafka.requests.to_pcap(folder / "requests.pcap")  # for Wireshark
    assert (folder / "requests.pcap").stat().st_size > 24
