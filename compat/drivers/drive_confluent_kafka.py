"""Drives confluent-kafka, 0.11.6 to 2.16.1: a task and then steps on stdin, what happened on stdout. See
compat/README.md.

Needs the client and the standard library. The client's own log goes to stderr.
"""

import json
import sys
import time

import confluent_kafka
from confluent_kafka import OFFSET_BEGINNING, OFFSET_END, Consumer, Producer, TopicPartition

VERSION = confluent_kafka.version()
if not isinstance(VERSION, str):  # a pair in older versions
    VERSION = VERSION[0]
WITHOUT_LEVELS = VERSION.startswith(("0.", "1.0.", "1.1."))
"""Whether this version knows no isolation levels."""
OLD = VERSION.startswith("0.")
"""Whether this version knows neither idempotence nor transactions, nor their settings."""
PATIENCE_S = 60.0
SETTLED_S = 0.2
"""How long to listen for records that should not come."""
TIMESTAMP_TYPES = {0: -1, 1: 0, 2: 1}


def say(**event):
    print(json.dumps(event), flush=True)


def raw(text):
    return None if text is None else bytes.fromhex(text)


def text_of(data):
    return None if data is None else bytes(data).hex()


class Driver:
    def __init__(self, task):
        self.topic, self.partitions, self.codec = task["topic"], task["partitions"], task["codec"]
        backoff = "reconnect.backoff.jitter.ms" if OLD else "reconnect.backoff.max.ms"
        self.settings = {**task["settings"], backoff: 200}
        self.kept_producer, self.kept_consumers = None, {}

    def close(self):
        for consumer in self.kept_consumers.values():
            consumer.close()

    def producer(self, **more):
        settings = {k: v for k, v in self.settings.items() if k != "session.timeout.ms"}  # a consumer setting
        named = {name.replace("_", "."): value for name, value in more.items()}
        return Producer({**settings, "compression.type": self.codec, "linger.ms": 5, "acks": "all", **named})

    def send_all(self, producer, records):
        for r in records:
            more = {} if r["timestamp"] is None else {"timestamp": r["timestamp"]}
            if r["headers"]:
                more["headers"] = [(name, raw(value)) for name, value in r["headers"]]

            def reported(error, message, uid=r["uid"]):
                if error is not None:
                    say(event="refused", uid=uid, error=str(error))
                else:
                    say(event="acked", uid=uid, partition=message.partition(), offset=message.offset())

            producer.produce(
                self.topic,
                value=raw(r["value"]),
                key=raw(r["key"]),
                partition=r["partition"],
                callback=reported,
                **more,
            )
        producer.flush(PATIENCE_S)

    def produce(self, records, keep=False, max_bytes=None, idempotent=None):
        producer = self.kept_producer if keep else None
        if producer is None:
            more = {} if max_bytes is None else {"message_max_bytes": max_bytes}
            if idempotent is not None and not OLD:
                more["enable_idempotence"] = idempotent
            producer = self.producer(**more)
        if keep:
            self.kept_producer = producer
        self.send_all(producer, records)

    def transactions(self, transactional_id, transactions):
        producer = self.producer(transactional_id=transactional_id)
        producer.init_transactions(PATIENCE_S)
        for each in transactions:
            producer.begin_transaction()
            self.send_all(producer, each["records"])
            if each["end"] == "commit":
                producer.commit_transaction(PATIENCE_S)
            else:
                producer.abort_transaction(PATIENCE_S)
            say(event="ended", how=each["end"])

    def consumer(self, group, **more):
        return Consumer(
            {**self.settings, "group.id": group, "auto.offset.reset": "earliest", "enable.auto.commit": False,
             "fetch.wait.max.ms": 50, **more}
        )  # fmt: skip

    def read(self, reader, count, committed_only=False, keep=False):
        consumer = self.kept_consumers.get(reader)
        if consumer is None:
            level = "read_committed" if committed_only else "read_uncommitted"
            consumer = self.consumer("not-joined", **({} if WITHOUT_LEVELS else {"isolation.level": level}))
            consumer.assign(self.places(OFFSET_BEGINNING))
        if keep:
            self.kept_consumers[reader] = consumer
        self.read_from(consumer, reader, count)
        if not keep:
            self.kept_consumers.pop(reader, None)
            consumer.close()

    def seek(self, reader, timestamp, count):
        consumer = self.consumer("not-joined")
        consumer.list_topics(self.topic, timeout=PATIENCE_S)  # otherwise 1.6 may not know any partition yet, and fail
        offsets = consumer.offsets_for_times(self.places(timestamp), timeout=PATIENCE_S)
        for at in offsets:
            say(event="sought", partition=at.partition, offset=at.offset if at.offset >= 0 else None)
        consumer.assign([TopicPartition(at.topic, at.partition, max(at.offset, OFFSET_END)) for at in offsets])
        self.read_from(consumer, reader, count)
        consumer.close()

    def places(self, offset):
        return [TopicPartition(self.topic, p, offset) for p in range(self.partitions)]

    def read_from(self, consumer, reader, count):
        got, until = 0, time.monotonic() + PATIENCE_S
        while got < count and time.monotonic() < until:
            got += self.reported(consumer.consume(100, timeout=0.1), reader)
        self.reported(consumer.consume(100, timeout=SETTLED_S), reader)

    def reported(self, messages, reader):
        records = [m for m in messages if m.error() is None]
        for m in messages:
            if m.error() is not None:
                say(event="told", error=str(m.error()))
        for m in records:
            kind, timestamp = m.timestamp()
            say(
                event="consumed", reader=reader, partition=m.partition(), offset=m.offset(), key=text_of(m.key()),
                value=text_of(m.value()), headers=[(name, text_of(value)) for name, value in (m.headers() or ())],
                timestamp=timestamp, timestamp_type=TIMESTAMP_TYPES[kind],
            )  # fmt: skip
        return len(records)

    def group(self, reader, group, members, records):
        """All members have partitions before the records are produced, so that no member reads what another has
        read.
        """
        until = time.monotonic() + PATIENCE_S
        consumers = [self.consumer(group, **{"heartbeat.interval.ms": 300}) for _ in range(members)]
        for consumer in consumers:
            consumer.subscribe([self.topic])
        share = -(-self.partitions // members)
        got = 0
        while not all(0 < len(c.assignment()) <= share for c in consumers) and time.monotonic() < until:
            got += sum(self.reported(c.consume(100, timeout=0.05), reader) for c in consumers)
        self.produce(records)
        while got < len(records) and time.monotonic() < until:
            got += sum(self.reported(c.consume(100, timeout=0.05), reader) for c in consumers)
        for n, consumer in enumerate(consumers):
            if consumer.assignment():
                consumer.commit(asynchronous=False)
            say(event="member", member=n, partitions=sorted(p.partition for p in consumer.assignment()))
        for consumer in consumers:
            consumer.close()


def main():
    task = json.loads(sys.stdin.readline())
    say(event="library", version=VERSION, python=sys.version.split()[0])
    driver = Driver(task)
    for line in sys.stdin:
        step = json.loads(line)
        try:
            getattr(driver, step.pop("do"))(**step)
        except Exception as e:
            say(event="error", error=repr(e))
        say(event="done")
    driver.close()


main()
