"""Drives aiokafka, 0.8.1 to 0.14.0: a task and then steps on stdin, what happened on stdout. See compat/README.md.

Needs the client and the standard library. The client's own log goes to stderr.
"""

from __future__ import annotations

import asyncio
import json
import ssl
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


def logged_in(login):
    if login is None:
        return {}
    return {
        "security_protocol": login["protocol"],
        "ssl_context": ssl.create_default_context(cafile=login["ca_file"]),
        "sasl_mechanism": login["mechanism"],
        "sasl_plain_username": login["user"],
        "sasl_plain_password": login["password"],
    }


class Driver:
    def __init__(self, task):
        self.topic, self.partitions, self.codec = task["topic"], task["partitions"], task["codec"]
        self.settings = {**task["settings"], **logged_in(task.get("login"))}
        self.kept_producer, self.kept_consumers = None, {}

    async def close(self):
        for each in (self.kept_producer, *self.kept_consumers.values()):
            if each is not None:
                await each.stop()

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

    async def produce(self, records, keep=False, max_bytes=None, idempotent=None):
        producer = self.kept_producer if keep else None
        if producer is None:
            more = {} if max_bytes is None else {"max_request_size": max_bytes}
            if idempotent is not None:
                more["enable_idempotence"] = idempotent
            producer = self.producer(**more)
            await producer.start()
        if keep:
            self.kept_producer = producer
        try:
            await self.send_all(producer, records)
        finally:
            if not keep:
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

    async def read(self, reader, count, committed_only=False, keep=False):
        consumer = self.kept_consumers.get(reader)
        if consumer is None:
            level = "read_committed" if committed_only else "read_uncommitted"
            consumer = await self.assigned(isolation_level=level)
        if keep:
            self.kept_consumers[reader] = consumer
        try:
            await self.read_from(consumer, reader, count)
        finally:
            if not keep:
                self.kept_consumers.pop(reader, None)
                await consumer.stop()

    async def seek(self, reader, timestamp, count):
        """All offsets are looked up before the assignment: once assigned, the client fetches, and the records of that
        fetch may come after a seek.
        """
        consumer = self.consumer(group_id=None)
        await consumer.start()
        try:
            places = [TopicPartition(self.topic, p) for p in range(self.partitions)]
            offsets = await consumer.offsets_for_times(dict.fromkeys(places, timestamp))
            ends = await consumer.end_offsets(places)
            consumer.assign(places)
            for at, place in offsets.items():
                say(event="sought", partition=at.partition, offset=None if place is None else place.offset)
                consumer.seek(at, ends[at] if place is None else place.offset)
            await self.read_from(consumer, reader, count)
        finally:
            await consumer.stop()

    async def assigned(self, **more):
        consumer = self.consumer(group_id=None, **more)
        await consumer.start()
        consumer.assign([TopicPartition(self.topic, p) for p in range(self.partitions)])
        return consumer

    async def read_from(self, consumer, reader, count):
        got, until = 0, time.monotonic() + PATIENCE_S
        while got < count and time.monotonic() < until:
            got += self.reported(await consumer.getmany(timeout_ms=500), reader)
        self.reported(await consumer.getmany(timeout_ms=SETTLED_MS), reader)

    def reported(self, polled, reader):
        read = [r for records in polled.values() for r in records]
        for r in read:
            say(
                event="consumed", reader=reader, partition=r.partition, offset=r.offset, key=text_of(r.key),
                value=text_of(r.value), headers=[(name, text_of(value)) for name, value in (r.headers or ())],
                timestamp=r.timestamp, timestamp_type=r.timestamp_type,
            )  # fmt: skip
        return len(read)

    async def group(self, reader, group, members, records):
        """All members have partitions before the records are produced, so that no member reads what another has
        read.
        """
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
        answers = await asyncio.gather(*(c.getmany(timeout_ms=50) for c in consumers))
        return sum(self.reported(each, reader) for each in answers)


async def main():
    """The loop keeps running between steps: clients that are kept open have work to do."""
    loop = asyncio.get_running_loop()
    task = json.loads(await loop.run_in_executor(None, sys.stdin.readline))
    say(event="library", version=aiokafka.__version__, python=sys.version.split()[0])
    driver = Driver(task)
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        step = json.loads(line)
        try:
            await getattr(driver, step.pop("do"))(**step)
        except Exception as e:
            say(event="error", error=repr(e))
        say(event="done")
    await driver.close()


asyncio.run(main())
