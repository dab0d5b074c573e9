"""Warming up: what an ordinary client needs is loaded before it asks."""

import subprocess
import sys
from typing import Final

import pytest
from fakekafka.cli.warm_up import warm_up

CLIENT: Final = """
import sys
from confluent_kafka import Consumer, Producer
from fakekafka import FakeKafka
from fakekafka.cli.warm_up import warm_up

warm_up("{release}")
with FakeKafka("{release}", topics={{"t": 1}}) as kafka:
    settings = kafka.client_config("confluent-kafka")
    loaded = set(sys.modules)
    producer = Producer(settings)
    producer.produce("t", b"value")
    assert producer.flush(30) == 0
    consumer = Consumer(settings | {{"group.id": "g", "auto.offset.reset": "earliest"}})
    consumer.subscribe(["t"])
    while consumer.poll(1) is None:
        pass
    consumer.commit(asynchronous=False)
    consumer.close()
    print(*sorted(name for name in set(sys.modules) - loaded if name.startswith("fakekafka.")))
"""


@pytest.mark.parametrize("release", ["0.10.2", "2.3", "3.9", "4.3"])
def test_a_member_of_a_group_loads_no_module_after_warming_up(release: str) -> None:
    code = CLIENT.format(release=release)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stdout) == (0, "\n"), done.stderr


@pytest.mark.parametrize("release", ["0.8.0", "0.8.2", "0.9.0", "1.1", "2.8", "3.3"])
def test_every_release_can_be_warmed_up(release: str) -> None:
    warm_up(release)
