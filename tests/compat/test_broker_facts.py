from fakekafka import FakeKafka
from fakekafka_compat.broker_facts import broker_facts
from kafka import KafkaConsumer, KafkaProducer


def test_a_conversion_is_told_with_its_bytes_and_the_last_requests_with_their_end() -> None:
    with FakeKafka("2.3") as kafka:
        kafka.create_topic("orders", 1, {"message.format.version": "0.9.0"})
        settings = kafka.client_config("kafka-python")
        with KafkaProducer(**settings, enable_idempotence=False) as producer:
            producer.send("orders", b"two apples").get(timeout=30)
        with KafkaConsumer(**settings, auto_offset_reset="earliest", group_id="g", enable_auto_commit=False) as reader:
            reader.subscribe(["orders"])
            assert next(reader).value == b"two apples"
        facts = list(broker_facts(kafka, "orders"))
    conversion, *others = (fact for fact in facts if fact.name == "conversion")
    assert (conversion.value, conversion.amount, others) == ("v2 to v0", 1, [])
    assert conversion.text == "Produce 7: 78 bytes to 36"
    (kept,) = (fact for fact in facts if fact.name == "kept")
    assert (kept.value, kept.amount) == ("Fetch 11", 36)
    requests = [fact for fact in facts if fact.name == "request"]
    assert any(fact.value is not None and fact.value.startswith("OffsetFetch v") for fact in requests)
    assert 0 < sum(fact.amount or 0 for fact in requests) <= 20
    assert all(fact.expected is None for fact in facts)
