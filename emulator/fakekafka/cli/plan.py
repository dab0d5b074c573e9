"""`fakekafka plan`: the steps from one release to another, and what each means for clients.

Without `--from-dir` it prints a table of client generations. With it, the command reads a log directory, which it does
not change, and says what the upgrade would cost each named client, and what would break. The directory also says
whether ZooKeeper or KRaft keeps the metadata, and so whether the upgrade leads from one to the other.
"""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from fakekafka.advice.client_list import read_clients
from fakekafka.cli.tables import print_table
from fakekafka.emulator import FakeKafka
from fakekafka.errors import UsageError
from fakekafka.escaping import escaped_lines
from fakekafka.releases.client_logins import GENERATIONS as LOGIN_GENERATIONS
from fakekafka.releases.client_logins import ClientLogin, cautions, login_of, login_words
from fakekafka.releases.client_versions import GENERATIONS, Client
from fakekafka.releases.phases import Phase, before_upgrade, recipe
from fakekafka.releases.release import NEWEST, Release
from fakekafka.releases.security_changes import security_changes
from fakekafka.upgrade.plan import Cost, costs, outcome
from fakekafka.upgrade.scan import Held

if TYPE_CHECKING:
    from fakekafka.cli.options import Commands

LEGEND = (
    "produce / fetch. in place: stored as it came; up, down: converted to a newer or an older format.\n"
    "zero-copy: sent as it is stored; converted: made for each fetch; refused: that version is not served."
)


def add(commands: "Commands") -> None:
    parser = commands.add_parser("plan", help="the steps of an upgrade, and what they mean for clients")
    parser.add_argument(
        "start", nargs="?", metavar="FROM", help="the release now (default: the one that wrote the directory)"
    )
    parser.add_argument("to", nargs="?", metavar="TO", help=f"the release wanted (default: {NEWEST})")
    parser.add_argument("--via", action="append", default=[], metavar="STOP", help="a release or setting to stop at")
    parser.add_argument("--from-dir", metavar="DIR", help="read the logs there, and show what would be converted")
    parser.add_argument(
        "--clients",
        metavar="NAME==VERSION,...|FILE.toml",
        help="the clients (default: three generations of them)",
    )
    parser.add_argument("--advice", action="store_true", help="a verdict for each step, with its reasons")
    parser.add_argument("--why", action="store_true", help="the same, and the test that shows each claim")
    parser.add_argument("--json", action="store_true", help="the same as JSON")
    parser.add_argument("--html", metavar="FILE", help="the same as one page with a picture of the path")
    parser.set_defaults(command=run)


def run(options: argparse.Namespace) -> int:
    clients = list(GENERATIONS) if options.clients is None else read_clients(options.clients)
    advised = options.advice or options.why or options.json or options.html is not None
    if options.from_dir is None:
        if options.start is None or options.to is None:
            raise UsageError("plan: name FROM and TO, as in 'fakekafka plan 0.10.2 2.3', or --from-dir")
        phases = recipe(before_upgrade(Release.parse(options.start)), options.to, options.via)
        _advise(options, phases, clients, []) if advised else _print_steps(phases, clients)
        return 0
    with FakeKafka.load(options.from_dir, options.start).boot() as kafka:
        held, start = kafka.stored_formats(), kafka.phase
    phases = recipe(start, options.to or NEWEST, options.via)
    if advised:
        _advise(options, phases, clients, held)
        return 0
    _print_held(held)
    _print_costs(list(costs(phases, clients, held)), phases)
    _print_security(phases, clients)
    return 0


def _advise(
    options: argparse.Namespace, phases: Sequence[Phase], clients: Sequence[Client], held: Sequence[Held]
) -> None:
    from fakekafka.advice.page import page  # imported only here, because these modules load every bug
    from fakekafka.advice.steps import advice
    from fakekafka.advice.text import as_data, as_text

    steps = advice(phases, clients, held)
    if options.html is not None:
        title = f"From Kafka {phases[0].release} to {phases[-1].release}"
        Path(options.html).write_text(page(steps, title), "utf-8")
    if options.json:
        print(json.dumps(as_data(steps), indent=2))
    elif options.html is None or options.advice or options.why:
        print(escaped_lines(as_text(steps, why=options.why)))


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
    _print_security(phases, clients)


def _print_security(phases: Sequence[Phase], clients: Sequence[Client]) -> None:
    """Print what changes for clients that log in, and in their rights."""
    first, last = phases[0], phases[-1]
    changes = security_changes(first.release, first.mode, last.release, last.mode)
    if changes:
        print("where clients log in or have rights:")
    for change in changes:
        print(f"  {change}")
    print("how clients log in (SaslHandshake / SaslAuthenticate):")
    print_table(("  client", str(first.release), str(last.release), "beware"), _logins(clients, first, last))


def _logins(clients: Sequence[Client], first: Phase, last: Phase) -> list[tuple[str, ...]]:
    """How each client logs in before and after the upgrade; generations of clients, unless clients are named."""
    logins: Sequence[ClientLogin] = LOGIN_GENERATIONS
    if any(client.library for client in clients):
        named = ((client.name, login_of(client.library, client.version)) for client in clients)
        logins = tuple(login._replace(name=name) for name, login in named if login is not None)
    return [
        (
            f"  {login.name}",
            *(login_words(login, phase.release, phase.mode) for phase in (first, last)),
            "; ".join(cautions(login, last.release, last.mode)),
        )
        for login in logins
    ]


def _print_held(held: Sequence[Held]) -> None:
    rows = [
        (topic.name, str(units.magic), str(units.units), str(units.records), str(units.size))
        for topic in held
        for units in topic.units
    ]
    print_table(("topic", "format", "units", "records", "bytes"), rows)


def _print_costs(all_costs: Sequence[Cost], phases: Sequence[Phase]) -> None:
    """Print the costs; steps that are free for every client are only listed by name."""
    for n, phase in enumerate(phases):
        print(f"\n{n} {phase}")
        mine = [cost for cost in all_costs if cost.phase is phase and not cost.is_free]
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
