"""One client under one fault at one release, and what became of its records in a few words.

`python -m tests.client_faults.cells FAULT CLIENT RELEASE` prints it in the last line.
"""

import logging
import os
import sys
from collections import Counter
from typing import Final

from fakekafka import FakeKafka

from tests.client_faults.clients import CLIENTS, READ_S, TOPIC, Client, Read, Sent
from tests.client_faults.faults import FAULTS, ShownFault

VALUES: Final = (b"1", b"2", b"3")
CALM: Final = "goes on"


def shown(client: Client, fault: ShownFault, release: str) -> str:
    """Have a client send and read under a fault; what a program notices, or `CALM` if it notices nothing."""
    topics = {TOPIC: 1}
    with FakeKafka(release, brokers=fault.brokers, topics=topics, faulty_disks="disk" in fault.name) as kafka:
        return _sending(kafka, client, fault) if fault.during == "sending" else _reading(kafka, client, fault)


def _sending(kafka: FakeKafka, client: Client, fault: ShownFault) -> str:
    rules = kafka.faults.load(fault.plan)
    sent = client.send(kafka, VALUES)
    acted = sum(rule.hits for rule in rules)
    kafka.faults.clear()
    stored = Counter(record.value or b"" for record in kafka.records(TOPIC)) if kafka.brokers() else Counter[bytes]()
    return "; ".join(_of_producer(sent, stored)) or (CALM if acted else "never meets it")


def _of_producer(sent: Sent, stored: Counter[bytes]) -> list[str]:
    said = []
    if sent.errors:
        said.append(f"raises {_names(sent.errors)}")
    if any(stored[value] > 1 for value in VALUES):
        said.append("a record is stored twice")
    if lost := [value for value in sent.acknowledged if not stored[value]]:
        said.append(f"{len(lost)} acknowledged and lost")
    if stored and any(stored[value] for value in VALUES if value not in sent.acknowledged):
        said.append("stored all the same")
    return said


def _reading(kafka: FakeKafka, client: Client, fault: ShownFault) -> str:
    for value in VALUES:
        kafka.send(TOPIC, value)
    rules = kafka.faults.load(fault.plan) if fault.plan else []
    if fault.call is not None:
        fault.call(kafka)
    read = client.read(kafka, len(VALUES))
    acted = fault.call is not None or any(rule.hits for rule in rules)
    return "; ".join(_of_consumer(read)) or (CALM if acted else "never meets it")


def _of_consumer(read: Read) -> list[str]:
    said = []
    if read.errors:
        said.append(f"raises {_names(read.errors)}")
    got = sum(1 for value in VALUES if read.values[value])
    if got < len(VALUES):
        said.append(f"reads {got} of {len(VALUES)} within {READ_S:g} s")
    if any(count > 1 for count in read.values.values()):
        said.append("reads a record twice")
    if read.values.keys() - set(VALUES):
        said.append("reads damaged values")
    return said


def _names(errors: list[str]) -> str:
    return ", ".join(f"`{name}`" for name in sorted(set(errors)))


def main(fault: str, client: str, release: str) -> None:
    """Print one cell, and leave whatever the client's threads still do."""
    logging.disable(logging.CRITICAL)
    (meant,) = (each for each in FAULTS if each.name == fault)
    (used,) = (each for each in CLIENTS if each.name == client)
    print(shown(used, meant, release), flush=True)
    os._exit(0)


if __name__ == "__main__":
    main(*sys.argv[1:])
