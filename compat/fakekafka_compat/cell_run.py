"""Runs one cell: a broker, drivers against it, and a scenario; what they show afterwards becomes its observations."""

import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Final, NamedTuple

from fakekafka import FakeKafka, FakeKafkaError
from fakekafka.client_configs import CLIENTS
from fakekafka.releases.phases import find_phase
from fakekafka.releases.release import Release
from fakekafka_spark.observations import Cell, Observation

from fakekafka_compat.caps import Caps
from fakekafka_compat.driving import Driver, DriverFailed
from fakekafka_compat.environments import NoEnvironment, command
from fakekafka_compat.expectations import NEWEST_FORMAT, Expected, expected
from fakekafka_compat.logins import login_of, secured
from fakekafka_compat.lossy_link import LossyLink
from fakekafka_compat.observing import observed
from fakekafka_compat.plug_ins import ALIAS, DRAFT
from fakekafka_compat.records import PARTITIONS, Json
from fakekafka_compat.runnable import not_runnable
from fakekafka_compat.scenarios import scenario_of
from fakekafka_compat.stage import TOPIC, Stage, Unable
from fakekafka_compat.table import WRITTEN_BY, Client

CALLED: Final = {"kafka-clients": "java"}
"""fakekafka's name for a library, if it differs from that of its registry."""
FIRST_WITH_DELAY: Final = (0, 11, 0)
"""A real broker waits three seconds for more members of a group, unless it is configured not to (KIP-134)."""


class Players(NamedTuple):
    """The cell's client, and the one that writes: usually they are the same."""

    client: Client
    writer: Client
    commands: Mapping[str, list[str]]
    """The commands that start the drivers, by client."""


def run_cell(cell: Cell, clients: Mapping[str, Client], cache: Path) -> list[Observation]:
    """Run it; its first row says whether it ran, was skipped or failed. `clients`: those of the table.

    Raises `UsageError` for an impossible cell.
    """
    client = clients[cell.client]
    reason = not_runnable(client, cell, clients)
    if reason is not None:
        return [_skipped(reason)]
    argument = scenario_of(cell.scenario)[1]
    writer = clients[argument] if cell.scenario.startswith(WRITTEN_BY) else client
    try:
        commands = {each.name: command(each, cache) for each in (client, writer)}
    except NoEnvironment as e:
        return [_skipped(str(e))]
    try:
        return list(_played(cell, Players(client, writer, commands)))
    except Unable as e:
        return [_skipped(f"{client.library} {client.version} is not able to {e}")]


def _skipped(reason: str) -> Observation:
    return Observation("cell", value="skipped", amount=0, text=reason)


def _played(cell: Cell, players: Players) -> Iterator[Observation]:
    wanted = expected(players.client, cell, players.writer, Caps.of(cell.scenario))
    scenario = scenario_of(cell.scenario)[0]
    with LossyLink() as link, _broker(cell, link if scenario.through_link else None) as kafka:
        link.lead_to(kafka.host, kafka.port)
        if scenario.draft == DRAFT:
            kafka.plugins.register(ALIAS)
        kafka.create_topic(TOPIC, PARTITIONS, {**_format(cell), **scenario.topic_config})
        began = time.monotonic()
        try:
            stage = _staged(cell, players, wanted, kafka, link)
        except (DriverFailed, FakeKafkaError) as e:
            last = kafka.summary() if kafka.is_running else "the broker does not run"
            yield Observation("cell", value="failed", amount=1, text=f"{e}\n{last}")
            return
        yield Observation("cell", value="ran", amount=1)
        yield Observation("fact", name="time of the scenario", amount=1000 * (time.monotonic() - began))
        yield from observed(stage)


def _staged(cell: Cell, players: Players, wanted: Expected, kafka: FakeKafka, link: LossyLink) -> Stage:
    """Play the scenario."""
    scenario = scenario_of(cell.scenario)[0]
    with ExitStack() as stack:
        drivers: dict[str, Driver] = {}
        facts = []
        for client in (players.client, players.writer):
            if client.name not in drivers:
                drivers[client.name] = driver = stack.enter_context(Driver(players.commands[client.name]))
                address = link.address if scenario.through_link else kafka.bootstrap_servers
                said = driver.start(_task(client, cell, kafka, wanted, address))
                facts.append(_fact("version of the client", said["version"], client.version))
        client, writer = players.client, players.writer
        stage = Stage(cell, kafka, client, wanted, drivers[client.name], drivers[writer.name], link)
        stage.facts += facts
        scenario.play(stage)
        for driver in drivers.values():
            driver.close()
    return stage


def _broker(cell: Cell, link: LossyLink | None) -> FakeKafka:
    one_phase = cell.phase if ":" in cell.phase else None
    release = find_phase(one_phase).release if one_phase else Release.parse(cell.release)
    config = {"advertised.listeners": f"PLAINTEXT://{link.address}"} if link is not None else {}
    scenario = scenario_of(cell.scenario)[0]
    brokers = scenario.brokers
    if brokers > 1:
        config |= {"default.replication.factor": str(brokers), "min.insync.replicas": str(brokers - 1)}
    if cell.scenario == "group" and release.line_number >= FIRST_WITH_DELAY:
        config["group.initial.rebalance.delay.ms"] = "0"
    return FakeKafka(
        None if one_phase else cell.release,
        phase=one_phase,
        config=config,
        brokers=brokers,
        drafts=[scenario.draft] if scenario.draft else [],
        api_versions=Caps.of(cell.scenario).api_versions,
        **secured(cell.scenario, TOPIC),
    )


def _format(cell: Cell) -> dict[str, str]:
    return {"message.format.version": cell.format} if cell.format else {}


def _task(client: Client, cell: Cell, kafka: FakeKafka, wanted: Expected, address: str) -> Json:
    login = login_of(cell.scenario, kafka)
    named = next((name for name in CLIENTS if name == CALLED.get(client.library, client.library)), None)
    settings: Json = {"bootstrap_servers": address}
    if named is not None:
        settings = {**kafka.client_config(named, user=None if login is None else login["user"])}
    settings |= {name: address for name in settings if name.startswith("bootstrap")}
    settings.pop("ssl_context", None)  # the driver makes its own
    return {
        "settings": settings,
        **({} if login is None else {"login": login}),
        "release": kafka.release,
        "topic": TOPIC,
        "partitions": PARTITIONS,
        "codec": cell.codec,
        "idempotent": min(wanted.stores, wanted.writes or 0) == NEWEST_FORMAT,
    }


def _fact(name: str, value: str, wanted: str) -> Observation:
    return Observation("fact", name=name, value=value, expected=wanted)
