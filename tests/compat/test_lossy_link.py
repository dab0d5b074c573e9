from fakekafka import FakeKafka
from fakekafka_compat.lossy_link import LossyLink
from kafka import KafkaProducer


def produce(kafka: FakeKafka, link: LossyLink, idempotent: bool) -> None:
    producer = KafkaProducer(bootstrap_servers=link.address, enable_idempotence=idempotent)
    for n in range(3):
        producer.send("t", b"%d" % n, partition=0).get(60)
        if n == 0:
            link.lose_an_answer()
    producer.close()


def values(idempotent: bool) -> tuple[int, list[bytes | None]]:
    with LossyLink() as link, FakeKafka("2.3", config={"advertised.listeners": f"PLAINTEXT://{link.address}"}) as kafka:
        link.lead_to(kafka.host, kafka.port)
        kafka.create_topic("t")
        produce(kafka, link, idempotent)
        return link.lost, [record.value for record in kafka.records("t")]


def test_a_lost_answer_makes_a_client_send_again() -> None:
    assert values(idempotent=False) == (1, [b"0", b"1", b"1", b"2"])


def test_an_idempotent_duplicate_is_stored_once() -> None:
    assert values(idempotent=True) == (1, [b"0", b"1", b"2"])
