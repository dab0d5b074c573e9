"""Drives aiokafka, 0.8.1 to 0.14.0: reads a task from stdin and prints what happened, see compat/README.md.

Needs the client and the standard library. The client's own log goes to stderr.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time

import aiokafka
from aiokafka import AIOKafkaConsumer, AIOKafkaProducer, TopicPartition

PATIENCE_S = 60.0
SETTLED_MS = 200
"""How long to listen for records that should not come."""


def say(**event):
    print(json.dumps(event), flush=True)


def raw(text):
    return None if text is None else bytes.fromhex(text)


def text_of(data):
    return None if data is None else bytes(data).hex()


class Driver:
    def __init__(self, task):
        self.topic, self.partitions, self.codec = task["topic"], task["partitions"], task["codec"]
        self.settings = task["settings"]

    def producer(self, **more):
        codec = None if self.codec == "none" else self.codec
        return AIOKafkaProducer(acks="all", compression_type=codec, linger_ms=5, **more, **self.settings)

    async def send_all(self, producer, records):
        sent = []
        for r in records:
            more = {} if r["timestamp"] is None else {"timestamp_ms": r["timestamp"]}
            if r["headers"]:
                more["headers"] = [(name, raw(value)) for name, value in r["headers"]]
            future = await producer.send(
                self.topic, value=raw(r["value"]), key=raw(r["key"]), partition=r["partition"], **more
            )
            sent.append((r, future))
        for r, future in sent:
            try:
                done = await asyncio.wait_for(future, PATIENCE_S)
                say(event="acked", uid=r["uid"], partition=done.partition, offset=done.offset)
            except Exception as e:
                say(event="refused", uid=r["uid"], error=repr(e))

    async def produce(self, records):
        producer = self.producer()
        await producer.start()
        try:
            await self.send_all(producer, records)
        finally:
            await producer.stop()

    async def transactions(self, transactional_id, transactions):
        producer = self.producer(transactional_id=transactional_id)
        await producer.start()
        try:
            for each in transactions:
                await producer.begin_transaction()
                await self.send_all(producer, each["records"])
                if each["end"] == "commit":
                    await producer.commit_transaction()
                else:
                    await producer.abort_transaction()
                say(event="ended", how=each["end"])
        finally:
            await producer.stop()

    def consumer(self, *topics, **more):
        return AIOKafkaConsumer(
            *topics,
            auto_offset_reset="earliest",
            enable_auto_commit=False,
            fetch_max_wait_ms=50,
            **more,
            **self.settings,
        )

    async def read(self, reader, count, committed_only=False):
        level = "read_committed" if committed_only else "read_uncommitted"
        consumer = self.consumer(group_id=None, isolation_level=level)
        await consumer.start()
        try:
            consumer.assign([TopicPartition(self.topic, p) for p in range(self.partitions)])
            got, until = 0, time.monotonic() + PATIENCE_S
            while got < count and time.monotonic() < until:
                got += self.told(await consumer.getmany(timeout_ms=500), reader)
            self.told(await consumer.getmany(timeout_ms=SETTLED_MS), reader)
        finally:
            await consumer.stop()

    def told(self, polled, reader):
        found = [r for records in polled.values() for r in records]
        for r in found:
            say(
                event="consumed", reader=reader, partition=r.partition, offset=r.offset, key=text_of(r.key),
                value=text_of(r.value), headers=[(name, text_of(value)) for name, value in (r.headers or ())],
                timestamp=r.timestamp, timestamp_type=r.timestamp_type,
            )  # fmt: skip
        return len(found)

    async def group(self, reader, group, members, records):
        """All members have partitions before the records come, so that nobody reads what another has read."""
        until = time.monotonic() + PATIENCE_S
        consumers = [self.consumer(self.topic, group_id=group, heartbeat_interval_ms=300) for _ in range(members)]
        try:
            await asyncio.gather(*(c.start() for c in consumers))
            share = -(-self.partitions // members)
            got = 0
            while not all(0 < len(c.assignment()) <= share for c in consumers) and time.monotonic() < until:
                got += await self.polled(consumers, reader)
            await self.produce(records)
            while got < len(records) and time.monotonic() < until:
                got += await self.polled(consumers, reader)
            for n, consumer in enumerate(consumers):
                await consumer.commit()
                say(event="member", member=n, partitions=sorted(p.partition for p in consumer.assignment()))
        finally:
            for consumer in consumers:
                await consumer.stop()

    async def polled(self, consumers, reader):
        found = await asyncio.gather(*(c.getmany(timeout_ms=50) for c in consumers))
        return sum(self.told(each, reader) for each in found)


async def main():
    task = json.load(sys.stdin)
    say(event="library", version=aiokafka.__version__, python=sys.version.split()[0])
    driver = Driver(task)
    for step in task["steps"]:
        arguments = {name: value for name, value in step.items() if name != "do"}
        try:
            await getattr(driver, step["do"])(**arguments)
        except Exception as e:
            say(event="error", error=repr(e))


asyncio.run(main())
