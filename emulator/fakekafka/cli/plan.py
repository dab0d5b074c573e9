"""`fakekafka plan`: the steps from one release to another, and what each means to clients.

Without `--from-dir` it is a table of client generations. With it, a directory of logs is read (and not changed), and it
says what the upgrade would cost each named client, and what would break. The directory also says whether ZooKeeper or
KRaft keeps the metadata, and so whether the upgrade leads from one to the other.
"""

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from fakekafka.cli.tables import print_table
from fakekafka.emulator import FakeKafka
from fakekafka.errors import UsageError
from fakekafka.releases.client_versions import GENERATIONS, Client, find_client
from fakekafka.releases.phases import Phase, before_upgrade, recipe
from fakekafka.releases.release import NEWEST, Release
from fakekafka.upgrade.plan import Cost, costs, outcome
from fakekafka.upgrade.scan import Held

if TYPE_CHECKING:
    from fakekafka.cli.options import Commands

LEGEND = (
    "produce / fetch. in place: stored as it came; up, down: converted to a newer or an older format.\n"
    "zero-copy: sent as it is stored; converted: made for each fetch; refused: that version is not served."
)


def add(commands: "Commands") -> None:
    parser = commands.add_parser("plan", help="the steps of an upgrade, and what they mean to clients")
    parser.add_argument(
        "start", nargs="?", metavar="FROM", help="the release now (default: the one that wrote the directory)"
    )
    parser.add_argument("to", nargs="?", metavar="TO", help=f"the release wanted (default: {NEWEST})")
    parser.add_argument("--via", action="append", default=[], metavar="STOP", help="a release or setting to stop at")
    parser.add_argument("--from-dir", metavar="DIR", help="read the logs there, and say what would be converted")
    parser.add_argument(
        "--clients", default="", metavar="NAME==VERSION,...", help="the clients (default: three generations of them)"
    )
    parser.set_defaults(command=run)


def run(options: argparse.Namespace) -> int:
    clients = [find_client(text) for text in options.clients.split(",") if text] or list(GENERATIONS)
    if options.from_dir is None:
        if options.start is None or options.to is None:
            raise UsageError("plan: name FROM and TO, as in 'fakekafka plan 0.10.2 2.3', or --from-dir")
        _print_steps(recipe(before_upgrade(Release.parse(options.start)), options.to, options.via), clients)
        return 0
    with FakeKafka.load(options.from_dir, options.start).boot() as kafka:
        held, start = kafka.stored_formats(), kafka.phase
    phases = recipe(start, options.to or NEWEST, options.via)
    _print_held(held)
    _print_costs(list(costs(phases, clients, held)), phases)
    return 0


def _print_steps(phases: Sequence[Phase], clients: Sequence[Client]) -> None:
    rows = [
        (
            str(n),
            phase.name,
            str(phase.release),
            phase.properties,
            *(str(outcome(client, phase)) for client in clients),
        )
        for n, phase in enumerate(phases)
    ]
    print_table(("step", "phase", "release", "settings", *(client.name for client in clients)), rows)
    print(LEGEND)


def _print_held(held: Sequence[Held]) -> None:
    rows = [
        (topic.name, str(units.magic), str(units.units), str(units.records), str(units.size))
        for topic in held
        for units in topic.units
    ]
    print_table(("topic", "format", "units", "records", "bytes"), rows)


def _print_costs(found: Sequence[Cost], phases: Sequence[Phase]) -> None:
    """Print the costs; steps that are free for every client are only named."""
    for n, phase in enumerate(phases):
        print(f"\n{n} {phase}")
        mine = [cost for cost in found if cost.phase is phase and not cost.is_free]
        if not mine:
            print("  nothing is converted or broken, for any client")
            continue
        rows = [
            (
                f"  {cost.client.name}",
                cost.topic,
                str(cost.outcome),
                f"{cost.records} records, {cost.size} bytes" if cost.records else "",
                "; ".join(cost.breaks),
            )
            for cost in mine
        ]
        print_table(("  client", "topic", "produce / fetch", "converted for each reader", "breaks"), rows)
