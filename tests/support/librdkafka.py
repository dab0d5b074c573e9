"""Producers of confluent-kafka that end with their block, rather than when nothing refers to them any more."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from confluent_kafka import Producer


@contextmanager
def librdkafka_producer(settings: Mapping[str, Any], **arguments: Any) -> Iterator[Producer]:
    """A producer that is closed before its broker is: otherwise its thread reports every second, in the output of later
    tests, that it cannot connect. What a failing test leaves in its queue is dropped, as closing would wait for it.
    """
    producer = Producer(dict(settings), **arguments)
    try:
        yield producer
    finally:
        producer.purge()
        producer.close()
