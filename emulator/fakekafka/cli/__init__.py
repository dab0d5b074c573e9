"""The command line: `fakekafka COMMAND`; each module of this package is a command.

An error is one line on stderr, which ends with the address of its page, and exit status 2.
"""

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from typing import Final

from fakekafka.cli import (
    bugs,
    check,
    completion,
    ctl,
    diagnose,
    doctor,
    dump,
    explain,
    plan,
    plugins,
    quirks,
    rehearse,
    releases,
    serve,
    shrink,
    users,
)
from fakekafka.cli.options import OneLineParser
from fakekafka.error_pages import page_of
from fakekafka.errors import FakeKafkaError
from fakekafka.escaping import escaped

COMMANDS = (
    serve,
    ctl,
    releases,
    explain,
    check,
    dump,
    plan,
    rehearse,
    quirks,
    bugs,
    diagnose,
    plugins,
    users,
    shrink,
    doctor,
    completion,
)
"""Each module has `add(commands)`, which adds its parser; the parser's default `command` is the function that is
run."""
EXAMPLES: Final = """examples:
  fakekafka serve --release 2.3 --port 9092 --topic orders:3
  fakekafka explain --release 2.3
  fakekafka plan 0.10.2 2.3
  fakekafka check kafka-logs
  fakekafka bugs --symptom headers
  fakekafka doctor

`fakekafka COMMAND --help` has the rest."""
"""The text after the list of commands in the help."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return the exit status: 2 after an error, otherwise what the command returns."""
    options = parser().parse_args(arguments)
    command: Callable[[argparse.Namespace], int] = options.command
    try:
        return command(options)
    except BrokenPipeError:  # `fakekafka releases | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # nothing more can be written, not even on exit
        return 0
    except (FakeKafkaError, OSError) as e:
        page = f"; see {page_of(e)}" if isinstance(e, FakeKafkaError) else ""
        print(f"fakekafka: {escaped(str(e))}{page}", file=sys.stderr)
        return 2


def parser() -> argparse.ArgumentParser:
    """The parser of the whole command line."""
    top = OneLineParser(
        "fakekafka",
        description="An in-process test double of Apache Kafka.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    top.add_argument(
        "--version", action=_Version, help="print the version of fakekafka, and whether its core is compiled"
    )
    top.set_defaults(whole_parser=top)  # which `completion` prints
    commands = top.add_subparsers(required=True, metavar="COMMAND")
    for command in COMMANDS:
        command.add(commands)
    return top


class _Version(argparse.Action):
    """Prints the version. It is looked up only when asked for, because that takes longer than starting a broker."""

    def __init__(self, option_strings: Sequence[str], dest: str, help: str) -> None:
        super().__init__(option_strings, dest, nargs=0, help=help)

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from importlib.metadata import version

        from fakekafka.compiled import is_compiled

        print(f"fakekafka {version('fakekafka')}{' with a compiled core' if is_compiled() else ''}")
        parser.exit()
