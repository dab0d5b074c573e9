"""The command line: `fakekafka serve`, `releases`, `explain`.

What goes wrong is one line on stderr and exit status 2. `serve` prints the address first, as "host:port" at the start
of its first line, and once that line is there clients may connect.
"""

import argparse
import json
import os
import queue
import signal
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from types import FrameType
from typing import Final, NoReturn

from fakekafka.emulator import FakeKafka
from fakekafka.errors import FakeKafkaError, UsageError
from fakekafka.release_table import COLUMNS, release_table
from fakekafka.releases.profile import profile
from fakekafka.releases.release import NEWEST, Release

KAFKA_PORT: Final = 9092
EVERY_INTERFACE: Final = ("0.0.0.0", "::")
TURN_S: Final = 1.0 if sys.platform == "win32" else None
"""How long to wait for a signal at a time. On Windows nothing interrupts a wait."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; the exit status."""
    options = _parser().parse_args(arguments)
    command: Callable[[argparse.Namespace], None] = options.command
    try:
        command(options)
    except BrokenPipeError:  # `fakekafka releases | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # nothing more can be said, not at exit either
    except (FakeKafkaError, OSError) as e:
        print(f"fakekafka: {e}", file=sys.stderr)
        return 2
    return 0


# ---- the parser


def _parser() -> argparse.ArgumentParser:
    parser = _Parser("fakekafka", description="An in-process test double of Apache Kafka.")
    parser.add_argument("--version", action=_Version, help="print the version of fakekafka")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    _add_serve(commands.add_parser("serve", help="run a broker until Ctrl-C"))
    releases = commands.add_parser("releases", help="list the Kafka releases that can be played")
    releases.add_argument("--json", action="store_true", help="as JSON")
    releases.set_defaults(command=_releases)
    explain = commands.add_parser("explain", help="list by what the broker differs from a real one of its release")
    _add_broker(explain)
    explain.set_defaults(command=_explain)
    return parser


def _add_serve(serve: argparse.ArgumentParser) -> None:
    _add_broker(serve)
    serve.add_argument("--host", default="127.0.0.1", help="the address to bind (%(default)s)")
    serve.add_argument(
        "--port", type=int, default=KAFKA_PORT, help="the first broker's port (%(default)s); 0: a free one"
    )
    serve.add_argument("--advertised-host", metavar="HOST", help="the host name that clients are told to connect to")
    serve.add_argument(
        "--log-dir", metavar="DIR", help="keep files there, as the real broker would (default: in memory)"
    )
    serve.add_argument(
        "--topic", action="append", default=[], metavar="NAME:PARTITIONS", help="create a topic; may be repeated"
    )
    serve.set_defaults(command=_serve)


def _add_broker(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--release", default=NEWEST, help="the Kafka release to play (%(default)s)")
    parser.add_argument(
        "--config", action="append", default=[], metavar="NAME=VALUE", help="a broker property; may be repeated"
    )
    parser.add_argument("--brokers", type=int, default=1, metavar="N", help="the number of brokers (%(default)s)")


class _Parser(argparse.ArgumentParser):
    """Complains in one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message}; see {self.prog} --help\n")


class _Version(argparse.Action):
    """Looks the version up when it is asked for: that costs more than a start of the broker."""

    def __init__(self, option_strings: Sequence[str], dest: str, help: str) -> None:
        super().__init__(option_strings, dest, nargs=0, help=help)

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from importlib.metadata import version

        print(f"fakekafka {version('fakekafka')}")
        parser.exit()


# ---- serve


def _serve(options: argparse.Namespace) -> None:
    config = _config(options)
    if options.advertised_host is not None:
        config |= _advertised(options.advertised_host, options.release)
    elif options.host in EVERY_INTERFACE:
        raise UsageError(
            f"--host {options.host} needs --advertised-host: the name under which clients reach this machine"
        )
    kafka = FakeKafka(
        options.release,
        config=config,
        topics=dict(map(_topic, options.topic)),
        brokers=options.brokers,
        log_dir=options.log_dir,
        host=options.host,
        port=options.port,
    )
    wait = _signals()  # before the address is out: who reads it may send one at once
    with kafka:
        print(f"{kafka.bootstrap_servers} is Kafka {kafka.release}; Ctrl-C stops it", flush=True)
        wait()


def _signals() -> Callable[[], None]:
    """Take over Ctrl-C and SIGTERM; what is returned waits for one."""
    came: queue.SimpleQueue[int] = queue.SimpleQueue()

    def note(number: int, frame: FrameType | None) -> None:
        came.put(number)

    def wait() -> None:
        while True:
            with suppress(queue.Empty):
                came.get(timeout=TURN_S)
                return

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, note)
    return wait


def _advertised(host: str, release: str) -> dict[str, object]:
    """The property by which brokers of a release are told what to advertise; port 0: the one that is bound."""
    configs = profile(Release.parse(release)).broker_configs
    address = f"[{host}]" if ":" in host else host
    if "advertised.listeners" in configs:
        return {"advertised.listeners": f"PLAINTEXT://{address}:0"}
    return {"advertised.host.name" if "advertised.host.name" in configs else "host.name": host}


def _topic(text: str) -> tuple[str, int]:
    name, colon, partitions = text.partition(":")
    if not name or (colon and not partitions.isdecimal()):
        raise UsageError(f"--topic {text}: write NAME:PARTITIONS, or NAME for one partition")
    return name, int(partitions or 1)


def _config(options: argparse.Namespace) -> dict[str, object]:
    config: dict[str, object] = {}
    for text in options.config:
        name, equals, value = text.partition("=")
        if not equals:
            raise UsageError(f"--config {text}: write NAME=VALUE")
        config[name.strip()] = value.strip()
    return config


# ---- tables


def _releases(options: argparse.Namespace) -> None:
    rows = release_table()
    if options.json:
        print(json.dumps([row._asdict() for row in rows], indent=2))
    else:
        _print_table(COLUMNS, [row.cells() for row in rows])


def _print_table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """With rich on a terminal, if it is installed; else in plain columns."""
    if sys.stdout.isatty():
        with suppress(ImportError):
            from rich.console import Console
            from rich.table import Table

            table = Table(*columns)
            for row in rows:
                table.add_row(*row)
            Console().print(table)
            return
    widths = [max(map(len, column)) for column in zip(columns, *rows)]
    for row in (columns, *rows):
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())


def _explain(options: argparse.Namespace) -> None:
    kafka = FakeKafka(options.release, config=_config(options), brokers=options.brokers)
    found = kafka.explain()
    print(f"Kafka {kafka.release}, played by fakekafka, differs from the real one in {len(found)} points")
    for difference in found:
        print(f"  {difference}")
