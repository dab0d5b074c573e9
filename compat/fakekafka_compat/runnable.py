"""Which cells can be run at all, in any environment, and why the others cannot."""

from collections.abc import Callable, Iterator, Mapping
from typing import Final, NamedTuple

from fakekafka import UsageError
from fakekafka.releases.mechanisms import FIRST_WITH as FIRST_WITH_MECHANISM
from fakekafka.releases.phases import find_phase
from fakekafka.releases.release import Release
from fakekafka_spark.observations import Cell

from fakekafka_compat.caps import Caps, not_sweepable
from fakekafka_compat.expectations import NEWEST_FORMAT, expected, magic_of
from fakekafka_compat.logins import mechanism_of
from fakekafka_compat.scenarios import scenario_of
from fakekafka_compat.table import ARROW, MECHANISMS, UPGRADES, WRITTEN_BY, Client

FIRST_WITH: Final = {
    "compacted": ((0, 8, 1), "log compaction"),
    "group": ((0, 9, 0), "JoinGroup"),
    "plug-in": ((0, 11, 0), "batches of format 2 (draft KIP-984)"),
    "seek": ((0, 10, 1), "ListOffsets 1 (KIP-79)"),
    "transactional": ((0, 11, 0), "InitProducerId (KIP-98)"),
    "idempotent": ((0, 11, 0), "InitProducerId (KIP-98)"),
}
"""The first release line that has what a scenario needs."""
LOWEST_FORMAT: Final = {"plug-in": 2, "seek": 1, "transactional": 2, "idempotent": 2}
"""The format that a topic must have for a scenario."""
FORMAT_CONFIG: Final = ((0, 10, 0), (2, 8))
"""The first and the last line whose topics can have another format (KIP-32, KIP-724)."""
FIRST_WITH_ZSTD: Final = (2, 1)
"""The first release line with zstd (KIP-110)."""


def not_runnable(client: Client, cell: Cell, clients: Mapping[str, Client]) -> str | None:
    """Why a cell cannot be run, or None. `clients`: those of the table.

    Raises `UsageError` for an unknown scenario or writing client.
    """
    name, argument = _scenario(cell)
    asked = _Asked(client, cell, _way(cell), name, argument)
    for reason in (*(rule(asked) for rule in RULES), *_of_the_writer(asked, clients)):
        if reason is not None:
            return reason
    return None


class _Asked(NamedTuple):
    client: Client
    cell: Cell
    way: list[Release]
    """All releases that the cluster plays."""
    scenario: str
    argument: str

    @property
    def who(self) -> str:
        return f"{self.client.library} {self.client.version}"


def _scenario(cell: Cell) -> tuple[str, str]:
    try:
        argument = scenario_of(cell.scenario)[1]
    except KeyError:
        raise UsageError(f"no scenario {cell.scenario!r}: compat/README.md names them") from None
    return cell.scenario.removesuffix(f" {argument}") if argument else cell.scenario, argument


def _way(cell: Cell) -> list[Release]:
    return [Release.parse(line) for line in (cell.phase.split(ARROW) if cell.scenario in UPGRADES else [cell.release])]


def _age(asked: _Asked) -> str | None:
    client = asked.client
    if min(asked.way) < Release.parse(client.oldest):
        return f"{asked.who} talks to no broker before {client.oldest}"
    if client.newest and max(asked.way).line_number > Release.parse(client.newest).line_number:
        return f"{asked.who} talks to no broker after {client.newest}"
    return None


def _api(asked: _Asked) -> str | None:
    first, what = FIRST_WITH.get(asked.scenario, ((), ""))
    if asked.way[0].line_number < first:
        return f"{asked.cell.release} has no {what}"
    if asked.scenario in ("transactional", "idempotent") and not asked.client.transactions:
        return f"{asked.who} has no transactions, and no idempotence"
    if asked.cell.codec not in asked.client.codecs:
        return f"{asked.who} has no {asked.cell.codec}"
    if asked.cell.codec == "zstd" and asked.way[0].line_number < FIRST_WITH_ZSTD:
        return f"{asked.cell.release} has no zstd"
    return None


def _login(asked: _Asked) -> str | None:
    mechanism = mechanism_of(asked.cell.scenario)
    if mechanism is None:
        return None
    if mechanism not in MECHANISMS:
        raise UsageError(f"no mechanism {mechanism!r}: one of {', '.join(MECHANISMS)}")
    if mechanism not in asked.client.mechanisms:
        return f"{asked.who} has no {mechanism}"
    if asked.way[0].line_number < FIRST_WITH_MECHANISM[mechanism]:
        return f"{asked.cell.release} has no {mechanism}"
    if asked.way[0] < Release.parse(asked.client.logs_in_from):
        return f"{asked.who} logs in at no broker before {asked.client.logs_in_from}"
    return None


def _format(asked: _Asked) -> str | None:
    cell, release = asked.cell, asked.way[0]
    if cell.format and cell.phase:
        return "in a phase, the format is the phase's"
    if cell.format and not (FORMAT_CONFIG[0] <= release.line_number <= FORMAT_CONFIG[1]):
        return f"topics of {cell.release} have no other format than its own"
    if cell.format and Release.parse(cell.format) > release:
        return f"{cell.release} does not know format {cell.format}"
    stores = find_phase(cell.phase).magic if ":" in cell.phase else magic_of(cell.format or release.line)
    if stores < asked.client.reads_from:
        return f"{asked.who} reads no format before {asked.client.reads_from}"
    if asked.scenario not in UPGRADES and stores < min(LOWEST_FORMAT.get(asked.scenario, 0), NEWEST_FORMAT):
        return f"format {stores} cannot hold what scenario {asked.scenario} needs"
    return None


def _timestamps(asked: _Asked) -> str | None:
    if asked.scenario == "seek" and expected(asked.client, asked.cell, asked.client, Caps()).writes == 0:
        return f"{asked.who} writes no timestamps"
    return None


def _caps(asked: _Asked) -> str | None:
    caps = Caps.of(asked.cell.scenario)
    return None if caps == Caps() else not_sweepable(asked.client, caps, asked.cell.release)


def _of_the_writer(asked: _Asked, clients: Mapping[str, Client]) -> Iterator[str | None]:
    if asked.scenario != WRITTEN_BY:
        return
    if asked.argument not in clients:
        raise UsageError(f"no client {asked.argument!r} that writes: one of {', '.join(clients)}")
    yield not_runnable(clients[asked.argument], asked.cell._replace(scenario="roundtrip"), clients)


RULES: Final[tuple[Callable[[_Asked], str | None], ...]] = (_age, _api, _login, _format, _timestamps, _caps)
