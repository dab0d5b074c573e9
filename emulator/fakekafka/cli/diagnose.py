"""`fakekafka diagnose`: the known bugs that fit a journal of requests, a packet capture, a log directory, or a log."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from fakekafka.errors import UsageError
from fakekafka.inspection.pcap_segments import is_capture

if TYPE_CHECKING:
    from fakekafka.bugs.signs.finding import Finding
    from fakekafka.cli.options import Commands


def add(commands: "Commands") -> None:
    parser = commands.add_parser(
        "diagnose", help="name the bugs that fit a journal, a capture, a log directory or a log"
    )
    parser.add_argument("path", metavar="journal.jsonl|FILE.pcap|DIR|client.log", help="what to diagnose")
    parser.set_defaults(command=run)


def run(options: argparse.Namespace) -> int:
    from fakekafka.bugs import bug  # imported here, because other commands need no bugs

    found = _findings(Path(options.path))
    for one in found:
        print(f"{one.bug}: {bug(one.bug).title}\n  seen:    {one.seen}\n  confirm: {one.confirm}")
    if not found:
        print("no known bug fits")
    return 1 if found else 0


def _findings(path: Path) -> "list[Finding]":
    if path.is_dir():
        from fakekafka.bugs.signs.of_directories import diagnose_directory

        return diagnose_directory(path)
    try:
        data = path.read_bytes()
    except OSError as e:
        raise UsageError(f"{path}: {e.strerror}") from None
    if is_capture(data):
        from fakekafka.bugs.signs.of_journals import diagnose_journal
        from fakekafka.inspection.captured_requests import captured_requests

        return diagnose_journal(captured_requests(data))
    text = data.decode("utf-8", errors="replace")
    if path.suffix == ".jsonl":
        from fakekafka.bugs.signs.of_journals import diagnose_journal
        from fakekafka.inspection.journal_lines import read_journal

        return diagnose_journal(read_journal(text.splitlines()))
    from fakekafka.bugs.signs.of_texts import diagnose_text

    return diagnose_text(text.splitlines())
