"""Drives kafka-python, 1.4.7 to 3.0.12: reads a task from stdin and prints what happened, see compat/README.md.

Needs the client and the standard library. The client's own log goes to stderr.
"""

from __future__ import annotations

import json
import sys
import threading
import time
import warnings

warnings.simplefilter("ignore")
import kafka  # noqa: E402  # it warns on import

PATIENCE_S = 60.0
SETTLED_MS = 200
"""How long to listen for records that should not come."""
LOCK = threading.Lock()


def say(**event):
    with LOCK:
        print(json.dumps(event), flush=True)


def raw(text):
    return None if text is None else bytes.fromhex(text)


def text_of(data):
    return None if data is None else bytes(data).hex()


class Driver:
    def __init__(self, task):
        self.topic, self.partitions, self.codec = task["topic"], task["partitions"], task["codec"]
        self.settings, self.idempotent = task["settings"], task["idempotent"]
        if "api_version" in self.settings:
            self.settings["api_version"] = tuple(self.settings["api_version"])

    def send_all(self, producer, records):
        sent = []
        for r in records:
            more = {} if r["timestamp"] is None else {"timestamp_ms": r["timestamp"]}
            if r["headers"]:
                more["headers"] = [(name, raw(value)) for name, value in r["headers"]]
            sent.append(
                (r, producer.send(self.topic, raw(r["value"]), raw(r["key"]), partition=r["partition"], **more))
            )
        producer.flush(timeout=PATIENCE_S)
        for r, future in sent:
            try:
                done = future.get(timeout=PATIENCE_S)
                say(event="acked", uid=r["uid"], partition=done.partition, offset=done.offset)
            except kafka.errors.KafkaError as e:
                say(event="refused", uid=r["uid"], error=repr(e))

    def producer(self, **more):
        codec = None if self.codec == "none" else self.codec
        return kafka.KafkaProducer(acks="all", compression_type=codec, linger_ms=5, **more, **self.settings)

    def consumer(self, *topics, **more):
        return kafka.KafkaConsumer(
            *topics,
            auto_offset_reset="earliest",
            enable_auto_commit=False,
            fetch_max_wait_ms=50,
            **more,
            **self.settings,
        )

    def produce(self, records):
        knows = "enable_idempotence" in kafka.KafkaProducer.DEFAULT_CONFIG  # and has it on, where a format may not do
        producer = self.producer(**({"enable_idempotence": self.idempotent} if knows else {}))
        self.send_all(producer, records)
        producer.close(timeout=5)

    def transactions(self, transactional_id, transactions):
        producer = self.producer(transactional_id=transactional_id)
        producer.init_transactions()
        for each in transactions:
            producer.begin_transaction()
            self.send_all(producer, each["records"])
            if each["end"] == "commit":
                producer.commit_transaction()
            else:
                producer.abort_transaction()
            say(event="ended", how=each["end"])
        producer.close(timeout=5)

    def read(self, reader, count, committed_only=False):
        more = {"isolation_level": "read_committed"} if committed_only else {}
        consumer = self.consumer(group_id=None, **more)
        consumer.assign([kafka.TopicPartition(self.topic, p) for p in range(self.partitions)])
        got, until = 0, time.monotonic() + PATIENCE_S
        while got < count and time.monotonic() < until:
            got += self.told(consumer.poll(timeout_ms=500), reader)
        self.told(consumer.poll(timeout_ms=SETTLED_MS), reader)
        consumer.close()

    def told(self, polled, reader):
        found = [r for records in polled.values() for r in records]
        for r in found:
            headers = [(name, text_of(value)) for name, value in (getattr(r, "headers", None) or ())]
            say(
                event="consumed", reader=reader, partition=r.partition, offset=r.offset, key=text_of(r.key),
                value=text_of(r.value), headers=headers, timestamp=r.timestamp, timestamp_type=r.timestamp_type,
            )  # fmt: skip
        return len(found)

    def group(self, reader, group, members, records):
        """All members have partitions before the records come, so that mostly nobody reads what another has read."""
        until = time.monotonic() + PATIENCE_S
        seen = set()
        ready, done = ([threading.Event() for _ in range(members)] for _ in range(2))

        def member(n):
            consumer = self.consumer(group_id=group, heartbeat_interval_ms=300)
            consumer.partitions_for_topic(self.topic)  # else it may join before it knows them, and assign none
            consumer.subscribe([self.topic])
            had, pending = [], False
            while not all(each.is_set() for each in done) and time.monotonic() < until:  # all leave together
                polled = consumer.poll(timeout_ms=100)
                pending = self.told(polled, reader) > 0 or pending
                seen.update((r.partition, r.offset) for found in polled.values() for r in found)
                mine = sorted(p.partition for p in consumer.assignment())
                if 0 < len(mine) <= -(-self.partitions // members):
                    had = mine
                    ready[n].set()
                pending = pending and not committed(consumer)
                if len(seen) >= len(records) and not pending:
                    done[n].set()
            say(event="member", member=n, partitions=had)
            consumer.close()

        threads = [threading.Thread(target=failing_loudly, args=(member, n), daemon=True) for n in range(members)]
        for thread in threads:
            thread.start()
        for event in ready:
            event.wait(PATIENCE_S)
        self.produce(records)
        for thread in threads:
            thread.join(PATIENCE_S)


def committed(consumer):
    """Commits; not while the group is rebalanced."""
    try:
        consumer.commit()
    except kafka.errors.KafkaError as e:
        say(event="told", error=repr(e))
        return False
    return True


def failing_loudly(function, *arguments):
    try:
        function(*arguments)
    except Exception as e:
        say(event="error", error=repr(e))


def main():
    task = json.load(sys.stdin)
    say(event="library", version=kafka.__version__, python=sys.version.split()[0])
    driver = Driver(task)
    for step in task["steps"]:
        arguments = {name: value for name, value in step.items() if name != "do"}
        failing_loudly(lambda do=step["do"], arguments=arguments: getattr(driver, do)(**arguments))


main()
