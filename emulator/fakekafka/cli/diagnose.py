"""`fakekafka diagnose`: the known bugs that fit a journal of requests, a packet capture, a log directory, or a log."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from fakekafka.errors import UsageError
from fakekafka.escaping import escaped
from fakekafka.inspection.pcap_segments import is_capture
from fakekafka.releases.release import Release

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fakekafka.bugs.signs.finding import Finding
    from fakekafka.cli.options import Commands
    from fakekafka.inspection.journal_lines import JournalLine


def add(commands: "Commands") -> None:
    parser = commands.add_parser(
        "diagnose", help="name the bugs that fit a journal, a capture, a log directory or a log"
    )
    parser.add_argument("path", metavar="journal.jsonl|FILE.pcap|DIR|client.log", help="what to diagnose")
    parser.add_argument(
        "--release",
        metavar="RELEASE",
        help="the brokers' release: bugs that it does not have are left out, and those with signs that are healthy in"
        " other releases are looked for (default: what answers to ApiVersions show)",
    )
    parser.set_defaults(command=run)


def run(options: argparse.Namespace) -> int:
    from fakekafka.bugs import bug  # imported only here, because other commands need no bugs

    release = None if options.release is None else Release.parse(options.release)
    findings = _findings(Path(options.path), release)
    for one in findings:
        print(f"{one.bug}: {bug(one.bug).title}\n  seen:    {escaped(one.seen)}\n  confirm: {one.confirm}")
    if not findings:
        print("no known bug fits")
    return 1 if findings else 0


def _findings(path: Path, release: Release | None) -> "list[Finding]":
    if path.is_dir():
        from fakekafka.bugs.signs.of_directories import diagnose_directory

        return diagnose_directory(path, release=release)
    try:
        data = path.read_bytes()
    except OSError as e:
        raise UsageError(f"{path}: {e.strerror}") from None
    if is_capture(data):
        from fakekafka.inspection.captured_requests import captured_requests

        return _of_requests(captured_requests(data), release)
    text = data.decode("utf-8", errors="replace")
    if path.suffix == ".jsonl":
        from fakekafka.inspection.journal_lines import read_journal

        return _of_requests(read_journal(text.splitlines()), release)
    from fakekafka.bugs.signs.of_texts import diagnose_text

    return diagnose_text(text.splitlines(), release)


def _of_requests(lines: "Iterable[JournalLine]", release: Release | None) -> "list[Finding]":
    from fakekafka.bugs.signs.of_journals import diagnose_journal

    return diagnose_journal(lines, release)
