"""A broker beside other event loops in its process: uvloop, and gevent with everything patched. Needs both libraries.

Each story runs in its own process, because gevent patches a process for good. Run by `tox -e event-loops`.
"""

import importlib.util
import subprocess
import sys

import pytest

UVLOOP = """
import asyncio
import uvloop
from aiokafka import AIOKafkaConsumer, AIOKafkaProducer
from fakekafka import FakeKafka

async def main():
    async with FakeKafka("3.9", topics={"t": 1}) as kafka:
        assert type(asyncio.get_running_loop()).__module__.startswith("uvloop")
        producer = AIOKafkaProducer(bootstrap_servers=kafka.bootstrap_servers)
        await producer.start()
        sent = [await producer.send_and_wait("t", b"%d" % n) for n in range(100)]
        await producer.stop()
        consumer = AIOKafkaConsumer(
            "t", bootstrap_servers=kafka.bootstrap_servers, group_id="g", auto_offset_reset="earliest"
        )
        await consumer.start()
        got = [(await consumer.getone()).value for _ in range(100)]
        await consumer.stop()
        assert got == [b"%d" % n for n in range(100)], got
        assert not kafka.failures

uvloop.run(main())
print("fine")
"""
GEVENT = """
from gevent import monkey
monkey.patch_all()
import gevent
from fakekafka import FakeKafka
from kafka import KafkaConsumer, KafkaProducer

with FakeKafka("2.3", topics={"t": 1}) as kafka:
    def produce():
        producer = KafkaProducer(bootstrap_servers=kafka.bootstrap_servers)
        for n in range(100):
            producer.send("t", b"%d" % n).get(30)
        producer.close()

    def consume():
        consumer = KafkaConsumer("t", bootstrap_servers=kafka.bootstrap_servers, auto_offset_reset="earliest")
        got = [next(consumer).value for _ in range(100)]
        consumer.close()
        return got

    reading, writing = gevent.spawn(consume), gevent.spawn(produce)
    gevent.joinall([reading, writing], timeout=60, raise_error=True)
    assert reading.value == [b"%d" % n for n in range(100)], reading.value
    assert len(kafka.records("t")) == 100
    assert not kafka.failures
print("fine")
"""
BESIDE_GEVENT = """
import threading
from fakekafka import FakeKafka

with FakeKafka("3.9", topics={"t": 1}) as kafka:
    import gevent
    from confluent_kafka import Producer

    ticks = []

    def tick():
        while len(ticks) < 20:
            ticks.append(1)
            gevent.sleep(0.01)

    ticking = gevent.spawn(tick)
    producer = Producer(kafka.client_config("confluent-kafka"))
    for n in range(20):
        producer.produce("t", b"%d" % n)
        producer.poll(0)
        gevent.sleep(0.01)
    assert producer.flush(30) == 0
    ticking.join(30)
    assert len(ticks) == 20
    assert len(kafka.records("t")) == 20
    assert not kafka.failures
print("fine")
"""
STORIES = {
    "aiokafka on uvloop": ("uvloop", UVLOOP),
    "kafka-python, all patched by gevent": ("gevent", GEVENT),
    "librdkafka beside greenlets": ("gevent", BESIDE_GEVENT),
}


@pytest.mark.parametrize("story", STORIES)
def test_a_broker_serves_beside_another_event_loop(story: str) -> None:
    needed, code = STORIES[story]
    if importlib.util.find_spec(needed) is None:
        pytest.skip(f"needs {needed}: `tox -e event-loops`")
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, encoding="utf-8", timeout=120, check=False
    )
    assert (done.returncode, done.stdout) == (0, "fine\n"), done.stderr
