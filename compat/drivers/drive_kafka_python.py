"""Drives kafka-python, 1.2.4 to 3.0.12: a task and then steps on stdin, what happened on stdout. See compat/README.md.

Needs the client and the standard library. The client's own log goes to stderr.
"""

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
FIRST_POLL_MS, LONGEST_POLL_MS = 1000, 8000
"""How long a member of a group polls: a poll that ends during a rebalance loses the join (3.0.12), so each poll that
does not complete it is followed by one twice as long."""
RETRIES = 50
DEFAULTS = getattr(kafka.KafkaProducer, "DEFAULT_CONFIG", {})
"""The producer's settings; before 1.4 they had no public name."""
LOCK = threading.Lock()


def say(**event):
    with LOCK:
        print(json.dumps(event), flush=True)


def raw(text):
    return None if text is None else bytes.fromhex(text)


def text_of(data):
    return None if data is None else bytes(data).hex()


class Unable(Exception):
    """The library cannot do this."""


class Driver:
    def __init__(self, task):
        self.topic, self.partitions, self.codec = task["topic"], task["partitions"], task["codec"]
        self.settings, self.idempotent = task["settings"], task["idempotent"]
        if "api_version" in self.settings:
            self.settings["api_version"] = tuple(self.settings["api_version"])
        self.kept_producer, self.kept_consumers = None, {}

    def close(self):
        for each in (self.kept_producer, *self.kept_consumers.values()):
            if each is not None:
                each.close()

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
        if not DEFAULTS.get("retries"):  # before 2.1: otherwise a change of leader is an error
            more["retries"] = RETRIES
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

    def produce(self, records, keep=False, max_bytes=None, idempotent=None):
        producer = self.kept_producer if keep else None
        if producer is None:
            producer = self.producer(**self.limits(max_bytes, idempotent))
        if keep:
            self.kept_producer = producer
        self.send_all(producer, records)
        if not keep:
            producer.close(timeout=5)

    def limits(self, max_bytes, idempotent):
        more = {} if max_bytes is None else {"max_request_size": max_bytes}
        if "enable_idempotence" in DEFAULTS:  # on by default, even for old formats
            more["enable_idempotence"] = self.idempotent if idempotent is None else idempotent
        elif idempotent:
            raise Unable("produce idempotently")
        return more

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

    def read(self, reader, count, committed_only=False, keep=False):
        consumer = self.kept_consumers.get(reader)
        if consumer is None:
            more = {"isolation_level": "read_committed"} if committed_only else {}
            consumer = self.assigned(**more)
        if keep:
            self.kept_consumers[reader] = consumer
        self.read_from(consumer, reader, count)
        if not keep:
            self.kept_consumers.pop(reader, None)
            consumer.close()

    def seek(self, reader, timestamp, count):
        consumer = self.assigned()
        try:
            offsets = consumer.offsets_for_times(dict.fromkeys(consumer.assignment(), timestamp))
            for at, place in offsets.items():
                say(event="sought", partition=at.partition, offset=None if place is None else place.offset)
                if place is None:
                    consumer.seek_to_end(at)
                else:
                    consumer.seek(at, place.offset)
            self.read_from(consumer, reader, count)
        finally:
            consumer.close()

    def assigned(self, **more):
        consumer = self.consumer(group_id=None, **more)
        consumer.assign([kafka.TopicPartition(self.topic, p) for p in range(self.partitions)])
        return consumer

    def read_from(self, consumer, reader, count):
        got, until = 0, time.monotonic() + PATIENCE_S
        while got < count and time.monotonic() < until:
            got += self.reported(consumer.poll(timeout_ms=500), reader)
        self.reported(consumer.poll(timeout_ms=SETTLED_MS), reader)

    def reported(self, polled, reader):
        read = [r for records in polled.values() for r in records]
        for r in read:
            headers = [(name, text_of(value)) for name, value in (getattr(r, "headers", None) or ())]
            say(
                event="consumed", reader=reader, partition=r.partition, offset=r.offset, key=text_of(r.key),
                value=text_of(r.value), headers=headers, timestamp=r.timestamp, timestamp_type=r.timestamp_type,
            )  # fmt: skip
        return len(read)

    def group(self, reader, group, members, records):
        """All members have partitions before the records are produced, so that usually no member reads what another has
        read.
        """
        until = time.monotonic() + PATIENCE_S
        seen = set()
        ready, done = ([threading.Event() for _ in range(members)] for _ in range(2))

        def member(n):
            consumer = self.consumer(group_id=group, heartbeat_interval_ms=300)
            consumer.partitions_for_topic(self.topic)  # otherwise it may join before it knows any, and assign none
            consumer.subscribe([self.topic])
            had, pending, poll_ms = [], False, FIRST_POLL_MS
            while not all(each.is_set() for each in done) and time.monotonic() < until:  # all members leave together
                polled = consumer.poll(timeout_ms=poll_ms)
                pending = self.reported(polled, reader) > 0 or pending
                seen.update((r.partition, r.offset) for per_partition in polled.values() for r in per_partition)
                mine = sorted(p.partition for p in consumer.assignment())
                settled = 0 < len(mine) <= -(-self.partitions // members)
                if settled:
                    had = mine
                    ready[n].set()
                if pending:
                    pending = not committed(consumer)
                poll_ms = FIRST_POLL_MS if settled and not pending else min(2 * poll_ms, LONGEST_POLL_MS)
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
    """Commit. Returns False while the group is being rebalanced."""
    try:
        consumer.commit()
    except kafka.errors.KafkaError as e:
        say(event="told", error=repr(e))
        return False
    return True


def failing_loudly(function, *arguments, **more):
    try:
        function(*arguments, **more)
    except Unable as e:
        say(event="unable", what=str(e))
    except Exception as e:
        say(event="error", error=repr(e))


def main():
    task = json.loads(sys.stdin.readline())
    say(event="library", version=kafka.__version__, python=sys.version.split()[0])
    driver = Driver(task)
    for line in sys.stdin:
        step = json.loads(line)
        failing_loudly(getattr(driver, step.pop("do")), **step)
        say(event="done")
    driver.close()


main()
