"""`fakekafka plugins`: register compression plug-ins with a running cluster, or list them: KIP-984's admin tool.

It needs a broker that plays the draft KIP-984, such as `fakekafka serve --draft KIP-984`.
"""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

from fakekafka.errors import UsageError

if TYPE_CHECKING:
    from fakekafka.cli.options import Commands
    from fakekafka.plugins.registration import Registered, Wanted

DEFAULT_SERVER: Final = "127.0.0.1:9092"


def add(commands: "Commands") -> None:
    parser = commands.add_parser("plugins", help="register compression plug-ins (draft KIP-984), or list them")
    actions = parser.add_subparsers(required=True, metavar="ACTION")
    register = actions.add_parser("register", help="register plug-ins from a file, or by answering questions")
    register.add_argument(
        "file", nargs="?", metavar="FILE", help="JSON; -: standard input; without it, the command asks"
    )
    register.set_defaults(command=run_register)
    listing = actions.add_parser("list", help="print what is registered")
    listing.set_defaults(command=run_list)
    for action in (register, listing):
        action.add_argument(
            "--bootstrap-server", default=DEFAULT_SERVER, metavar="HOST:PORT", help="a broker (%(default)s)"
        )


def run_register(options: argparse.Namespace) -> int:
    from fakekafka.plugins.installed import installed
    from fakekafka.plugins.registration import plan
    from fakekafka.plugins.remote import read_registered, write_entries

    for wanted in list(_asked(options)) if options.file is None else _read(options.file):
        entries = plan(wanted, read_registered(options.bootstrap_server), installed().get(wanted.alias))
        write_entries(options.bootstrap_server, entries)
        plugin_id = {entry.plugin_id for entry in entries.values()}.pop()
        print(f"{wanted.alias} is plug-in {plugin_id}, registered for {', '.join(sorted(entries))}")
    return 0


def run_list(options: argparse.Namespace) -> int:
    from fakekafka.plugins.remote import read_registered

    for line in _lines(read_registered(options.bootstrap_server)):
        print(line)
    return 0


def _lines(registered: "Registered") -> Iterator[str]:
    for language, entries in sorted(registered.items()):
        for entry in sorted(entries.values(), key=lambda each: each.plugin_id):
            yield f"{entry.plugin_id:2} {entry.alias} {language} {entry.class_name} {entry.version}"


def _read(file: str) -> "list[Wanted]":
    """The plug-ins that a file describes."""
    from fakekafka.plugins.entry import read_json
    from fakekafka.plugins.registration import wanted_of

    text = sys.stdin.read() if file == "-" else Path(file).read_text("utf-8")
    reading = read_json(text)
    if reading.commas_added:
        print(f"fakekafka: {file}: {reading.commas_added} missing commas were added", file=sys.stderr)
    if reading.brace_added:
        print(f"fakekafka: {file}: the first brace was missing and was added", file=sys.stderr)
    return wanted_of(reading.content)


def _asked(options: argparse.Namespace) -> "Iterator[Wanted]":
    """The plug-ins that the user types in, until an empty alias or the end of the input."""
    from fakekafka.plugins.entry import JAVA, PYTHON
    from fakekafka.plugins.registration import FIRST_VERSION, Wanted

    while alias := _answer("alias (empty: no more)"):
        names = {language: _answer(f"class name for {language}") for language in (JAVA, PYTHON)}
        while more := _answer("another language (empty: no more)"):
            names[more] = _answer(f"class name for {more}")
        version = _answer(f"version (empty: {FIRST_VERSION})") or FIRST_VERSION
        if not all(names.values()):
            raise UsageError(f"{alias}: name a class for each language; nothing of it is registered")
        yield Wanted(alias, names, version)


def _answer(question: str) -> str:
    print(f"{question}: ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip()
