"""One client under one fault at one release, and what became of its records in a few words.

`python -m tests.client_faults.cells ROW CLIENT RELEASE` prints it in the last line.
"""

import logging
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from multiprocessing.connection import Connection
from typing import Final, TypeAlias

from fakekafka import FakeKafka

from tests.client_faults.clusters import Cluster, ours
from tests.client_faults.faults import CLIENTS, FAULTS, row_of
from tests.client_faults.programs import READ_S, TOPICS, VALUES, Client, Errors
from tests.client_faults.shown_fault import ShownFault

CALM: Final = "goes on"
NEVER: Final = "never meets it"
Opened: TypeAlias = Callable[[str, ShownFault], AbstractContextManager[Cluster]]
"""Gives a cluster of a release on which a fault can be shown."""


def shown(client: Client, fault: ShownFault, release: str, errors: Errors | None = None, opened: Opened = ours) -> str:
    """Have a program meet a fault. Returns what it notices, or `CALM` if it notices nothing. Its exceptions are put
    into `errors` as they come.
    """
    errors = [] if errors is None else errors
    with opened(release, fault) as cluster:
        found = PROGRAMS[fault.during](cluster, client, fault, errors)
        rules = cluster.kafka.faults.rules_so_far()
        acted = not rules or any(rule.hits for rule in rules)
        return "; ".join([*raised(errors), *found]) or (CALM if acted else NEVER)


def begin(kafka: FakeKafka, fault: ShownFault) -> Callable[[], None]:
    """Begin a fault, or return the function that begins it midway."""

    def now() -> None:
        if fault.plan:
            kafka.faults.load(fault.plan)
        if fault.call is not None:
            fault.call(kafka)

    if fault.midway:
        return now
    now()
    return lambda: None


def sending(cluster: Cluster, client: Client, fault: ShownFault, errors: Errors) -> list[str]:
    acknowledged = client.send(cluster.kafka, VALUES, begin(cluster.kafka, fault), errors)
    return list(_of_producer(acknowledged, VALUES, cluster.stored()))


def committing(cluster: Cluster, client: Client, fault: ShownFault, errors: Errors) -> list[str]:
    acknowledged = client.commit(cluster.kafka, VALUES, begin(cluster.kafka, fault), errors)
    return list(_of_producer(acknowledged, VALUES, cluster.committed()))


def creating(cluster: Cluster, client: Client, fault: ShownFault, errors: Errors) -> list[str]:
    acknowledged = client.create(cluster.kafka, TOPICS, begin(cluster.kafka, fault), errors)
    return list(_of_producer(acknowledged, TOPICS, Counter(name.encode() for name in cluster.topics())))


def _of_producer(acknowledged: list[bytes], wanted: Sequence[bytes], stored: Counter[bytes] | None) -> Iterator[str]:
    if stored is None:
        return
    if any(stored[value] > 1 for value in wanted):
        yield "a record is stored twice"
    if lost := [value for value in acknowledged if not stored[value]]:
        yield f"{len(lost)} acknowledged and lost"
    if any(stored[value] for value in wanted if value not in acknowledged):
        yield "stored all the same"


def reading(cluster: Cluster, client: Client, fault: ShownFault, errors: Errors) -> list[str]:
    begun = 1 if fault.midway else len(VALUES)
    for value in VALUES[:begun]:
        cluster.send(value)
    first_half = begin(cluster.kafka, fault)

    def midway() -> None:
        first_half()
        for value in VALUES[begun:]:
            cluster.send(value)

    return list(_of_consumer(client.read(cluster.kafka, len(VALUES), midway, errors)))


def _of_consumer(read: Counter[bytes]) -> Iterator[str]:
    got = sum(1 for value in VALUES if read[value])
    if got < len(VALUES):
        yield f"reads {got} of {len(VALUES)} within {READ_S:g} s"
    if any(count > 1 for count in read.values()):
        yield "reads a record twice"
    if read.keys() - set(VALUES):
        yield "reads damaged values"


def raised(errors: Errors) -> list[str]:
    """What a program has raised, as a part of a cell; empty if it has raised nothing."""
    names = ", ".join(f"`{name}`" for name in sorted(set(errors)))
    return [f"raises {names}"] if names else []


PROGRAMS: Final = {"sending": sending, "reading": reading, "committing": committing, "creating": creating}


def cell(row: str, client: str, release: str, errors: Errors | None = None, opened: Opened = ours) -> str:
    """What is seen of a client, given the names of row, client and release."""
    logging.disable(logging.CRITICAL)
    (meant,) = (each for each in FAULTS if row_of(each) == row)
    (used,) = (each for each in CLIENTS if each.name == client)
    return shown(used, meant, release, errors, opened)


class Noticed(list[str]):
    """Exceptions of a program, each sent to another process as it comes."""

    def __init__(self, to: Connection) -> None:
        super().__init__()
        self._to = to

    def append(self, name: str) -> None:
        super().append(name)
        self._to.send((name, None))


def report(to: Connection, row: str, client: str, release: str, opened: Opened = ours) -> None:
    """Send pairs to another process: each exception, and finally what is seen; then leave, whatever the client's
    threads do.
    """
    to.send((None, cell(row, client, release, Noticed(to), opened)))
    os._exit(0)


if __name__ == "__main__":
    _, row_name, client_name, release_name = sys.argv
    print(cell(row_name, client_name, release_name), flush=True)
    os._exit(0)
