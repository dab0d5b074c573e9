"""Bugs of the museum, shown with the real clients that meet them: `fakekafka bugs run ID --client kafka-python==1.4.4`.

A client either reads what the bug's story leaves behind, or sends its own records. For a broker's bug the same
client meets the affected and the cured side; for a client's bug, two clients meet the affected side.
"""

import re
from pathlib import Path

from fakekafka import UsageError
from fakekafka.bugs import Bug, Side
from fakekafka.bugs.real_clients import RealClients

from fakekafka_compat.bug_outcomes import Outcome, Started
from fakekafka_compat.bug_readers import read
from fakekafka_compat.bug_senders import send
from fakekafka_compat.environments import NoEnvironment, command
from fakekafka_compat.table import Client, Table, default_table, read_table


def run_with_client(bug: Bug, text: str, cache: Path) -> tuple[Outcome, Outcome]:
    """The outcomes on the affected and the cured side. `text`: "NAME==VERSION"; "" is the client that the bug names.

    Raises `UsageError` if the bug has nothing for a client to do, or there is no such client.
    """
    meet = bug.real_clients
    if meet is None or bug.affected is None or bug.cured is None:
        raise UsageError(f"{bug.id} has no story for a real client: leave out --client")
    table = read_table(default_table())
    first = _started(environments(table, text or meet.affected, meet), cache)
    if meet.cured:
        second = bug.affected, _started(environments(table, meet.cured, meet), cache)
    else:
        second = bug.cured, first
    return _met(bug, bug.affected, first), _met(bug, *second)


def _met(bug: Bug, side: Side, client: Started) -> Outcome:
    assert bug.real_clients is not None
    sends = bug.real_clients.sends
    return read(bug, side, client) if sends is None else send(sends, side, client)


def clients_of(table: Table, text: str) -> list[Client]:
    """The clients with which a library of the table can be run in any version: one for each version that the table
    lists, the nearest version first.

    Raises `UsageError` for a client that is not in the table.
    """
    library, _, version = text.partition("==")
    known = [client for client in table.clients.values() if client.library == library]
    if not known or not re.fullmatch(r"\d+(\.\d+)*", version):
        libraries = sorted({client.library for client in table.clients.values()})
        raise UsageError(f"client {text!r}: write NAME==VERSION; there are drivers of {', '.join(libraries)}")
    known.sort(key=lambda client: _distance(client.version, version))
    pin = re.compile(rf"({re.escape(library)}(?:\[[^]]*\])?)(==|@|:).*")
    return [
        client._replace(version=version, packages=tuple(pin.sub(rf"\g<1>\g<2>{version}", p) for p in client.packages))
        for client in known
    ]


def _distance(one: str, other: str) -> tuple[int, ...]:
    pairs = zip((*map(int, one.split(".")), 0, 0, 0), (*map(int, other.split(".")), 0, 0, 0))
    return tuple(abs(a - b) for a, b in pairs)


def environments(table: Table, text: str, meet: RealClients) -> list[Client]:
    """Where the client may run: as `clients_of` says, or as the bug says for its own clients."""
    clients = clients_of(table, text)
    if not meet.python or text not in (meet.affected, meet.cured):
        return clients
    return [clients[0]._replace(runtime=meet.python, packages=(text, *meet.packages))]


def _started(clients: list[Client], cache: Path) -> Started:
    """The first client that can be run here, and its command. Raises `UsageError`."""
    reasons = []
    for client in clients:
        try:
            return Started(client, tuple(command(client, cache)))
        except NoEnvironment as e:
            reasons.append(str(e))
    raise UsageError(f"{clients[0].library} {clients[0].version} cannot run here: {reasons[0]}")


def as_described(outcomes: tuple[Outcome, Outcome]) -> bool:
    """Whether the first client was affected and the second one was not."""
    return not outcomes[0].all_well and outcomes[1].all_well
