"""Emptying a running broker between two tests: `reset()` against stopping one and starting another."""

from confluent_kafka import Producer
from fakekafka import FakeKafka

from tests.benchmarks.measuring import Row, alone, milliseconds

TOPICS = {f"reset-{n}-of-the-benchmark": 4 for n in range(10)}
RECORDS = 200


def resetting(quick: bool = False) -> list[Row]:
    rounds = 10 if quick else 50
    with FakeKafka(topics=TOPICS) as kafka:
        producer = Producer({**kafka.client_config("confluent-kafka"), "log_level": 0})
        times = [_reset_ms(kafka, producer) for _ in range(rounds)]
        del producer
    return [
        alone("reset: 10 topics, 40 partitions, 200 records", "ms", times, at_most=1),
        alone("  a new broker with the same topics", "ms", [milliseconds(_new) for _ in range(rounds)]),
    ]


def _reset_ms(kafka: FakeKafka, producer: Producer) -> float:
    for n in range(RECORDS):
        producer.produce(list(TOPICS)[n % 10], bytes(100), partition=n % 4)
    producer.flush(10)
    return milliseconds(kafka.reset)


def _new() -> None:
    FakeKafka(topics=TOPICS).start().stop()
