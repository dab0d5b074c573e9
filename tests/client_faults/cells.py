"""One client under one fault at one release, and what became of its records in a few words.

`python -m tests.client_faults.cells ROW CLIENT RELEASE` prints it in the last line.
"""

import logging
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from multiprocessing.connection import Connection
from typing import Final

from fakekafka import FakeKafka

from tests.client_faults.faults import CLIENTS, FAULTS, row_of
from tests.client_faults.programs import READ_S, TOPIC, TRANSACTIONAL_ID, Client, Done, Read
from tests.client_faults.shown_fault import ShownFault

VALUES: Final = (b"1", b"2", b"3")
TOPICS: Final = (b"first", b"second")
CALM: Final = "goes on"
NEVER: Final = "never meets it"
REPLICATED: Final = (
    "default.replication.factor",
    "offsets.topic.replication.factor",
    "transaction.state.log.replication.factor",
)


def shown(client: Client, fault: ShownFault, release: str) -> str:
    """Have a program meet a fault; what it notices, or `CALM` if it notices nothing."""
    config = dict.fromkeys(REPLICATED, fault.brokers)
    on_disk = "disk" in fault.plan or "read_error" in fault.plan
    with FakeKafka(release, brokers=fault.brokers, topics={TOPIC: 1}, config=config, faulty_disks=on_disk) as kafka:
        found = PROGRAMS[fault.during](kafka, client, fault)
        rules = kafka.faults.rules_so_far()
        acted = not rules or any(rule.hits for rule in rules)
        return "; ".join(found) or (CALM if acted else NEVER)


def begin(kafka: FakeKafka, fault: ShownFault) -> Callable[[], None]:
    """Begin a fault, or return what begins it midway."""

    def now() -> None:
        if fault.plan:
            kafka.faults.load(fault.plan)
        if fault.call is not None:
            fault.call(kafka)

    if fault.midway:
        return now
    now()
    return lambda: None


def sending(kafka: FakeKafka, client: Client, fault: ShownFault) -> list[str]:
    done = client.send(kafka, VALUES, begin(kafka, fault))
    return list(_of_producer(done, VALUES, _stored(kafka)))


def _stored(kafka: FakeKafka) -> Counter[bytes] | None:
    """What is stored in the end; None if no broker is left to ask."""
    for rule in kafka.faults.rules:
        if rule.action.NAME == "down":
            rule.remove()  # broker and records come back
    return Counter(record.value or b"" for record in kafka.records(TOPIC)) if kafka.brokers() else None


def committing(kafka: FakeKafka, client: Client, fault: ShownFault) -> list[str]:
    done = client.commit(kafka, VALUES, begin(kafka, fault))
    transaction = kafka.transactions().get(TRANSACTIONAL_ID)
    is_committed = transaction is not None and transaction.state in ("PrepareCommit", "CompleteCommit")
    stored = Counter(record.value or b"" for record in kafka.records(TOPIC)) if is_committed else Counter[bytes]()
    return list(_of_producer(done, VALUES, stored))


def creating(kafka: FakeKafka, client: Client, fault: ShownFault) -> list[str]:
    done = client.create(kafka, TOPICS, begin(kafka, fault))
    return list(_of_producer(done, TOPICS, Counter(name.encode() for name in kafka.topics())))


def _of_producer(done: Done, wanted: Sequence[bytes], stored: Counter[bytes] | None) -> Iterator[str]:
    if done.errors:
        yield f"raises {_names(done.errors)}"
    if stored is None:
        return
    if any(stored[value] > 1 for value in wanted):
        yield "a record is stored twice"
    if lost := [value for value in done.acknowledged if not stored[value]]:
        yield f"{len(lost)} acknowledged and lost"
    if any(stored[value] for value in wanted if value not in done.acknowledged):
        yield "stored all the same"


def reading(kafka: FakeKafka, client: Client, fault: ShownFault) -> list[str]:
    begun = 1 if fault.midway else len(VALUES)
    for value in VALUES[:begun]:
        kafka.send(TOPIC, value)
    first_half = begin(kafka, fault)

    def midway() -> None:
        first_half()
        for value in VALUES[begun:]:
            kafka.send(TOPIC, value)

    return list(_of_consumer(client.read(kafka, len(VALUES), midway)))


def _of_consumer(read: Read) -> Iterator[str]:
    if read.errors:
        yield f"raises {_names(read.errors)}"
    got = sum(1 for value in VALUES if read.values[value])
    if got < len(VALUES):
        yield f"reads {got} of {len(VALUES)} within {READ_S:g} s"
    if any(count > 1 for count in read.values.values()):
        yield "reads a record twice"
    if read.values.keys() - set(VALUES):
        yield "reads damaged values"


def _names(errors: Sequence[str]) -> str:
    return ", ".join(f"`{name}`" for name in sorted(set(errors)))


PROGRAMS: Final = {"sending": sending, "reading": reading, "committing": committing, "creating": creating}


def cell(row: str, client: str, release: str) -> str:
    """What is seen of a client, given the names of row, client and release."""
    logging.disable(logging.CRITICAL)
    (meant,) = (each for each in FAULTS if row_of(each) == row)
    (used,) = (each for each in CLIENTS if each.name == client)
    return shown(used, meant, release)


def report(to: Connection, *names: str) -> None:
    """Send what is seen to another process, and leave whatever the client's threads still do."""
    to.send(cell(*names))
    os._exit(0)


if __name__ == "__main__":
    print(cell(*sys.argv[1:]), flush=True)
    os._exit(0)
