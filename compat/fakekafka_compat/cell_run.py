"""Runs one cell: a broker, drivers against it, and a scenario; what they show afterwards becomes its observations."""

import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Final, NamedTuple

from fakekafka import FakeKafkaError
from fakekafka.client_configs import CLIENTS
from fakekafka_spark.observations import Cell, Observation

from fakekafka_compat.against.asking import Address
from fakekafka_compat.against.limits import not_against
from fakekafka_compat.caps import Caps
from fakekafka_compat.driving import Driver, DriverFailed
from fakekafka_compat.environments import NoEnvironment, command
from fakekafka_compat.expectations import NEWEST_FORMAT, Expected, expected
from fakekafka_compat.grounds import Ground, emulated, real
from fakekafka_compat.logins import login_of
from fakekafka_compat.observing import observed
from fakekafka_compat.records import PARTITIONS, Json
from fakekafka_compat.runnable import not_runnable
from fakekafka_compat.scenarios import scenario_of
from fakekafka_compat.stage import Stage, Unable
from fakekafka_compat.table import WRITTEN_BY, Client

CALLED: Final = {"kafka-clients": "java"}
"""fakekafka's name for a library, if it differs from that of its registry."""


class Players(NamedTuple):
    """The cell's client and the client that writes, which usually is the same."""

    client: Client
    writer: Client
    commands: Mapping[str, list[str]]
    """The commands that start the drivers, by client."""


def run_cell(
    cell: Cell, clients: Mapping[str, Client], cache: Path, against: Address | None = None
) -> list[Observation]:
    """Run a cell. The first row of the result says whether it ran, was skipped or failed. `clients`: those of the
    table.

    `against`: the real broker on which it is played; None: a `FakeKafka`. Raises `UsageError` for an impossible cell,
    and for a broker of another release.
    """
    client = clients[cell.client]
    reason = not_runnable(client, cell, clients) or (None if against is None else not_against(cell))
    if reason is not None:
        return [_skipped(reason)]
    argument = scenario_of(cell.scenario)[1]
    writer = clients[argument] if cell.scenario.startswith(WRITTEN_BY) else client
    try:
        commands = {each.name: command(each, cache) for each in (client, writer)}
    except NoEnvironment as e:
        return [_skipped(str(e))]
    try:
        with emulated(cell) if against is None else real(cell, against) as ground:
            return list(_played(cell, Players(client, writer, commands), ground))
    except Unable as e:
        return [_skipped(f"{client.library} {client.version} is not able to {e}")]


def _skipped(reason: str) -> Observation:
    return Observation("cell", value="skipped", amount=0, text=reason)


def _played(cell: Cell, players: Players, ground: Ground) -> Iterator[Observation]:
    wanted = expected(players.client, cell, players.writer, Caps.of(cell.scenario))
    began, kafka = time.monotonic(), ground.kafka
    try:
        stage = _staged(cell, players, wanted, ground)
    except (DriverFailed, FakeKafkaError) as e:
        last = kafka.summary() if kafka.is_running else "the broker does not run"
        yield Observation("cell", value="failed", amount=1, text=f"{e}\n{last}")
        return
    yield Observation("cell", value="ran", amount=1)
    yield Observation("fact", name="time of the scenario", amount=1000 * (time.monotonic() - began))
    yield from observed(stage)


def _staged(cell: Cell, players: Players, wanted: Expected, ground: Ground) -> Stage:
    """Play the scenario."""
    with ExitStack() as stack:
        drivers: dict[str, Driver] = {}
        facts = []
        for client in (players.client, players.writer):
            if client.name not in drivers:
                drivers[client.name] = driver = stack.enter_context(Driver(players.commands[client.name]))
                said = driver.start(_task(client, cell, ground, wanted))
                facts.append(_fact("version of the client", said["version"], client.version))
        client, writer = players.client, players.writer
        stage = Stage(
            cell, ground.kafka, ground.topic, client, wanted, drivers[client.name], drivers[writer.name], ground.link
        )
        stage.facts += facts
        scenario_of(cell.scenario)[0].play(stage)
        for driver in drivers.values():
            driver.close()
    return stage


def _task(client: Client, cell: Cell, ground: Ground, wanted: Expected) -> Json:
    kafka = ground.kafka
    login = login_of(cell.scenario, kafka)
    named = next((name for name in CLIENTS if name == CALLED.get(client.library, client.library)), None)
    settings: Json = {"bootstrap_servers": ground.address}
    if named is not None:
        settings = {**kafka.client_config(named, user=None if login is None else login["user"])}
    settings |= {name: ground.address for name in settings if name.startswith("bootstrap")}
    settings.pop("ssl_context", None)  # the driver makes its own
    return {
        "settings": settings,
        **({} if login is None else {"login": login}),
        "release": kafka.release,
        "topic": ground.topic,
        "partitions": PARTITIONS,
        "codec": cell.codec,
        "idempotent": min(wanted.stores, wanted.writes or 0) == NEWEST_FORMAT,
    }


def _fact(name: str, value: str, wanted: str) -> Observation:
    return Observation("fact", name=name, value=value, expected=wanted)
