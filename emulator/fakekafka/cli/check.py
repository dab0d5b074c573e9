"""`fakekafka check`: find what is wrong with the files of a log directory."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from fakekafka.cli.progress import of_bytes
from fakekafka.escaping import escaped
from fakekafka.inspection.directory_check import LocatedFinding, check_directory, log_bytes
from fakekafka.inspection.remedies import remedy
from fakekafka.releases.profile import Profile, profile
from fakekafka.releases.release import Release
from fakekafka.runtime.assembly import what_lies_in

if TYPE_CHECKING:
    from fakekafka.cli.options import Commands


def add(commands: "Commands") -> None:
    parser = commands.add_parser("check", help="find what is wrong with the files of a log directory")
    parser.add_argument(
        "directory",
        type=Path,
        metavar="DIR",
        help="of a broker, of several brokers, or of one partition",
    )
    parser.add_argument(
        "--release",
        help="the release whose broker would start on it (default: the one that wrote it, if known, or the newest)",
    )
    parser.add_argument(
        "--skip-records",
        action="store_true",
        help="do not open batches whose checksum is right: about six times as fast, but what a header says about its "
        "records (their count, their offsets) is believed",
    )
    parser.set_defaults(command=run)


def run(options: argparse.Namespace) -> int:
    """Check the directory. The exit status is 0 if nothing is wrong, otherwise 1."""
    release = Release.parse(options.release or what_lies_in(options.directory).release)
    played, count = profile(release), 0
    with of_bytes(str(options.directory), log_bytes(options.directory)) as seen:
        for located in check_directory(options.directory, seen, records=not options.skip_records):
            print(_line(located, options.directory, played))
            count += 1
    if count:
        print(f"{count} findings")
    return int(count > 0)


def _line(located: LocatedFinding, root: Path, played: Profile) -> str:
    """The line of a finding: where it is, what it is, and what the broker does about it."""
    finding = located.finding
    place = located.directory.relative_to(root) / finding.file
    at = "" if finding.position is None else f" at {finding.position}"
    return escaped(f"{place}{at}: {finding.what}; {played.release.line}: {remedy(finding, played)}")
