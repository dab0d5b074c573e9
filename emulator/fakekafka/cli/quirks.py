"""`fakekafka quirks`: the historic defects that can be switched on and off, and the releases that shipped them."""

import argparse
from typing import TYPE_CHECKING

from fakekafka.cli.tables import print_table
from fakekafka.releases.profile import profile
from fakekafka.releases.quirks import QUIRKS, Quirk
from fakekafka.releases.release import Release

if TYPE_CHECKING:
    from fakekafka.cli.options import Commands

LEGEND = "off: the first release without it; invented: every release has it, so no real broker is without it."


def add(commands: "Commands") -> None:
    parser = commands.add_parser("quirks", help="list the historic defects that can be switched on and off")
    parser.add_argument("--release", metavar="RELEASE", help="only the quirks of this release")
    parser.set_defaults(command=run)


def run(options: argparse.Namespace) -> int:
    rules = None if options.release is None else profile(Release.parse(options.release))
    rows = [(row.name, row.shipped_in(), _off(row), row.effect) for row in QUIRKS if rules is None or row.is_in(rules)]
    print_table(("quirk", "shipped in", "off", "effect"), rows)
    print(LEGEND)
    return 0


def _off(row: Quirk) -> str:
    """The release that a broker resembles once the quirk is switched off."""
    release = row.off_as_in()
    return "invented" if release is None else f"as {release}"
