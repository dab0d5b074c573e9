"""`fakekafka explain`: how a broker differs from a real one of its release."""

import argparse
from typing import TYPE_CHECKING

from fakekafka.cli.options import add_broker, broker_config
from fakekafka.emulator import FakeKafka

if TYPE_CHECKING:
    from fakekafka.cli.options import Commands


def add(commands: "Commands") -> None:
    parser = commands.add_parser("explain", help="list how the broker differs from a real one of its release")
    add_broker(parser)
    parser.set_defaults(command=run)


def run(options: argparse.Namespace) -> int:
    kafka = FakeKafka(
        options.release,
        config=broker_config(options),
        brokers=options.brokers,
        quirks=options.quirks,
        pace=options.pace,
        drafts=options.draft,
    )
    differences = kafka.explain()
    print(f"Kafka {kafka.release}, played by fakekafka, differs from the real one in {len(differences)} ways")
    for difference in differences:
        print(f"  {difference}")
    return 0
