"""What TLS costs: records of 1000 bytes through confluent-kafka, into the broker and out again, over TLS and plainly.

Client and broker share a process; OpenSSL encrypts on both sides. The peer is this broker without TLS, as librdkafka's
mock has none. With a broker of Kafka, or another double, that listens with TLS at the address `TLS_PEER` (and whose
authority is the file `TLS_PEER_CA`), that one stands beside it. It has a process of its own, so that on several cores
it encrypts while the client does.

Measured with `--quick` on two cores that had other work (a load of 25), ours / the peer in MB/s; TLS 1.3, RSA 2048:

    produced over TLS, beside this broker without TLS               25.7 / 65.3   0.45
    consumed                                                        20.8 / 110    0.19
    produced over TLS, beside kfake (Go, 2026-09-18) with TLS       32.6 / 64.1   0.68
    consumed                                                        19.0 / 97.8   0.32
    produced over TLS, beside Kafka 3.9.1 with TLS                  22.7 / 4.7    4.87
    consumed                                                        14.3 / 5.24   2.73

kfake listens with TLS if it is made with `kfake.TLS(&tls.Config{Certificates: ...})`; Kafka had a PEM key store.
"""

import os
import time
from contextlib import nullcontext
from typing import Any, Final

from confluent_kafka import Consumer, Producer, TopicPartition
from confluent_kafka.admin import AdminClient, NewTopic
from fakekafka import FakeKafka

from tests.benchmarks.measuring import Row, compared, in_turns

TOPIC: Final = "tls-records-of-the-benchmark"
VALUE: Final = bytes(range(250)) * 4
MANY: Final = 100_000


def over_tls(quick: bool = False) -> list[Row]:
    count, rounds = (MANY // 10, 2) if quick else (MANY, 5)
    peer = os.environ.get("TLS_PEER")
    with (
        FakeKafka("3.9", tls=True, topics={TOPIC: 1}) as encrypted,
        nullcontext() if peer else FakeKafka("3.9", topics={TOPIC: 1}) as plain,
    ):
        ours = encrypted.client_config("confluent-kafka")
        other = _peer_config(peer) if plain is None else plain.client_config("confluent-kafka")
        sides = in_turns(rounds, lambda: _round(ours, count), lambda: _round(other, count))
    label = "the peer with TLS" if peer else "without TLS"
    rows = []
    for n, what in enumerate(("produced", "consumed")):
        fast, other_fast = ([one[n] for one in side] for side in sides)
        rows.append(compared(f"{what} over TLS, beside {label}", "MB/s", fast, other_fast))
    return rows


def _peer_config(servers: str | None) -> dict[str, Any]:
    config: dict[str, Any] = {
        "bootstrap.servers": servers,
        "security.protocol": "SSL",
        "ssl.ca.location": os.environ["TLS_PEER_CA"],
        "ssl.endpoint.identification.algorithm": "none",
    }
    AdminClient(config).create_topics([NewTopic(TOPIC, 1, 1)])
    return config


def _round(config: dict[str, Any], count: int) -> tuple[float, float]:
    """Megabytes per second for producing, and for consuming."""
    started = time.perf_counter()
    producer = Producer({**config, "linger.ms": 5, "queue.buffering.max.messages": 2 * MANY})
    for _ in range(count):
        producer.produce(TOPIC, VALUE, partition=0)
    assert producer.flush(120) == 0
    between = time.perf_counter()
    consumer = Consumer({**config, "group.id": "g", "enable.auto.commit": False})
    consumer.assign([TopicPartition(TOPIC, 0, 0)])
    left = count
    while left:
        left -= len(consumer.consume(min(left, 10_000), timeout=60))
    ended = time.perf_counter()
    consumer.close()
    megabytes = count * len(VALUE) / 1e6
    return megabytes / (between - started), megabytes / (ended - between)
