"""From no broker to the first record read back, with confluent-kafka: with everything imported, and in a new process.

The consumer is given its partition; groups have a benchmark of their own.
"""

from confluent_kafka import TopicPartition

from tests.benchmarks.measuring import Row, compared, in_turns, milliseconds, new_process
from tests.benchmarks.sides import MOCK, OURS, serving

TOPIC = "first-record-of-the-benchmark"


def first_record(quick: bool = False) -> list[Row]:
    rounds = 3 if quick else 15
    for name in (OURS, MOCK):
        round_trip(name)
        _in_new_process(name)
    warm = in_turns(
        rounds, lambda: milliseconds(lambda: round_trip(OURS)), lambda: milliseconds(lambda: round_trip(MOCK))
    )
    cold = in_turns(
        rounds, lambda: milliseconds(lambda: _in_new_process(OURS)), lambda: milliseconds(lambda: _in_new_process(MOCK))
    )
    return [
        compared("start, produce and consume one record", "ms", warm[0], warm[1]),
        compared("  in a new process, imports and all", "ms", cold[0], cold[1]),
    ]


def round_trip(name: str) -> None:
    """Start the side of that name, and send one record through it."""
    with serving(name, [TOPIC]) as side:
        producer = side.producer(linger_ms=0)
        producer.produce(TOPIC, b"hello", partition=0)
        producer.flush(10)
        consumer = side.consumer()
        consumer.assign([TopicPartition(TOPIC, 0, 0)])
        message = consumer.poll(10)
        assert message is not None
        assert message.value() == b"hello"
        consumer.close()


def _in_new_process(name: str) -> None:
    new_process(f"from tests.benchmarks.first_record import round_trip; round_trip({name!r})")
