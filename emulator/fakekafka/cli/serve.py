"""`fakekafka serve`: a broker that runs until Ctrl-C, or until its disk fails.

It prints the address first, as "host:port" at the start of its first line, and once that line is there clients may
connect.
"""

import argparse
import gc
import queue
import signal
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Final, NamedTuple

from fakekafka.cli.options import add_broker, broker_config
from fakekafka.emulator import FakeKafka
from fakekafka.errors import UsageError
from fakekafka.ids import BrokerId
from fakekafka.releases.profile import profile
from fakekafka.releases.release import Release
from fakekafka.terminal import escaped
from fakekafka.tls import Tls

if TYPE_CHECKING:
    from fakekafka.cli.options import Commands

KAFKA_PORT: Final = 9092
DIED: Final = 1
"""The exit status if no broker is left."""
ENDING_SIGNALS: Final = ("SIGINT", "SIGTERM", "SIGHUP")
EVERY_INTERFACE: Final = ("0.0.0.0", "::")
TURN_S: Final = 1.0 if sys.platform == "win32" else None
"""How long to wait for a signal at a time. On Windows nothing interrupts a wait."""


def add(commands: "Commands") -> None:
    serve = commands.add_parser("serve", help="run a broker until Ctrl-C")
    add_broker(serve)
    serve.add_argument("--host", default="127.0.0.1", help="the address to bind (%(default)s)")
    serve.add_argument(
        "--port",
        default=str(KAFKA_PORT),
        metavar="PORT[,PORT...]",
        help="the first broker's port (%(default)s), the next ones following it, or each broker's; 0: free ones",
    )
    serve.add_argument("--advertised-host", metavar="HOST", help="the host name that clients are told to connect to")
    serve.add_argument(
        "--log-dir",
        action="append",
        metavar="DIR",
        help="keep files there, as the real broker would (default: in memory); may be repeated",
    )
    serve.add_argument(
        "--topic", action="append", default=[], metavar="NAME:PARTITIONS", help="create a topic; may be repeated"
    )
    serve.add_argument(
        "--user",
        action="append",
        default=[],
        metavar="NAME:PASSWORD",
        help="clients log in as one of these, by SASL; @FILE has one a line; may be repeated",
    )
    serve.add_argument("--faults", metavar="FILE", help="a plan of faults in TOML: what to refuse, lose, delay, damage")
    serve.add_argument("--sasl", action="append", metavar="MECHANISM", help="how they log in (PLAIN); may be repeated")
    serve.add_argument(
        "--tls", action="store_true", help="clients connect by TLS; prints the file that they must trust"
    )
    serve.add_argument(
        "--acl", action="append", metavar="RULE", help='such as "User:alice allow Read topic orders"; may be repeated'
    )
    serve.set_defaults(command=run)


def run(options: argparse.Namespace) -> int:
    config = broker_config(options)
    if options.advertised_host is not None:
        config |= _advertised(options.advertised_host, options.release)
    elif options.host in EVERY_INTERFACE:
        raise UsageError(
            f"--host {options.host} needs --advertised-host: the name under which clients reach this machine"
        )
    events = _events()  # before the address is out: whoever reads it may send a signal at once
    kafka = FakeKafka(
        options.release,
        config=config,
        topics=dict(map(_topic, options.topic)),
        brokers=options.brokers,
        quirks=options.quirks,
        log_dir=options.log_dir,
        host=options.host,
        port=_ports(options.port, options.brokers),
        users=dict(_users(options.user)),
        sasl=options.sasl,
        tls=_tls(options),
        acls=options.acl,
        faults=options.faults,
        on_broker_death=lambda node_id, error: events.put(Death(node_id, error)),
    )
    with kafka:
        gc.freeze()  # what is there now stays: looking at it again would keep clients waiting
        print(f"{kafka.bootstrap_servers} is Kafka {kafka.release}; Ctrl-C stops it", flush=True)
        if options.tls:
            print(f"clients must trust {kafka.tls.ca_file}", flush=True)
        return _until_the_end(events, options.brokers)


class Death(NamedTuple):
    """A broker has died of an error of its disk."""

    node_id: BrokerId
    error: OSError


def _events() -> "queue.SimpleQueue[int | Death]":
    """Take over the signals that end a server: each is put into the queue that is returned."""
    events: queue.SimpleQueue[int | Death] = queue.SimpleQueue()

    def note(number: int, frame: FrameType | None) -> None:
        events.put(number)

    for name in ENDING_SIGNALS:
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), note)
    return events


def _until_the_end(events: "queue.SimpleQueue[int | Death]", brokers: int) -> int:
    """Wait for a signal, or until no broker is left; the exit status."""
    while True:
        with suppress(queue.Empty):
            event = events.get(timeout=TURN_S)
            if not isinstance(event, Death):
                return 0
            brokers -= 1
            print(f"fakekafka: broker {event.node_id} died: {escaped(str(event.error))}", file=sys.stderr, flush=True)
            if not brokers:
                print("fakekafka: no broker is left", file=sys.stderr)
                return DIED


def _advertised(host: str, release: str) -> dict[str, object]:
    """The property by which brokers of a release are told what to advertise; port 0: the one that is bound."""
    configs = profile(Release.parse(release)).broker_configs
    address = f"[{host}]" if ":" in host else host
    if "advertised.listeners" in configs:
        return {"advertised.listeners": f"PLAINTEXT://{address}:0"}
    return {"advertised.host.name" if "advertised.host.name" in configs else "host.name": host}


def _ports(text: str, brokers: int) -> list[int]:
    """The port of each broker. Raises `UsageError`."""
    parts = text.split(",")
    if not all(part.strip().isdecimal() for part in parts):
        raise UsageError(f"--port {text}: write a number, or one for each broker with commas between them")
    ports = [int(part) for part in parts]
    if len(ports) == 1 and brokers > 1:
        return [ports[0] + n if ports[0] else 0 for n in range(brokers)]
    return ports


def _users(given: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Names and passwords. Raises `UsageError`."""
    for text in given:
        lines = Path(text[1:]).read_text("utf-8").splitlines() if text.startswith("@") else [text]
        for line in lines:
            name, colon, password = line.partition(":")
            if colon and name and password:
                yield name, password
            elif line.strip():
                raise UsageError("--user: write NAME:PASSWORD, or @FILE for a file with one a line")


def _tls(options: argparse.Namespace) -> bool | Tls:
    """Certificates that hold for the names by which clients reach the brokers."""
    names = (options.host, options.advertised_host)
    return options.tls and Tls(*(name for name in names if name and name not in EVERY_INTERFACE))


def _topic(text: str) -> tuple[str, int]:
    name, colon, partitions = text.partition(":")
    if not name or (colon and not partitions.isdecimal()):
        raise UsageError(f"--topic {text}: write NAME:PARTITIONS, or NAME for one partition")
    return name, int(partitions or 1)
