"""Drives pykafka 2.8.0: a task and then steps on stdin, what happened on stdout. See compat/README.md.

Needs the client and the standard library. The client's own log goes to stderr. pykafka has no headers, transactions or
offsets by timestamp, and chooses partitions by a function that its user provides.
"""

from __future__ import annotations

import json
import queue
import sys
import time
import warnings

warnings.simplefilter("ignore")
import pykafka  # noqa: E402  # it warns on import
from pykafka.common import CompressionType, OffsetType  # noqa: E402

PATIENCE_S = 60.0
SETTLED_S = 0.2
"""How long to listen for records that should not come."""
BATCH_BYTES = 16_384
CODECS = {"none": 0, "gzip": CompressionType.GZIP, "snappy": CompressionType.SNAPPY, "lz4": CompressionType.LZ4}


def say(**event):
    print(json.dumps(event), flush=True)


def raw(text):
    return None if text is None else bytes.fromhex(text)


def text_of(data):
    return None if data is None else bytes(data).hex()


class Unable(Exception):
    """The library cannot do this."""


class Driver:
    def __init__(self, task):
        self.partitions, self.codec = task["partitions"], task["codec"]
        hosts = task["settings"]["bootstrap_servers"]
        self.client = pykafka.KafkaClient(hosts, broker_version=task["release"])
        self.topic = self.client.topics[task["topic"]]
        self.chosen = 0
        self.kept_producer, self.kept_consumers = None, {}

    def close(self):
        for each in (self.kept_producer, *self.kept_consumers.values()):
            if each is not None:
                each.stop()

    def producer(self, max_bytes):
        if self.codec not in CODECS:
            raise Unable(f"codec {self.codec}")
        more = {} if max_bytes is None else {"max_request_size": max_bytes}
        return self.topic.get_producer(
            partitioner=lambda partitions, key: next(p for p in partitions if p.id == self.chosen),
            compression=CODECS[self.codec],
            required_acks=-1,
            linger_ms=20,
            delivery_reports=True,
            **more,
        )

    def send_all(self, producer, records):
        for portion in portions(records):
            self.send(producer, portion)

    def send(self, producer, records):
        """Send the records, mostly in one message set for each partition."""
        uids = {}
        for r in records:
            self.chosen = r["partition"]
            uids[id(producer.produce(raw(r["value"]), raw(r["key"]), r["timestamp"]))] = r["uid"]
        until = time.monotonic() + PATIENCE_S
        while uids and time.monotonic() < until:
            try:
                message, error = producer.get_delivery_report(timeout=1)
            except queue.Empty:
                continue
            uid = uids.pop(id(message))
            if error is None:
                say(event="acked", uid=uid, partition=message.partition_id, offset=message.offset)
            else:
                say(event="refused", uid=uid, error=repr(error))
        for uid in uids.values():
            say(event="refused", uid=uid, error="no report")

    def produce(self, records, keep=False, max_bytes=None, idempotent=None):
        if idempotent:
            raise Unable("produce idempotently")
        producer = self.kept_producer if keep and self.kept_producer else self.producer(max_bytes)
        if keep:
            self.kept_producer = producer
        self.send_all(producer, records)
        if not keep:
            producer.stop()

    def transactions(self, **step):
        raise Unable("transactions")

    def seek(self, **step):
        raise Unable("seek")

    def read(self, reader, count, committed_only=False, keep=False):
        if committed_only:
            raise Unable("read committed records only")
        consumer = self.kept_consumers.get(reader)
        if consumer is None:
            consumer = self.topic.get_simple_consumer(
                fetch_wait_max_ms=50,
                auto_offset_reset=OffsetType.EARLIEST,
                compacted_topic=True,  # otherwise it waits for offsets that compaction has removed
            )
        if keep:
            self.kept_consumers[reader] = consumer
        until = time.monotonic() + PATIENCE_S
        while count > 0 and time.monotonic() < until:
            count -= self.reported(consumer, reader)
        time.sleep(SETTLED_S)
        self.reported(consumer, reader)
        if not keep:
            self.kept_consumers.pop(reader, None)
            consumer.stop()

    def reported(self, consumer, reader):
        """Report the consumed records. Returns how many there were."""
        records = list(iter(lambda: consumer.consume(block=False), None))
        for r in records:
            say(
                event="consumed", reader=reader, partition=r.partition_id, offset=r.offset,
                key=text_of(r.partition_key), value=text_of(r.value), timestamp=r.timestamp or None,
            )  # fmt: skip
        if not records:
            time.sleep(0.02)
        return len(records)

    def group(self, reader, group, members, records):
        """All members have partitions before the records are produced, so that no member reads what another has
        read.
        """
        until = time.monotonic() + PATIENCE_S
        consumers = [self.member(group) for _ in range(members)]
        share = -(-self.partitions // members)
        while not all(0 < len(c.partitions or ()) <= share for c in consumers) and time.monotonic() < until:
            time.sleep(0.05)
        self.produce(records)
        left = len(records)
        while left > 0 and time.monotonic() < until:
            left -= sum(self.reported(consumer, reader) for consumer in consumers)
        for n, consumer in enumerate(consumers):
            consumer.commit_offsets()
            say(event="member", member=n, partitions=sorted(consumer.partitions))
        for consumer in consumers:
            consumer.stop()

    def member(self, group):
        return self.topic.get_balanced_consumer(
            group,
            managed=True,
            heartbeat_interval_ms=300,
            fetch_wait_max_ms=50,
            auto_offset_reset=OffsetType.EARLIEST,
        )


def portions(records):
    """Split records into batches. A batch is refused as a whole, so a large record is sent alone."""
    size = BATCH_BYTES
    parts = []
    for r in records:
        length = sum(len(text or "") // 2 for text in (r["key"], r["value"]))
        if size + length > BATCH_BYTES:
            parts.append([])
            size = 0
        parts[-1].append(r)
        size += length
    return parts


def failing_loudly(function, **arguments):
    try:
        function(**arguments)
    except Unable as e:
        say(event="unable", what=str(e))
    except Exception as e:
        say(event="error", error=repr(e))


def main():
    task = json.loads(sys.stdin.readline())
    say(event="library", version=pykafka.__version__, python=sys.version.split()[0])
    driver = Driver(task)
    for line in sys.stdin:
        step = json.loads(line)
        failing_loudly(getattr(driver, step.pop("do")), **step)
        say(event="done")
    driver.close()


main()
