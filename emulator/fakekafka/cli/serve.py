"""`fakekafka serve`: a broker that runs until Ctrl-C, or until its disk fails.

It prints the address as "host:port" at the start of its first line; once that line is printed, clients may connect.
"""

import argparse
import os
import queue
import signal
import sys
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext, suppress
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Final, NamedTuple

from fakekafka.cli.garbage import ShortCollections
from fakekafka.cli.options import add_broker, broker_config
from fakekafka.clock import ManualClock
from fakekafka.emulator import FakeKafka
from fakekafka.errors import UsageError
from fakekafka.escaping import escaped
from fakekafka.ids import BrokerId
from fakekafka.releases.profile import profile
from fakekafka.releases.release import Release
from fakekafka.settings.tls import Tls

if TYPE_CHECKING:
    from fakekafka.cli.options import Commands
    from fakekafka.control.http_server import ControlServer

KAFKA_PORT: Final = 9092
TOKEN_VARIABLE: Final = "FAKEKAFKA_CONTROL_TOKEN"
DIED: Final = 1
"""The exit status if no broker runs any more."""
ENDING_SIGNALS: Final = ("SIGINT", "SIGTERM", "SIGHUP")
EVERY_INTERFACE: Final = ("0.0.0.0", "::")
TURN_S: Final = 1.0
"""How long to wait for a signal at a time. A signal that another thread caught, or that came just before the wait,
interrupts nothing; on Windows no signal does.
"""


def add(commands: "Commands") -> None:
    serve = commands.add_parser("serve", help="run a broker until Ctrl-C")
    add_broker(serve)
    serve.add_argument("--host", default="127.0.0.1", help="the address to bind (%(default)s)")
    serve.add_argument(
        "--port",
        default=str(KAFKA_PORT),
        metavar="PORT[,PORT...]",
        help="the first broker's port (%(default)s), the next ones following it, or each broker's, which also says how"
        " many there are; 0: free ones",
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
        help="clients log in as one of these, by SASL; @FILE has one per line; may be repeated",
    )
    serve.add_argument("--faults", metavar="FILE", help="a plan of faults in TOML: what to refuse, lose, delay, damage")
    serve.add_argument("--sasl", action="append", metavar="MECHANISM", help="how they log in (PLAIN); may be repeated")
    serve.add_argument(
        "--tls", action="store_true", help="clients connect by TLS; prints the file that they must trust"
    )
    serve.add_argument(
        "--acl", action="append", metavar="RULE", help='such as "User:alice allow Read topic orders"; may be repeated'
    )
    _add_control(serve)
    serve.set_defaults(command=run)


def _add_control(serve: argparse.ArgumentParser) -> None:
    serve.add_argument(
        "--control",
        metavar="HOST:PORT",
        help="an HTTP API there, and a page to look at; its URL is printed; off loopback it needs a token",
    )
    serve.add_argument(
        "--control-token",
        metavar="TOKEN",
        help="what users of the API have to know (default: the variable FAKEKAFKA_CONTROL_TOKEN, or a new one)",
    )
    serve.add_argument("--manual-clock", action="store_true", help="time stands until the control API moves it")


def run(options: argparse.Namespace) -> int:
    config = _config(options)
    _check_directories(options.log_dir or ())
    if options.brokers == 1:
        options.brokers = len(options.port.split(","))  # the number of ports is the number of brokers
    events = _events()  # before the address is printed: its reader may send a signal at once
    kafka = FakeKafka(
        options.release,
        config=config,
        topics=dict(map(_topic, options.topic)),
        brokers=options.brokers,
        quirks=options.quirks,
        pace=options.pace,
        drafts=options.draft,
        log_dir=options.log_dir,
        host=options.host,
        port=_ports(options.port, options.brokers),
        users=dict(_users(options.user)),
        sasl=options.sasl,
        tls=_tls(options),
        acls=options.acl,
        faults=options.faults,
        clock=ManualClock() if options.manual_clock else None,
        on_broker_death=lambda node_id, error: events.put(Death(node_id, error)),
    )
    with kafka, _control(kafka, options) as control, ShortCollections():
        print(f"{kafka.bootstrap_servers} is Kafka {kafka.release}; Ctrl-C stops it", flush=True)
        if control is not None:
            print(f"{control.page_url} is its control API and page", flush=True)
        if options.tls:
            print(f"clients must trust {kafka.tls.ca_file}", flush=True)
        _warn_of_strangers(kafka, options.host)
        return _until_the_end(events, options.brokers)


def _config(options: argparse.Namespace) -> dict[str, object]:
    """The properties, with what is advertised. Raises `UsageError` if there is no address to advertise to clients."""
    config = broker_config(options)
    if options.advertised_host is not None:
        return config | _advertised(options.advertised_host, options.release)
    if options.host in EVERY_INTERFACE:
        raise UsageError(
            f"--host {options.host} needs --advertised-host: the name under which clients reach this machine"
        )
    return config


def _warn_of_strangers(kafka: FakeKafka, host: str) -> None:
    """Warn, once, if anybody can connect without a login."""
    open_ones = kafka.open_listeners()
    if open_ones and not _is_loopback(host):
        names = ", ".join(open_ones)
        print(
            f"fakekafka: whoever reaches {escaped(host)} can do everything: listener {names} asks nobody who they are;"
            " --user has clients log in",
            file=sys.stderr,
            flush=True,
        )


def _is_loopback(host: str) -> bool:
    from ipaddress import ip_address

    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _check_directories(paths: Iterable[str]) -> None:
    """Raises `UsageError` if one of them is a file."""
    for path in paths:
        if Path(path).exists() and not Path(path).is_dir():
            raise UsageError(f"--log-dir {path}: this is a file and not a directory")


class Death(NamedTuple):
    """A broker has halted because of a disk error."""

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
    """Wait for a signal, or until no broker runs any more. Returns the exit status."""
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


def _control(kafka: FakeKafka, options: argparse.Namespace) -> "AbstractContextManager[ControlServer | None]":
    """The control API, if it was asked for. Raises `UsageError`."""
    if options.control is None:
        if options.manual_clock:
            raise UsageError("--manual-clock needs --control: nobody else can move the clock")
        return nullcontext()
    import secrets

    from fakekafka.control.guard import is_loopback
    from fakekafka.control.http_server import ControlServer

    host, colon, port = options.control.rpartition(":")
    host = host.removeprefix("[").removesuffix("]")
    if not colon or not host or not port.isdecimal():
        raise UsageError(f"--control {options.control}: write HOST:PORT, such as 127.0.0.1:9099")
    token = options.control_token or os.environ.get(TOKEN_VARIABLE)
    if token is None and not is_loopback(host):
        token = secrets.token_urlsafe(24)
    return ControlServer(kafka, host, int(port), token)


def _advertised(host: str, release: str) -> dict[str, object]:
    """The property that tells brokers of a release what to advertise; port 0 means the bound port."""
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
                raise UsageError("--user: write NAME:PASSWORD, or @FILE for a file with one per line")


def _tls(options: argparse.Namespace) -> bool | Tls:
    """Certificates for the names under which clients reach the brokers."""
    names = (options.host, options.advertised_host)
    return options.tls and Tls(*(name for name in names if name and name not in EVERY_INTERFACE))


def _topic(text: str) -> tuple[str, int]:
    name, colon, partitions = text.partition(":")
    if not name or (colon and not partitions.isdecimal()):
        raise UsageError(f"--topic {text}: write NAME:PARTITIONS, or NAME for one partition")
    return name, int(partitions or 1)
