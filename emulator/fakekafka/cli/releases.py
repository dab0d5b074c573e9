"""`fakekafka releases`: the releases that can be played."""

import argparse
import json
from typing import TYPE_CHECKING

from fakekafka.cli.tables import print_table
from fakekafka.texts.release_table import COLUMNS, release_table

if TYPE_CHECKING:
    from fakekafka.cli.options import Commands


def add(commands: "Commands") -> None:
    parser = commands.add_parser("releases", help="list the Kafka releases that can be played")
    parser.add_argument("--json", action="store_true", help="as JSON")
    parser.set_defaults(command=run)


def run(options: argparse.Namespace) -> int:
    rows = release_table()
    if options.json:
        print(json.dumps([row._asdict() for row in rows], indent=2))
    else:
        print_table(COLUMNS, [row.cells() for row in rows])
    return 0
