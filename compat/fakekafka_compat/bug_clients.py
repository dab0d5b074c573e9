"""Bugs of the museum with the real clients that meet them: `fakekafka bugs run ID --client kafka-python==1.4.4`.

The story sets the scene on a broker without sockets, which then starts to listen. The client reads all partitions, and
what it gets is compared with what can be read. For a broker's bug the same client reads from the affected and
from the cured release; for a client's bug, both clients read from the same broker.
"""

import re
from pathlib import Path
from typing import Final, NamedTuple, get_args

from fakekafka import FakeKafka, UsageError
from fakekafka.bugs import Bug, Side
from fakekafka.bugs.here import Here
from fakekafka.bugs.play import Play
from fakekafka.client_configs import Client as Known
from fakekafka.escaping import escaped

from fakekafka_compat.driving import Driver, DriverFailed
from fakekafka_compat.environments import NoEnvironment, command
from fakekafka_compat.records import Json
from fakekafka_compat.table import Client, Table, default_table, read_table

PATIENCE_S: Final = 20.0
"""A client that has said nothing for this long is stuck."""
TOPIC: Final = "t"


class Read(NamedTuple):
    """What one client got from one broker."""

    client: str
    side: Side
    wanted: int
    """How many records a correct client gets."""
    got: int
    error: str
    """The error that it reported instead of further records."""

    @property
    def all_well(self) -> bool:
        """Whether it got every record, once."""
        return self.got == self.wanted

    def __str__(self) -> str:
        more = f"; {escaped(self.error)}" if self.error else ""
        return f"{self.client} on {self.side.release}: {self.got} of {self.wanted} records{more}"


def run_with_client(bug: Bug, text: str, cache: Path) -> tuple[Read, Read]:
    """What the affected and the cured side got. Raises `UsageError` if there is nothing to read, or no client."""
    if bug.drivers is None or bug.affected is None or bug.cured is None:
        raise UsageError(f"{bug.id} has no story for a real client: leave out --client")
    table = read_table(default_table())
    client = clients_of(table, text or bug.drivers[0])
    if not bug.affected.reader and not bug.affected.api_versions and bug.affected.config == bug.cured.config:
        sides = ((client, bug.affected), (client, bug.cured))
    else:
        sides = ((client, bug.affected), (clients_of(table, bug.drivers[1]), bug.affected))
    affected, cured = (_read(bug, one, side, cache) for one, side in sides)
    return affected, cured


def clients_of(table: Table, text: str) -> list[Client]:
    """A client library of the table in any version, in the environments of the versions listed there, the nearest
    first.

    Raises `UsageError` for a client that is not in the table.
    """
    library, _, version = text.partition("==")
    known = [client for client in table.clients.values() if client.library == library]
    if not known or not re.fullmatch(r"\d+(\.\d+)*", version):
        libraries = sorted({client.library for client in table.clients.values()})
        raise UsageError(f"client {text!r}: write NAME==VERSION; there are drivers of {', '.join(libraries)}")
    known.sort(key=lambda client: _distance(client.version, version))
    pin = re.compile(rf"({re.escape(library)}(?:\[[^]]*\])?)(==|@).*")
    return [
        client._replace(version=version, packages=tuple(pin.sub(rf"\g<1>\g<2>{version}", p) for p in client.packages))
        for client in known
    ]


def _distance(one: str, other: str) -> tuple[int, ...]:
    pairs = zip((*map(int, one.split(".")), 0, 0, 0), (*map(int, other.split(".")), 0, 0, 0))
    return tuple(abs(a - b) for a, b in pairs)


def _command(clients: list[Client], cache: Path) -> tuple[Client, list[str]]:
    """The command of the first client that can be run here. Raises `UsageError`."""
    reasons = []
    for client in clients:
        try:
            return client, command(client, cache)
        except NoEnvironment as e:
            reasons.append(str(e))
    raise UsageError(f"{clients[0].library} {clients[0].version} cannot run here: {reasons[0]}")


def _read(bug: Bug, clients: list[Client], side: Side, cache: Path) -> Read:
    client, started_by = _command(clients, cache)
    stage = Here(side)
    play = Play(stage, side)
    assert bug.story is not None
    bug.story(play)
    partitions = stage.kafka.topics()[TOPIC]
    wanted = sum(_records(play, partition) for partition in range(partitions))
    stage.kafka.stop()
    name = f"{client.library} {client.version}"
    try:
        with stage.kafka.start() as kafka, Driver(started_by) as driver:
            driver.start(_task(client, kafka, partitions))
            driver.patience_s = PATIENCE_S
            got, error = _listen(driver, wanted, len(kafka.records(TOPIC)))
    except DriverFailed as e:
        got, error = 0, str(e).strip().splitlines()[-1]
    return Read(name, side, wanted, got, error)


def _records(play: Play, partition: int) -> int:
    """How many records of a partition a reader of committed data gets."""
    fetched = play.fetch(0, None, TOPIC, partition, committed=True)
    aborted = {producer for producer, _ in fetched.aborted}
    units = [unit for unit in play.log(TOPIC, partition) if not unit.is_control]
    return sum(unit.count for unit in units if unit.producer_id not in aborted)


def _listen(driver: Driver, wanted: int, in_log: int) -> tuple[int, str]:
    """How many records came, and what was said about those that did not.

    If some records belong to aborted transactions, it waits for all of them; that these never come is correct.
    """
    got, error = 0, ""
    more = {"committed_only": True} if in_log > wanted else {}
    driver.tell({"do": "read", "reader": 0, "count": in_log, **more})
    try:
        for event in driver.events():
            got += event["event"] == "consumed"
            error = str(event.get("error", error))
    except DriverFailed as e:
        error = str(e).strip().splitlines()[-1]
    return got, error


def _task(client: Client, kafka: FakeKafka, partitions: int) -> Json:
    address = kafka.bootstrap_servers
    named: Known | None = next((name for name in get_args(Known) if name == client.library), None)
    settings: Json = {"bootstrap_servers": address} if named is None else {**kafka.client_config(named)}
    return {
        "settings": settings, "release": kafka.release, "topic": TOPIC, "partitions": partitions, "codec": "none",
        "idempotent": False,
    }  # fmt: skip


def as_described(reads: tuple[Read, Read]) -> bool:
    """Whether the first reader was affected and the second one was not."""
    return not reads[0].all_well and reads[1].all_well
