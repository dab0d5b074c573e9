"""`fakekafka serve`: a broker that runs until Ctrl-C.

It prints the address first, as "host:port" at the start of its first line, and once that line is there clients may
connect.
"""

import argparse
import queue
import signal
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Final

from fakekafka.cli.options import add_broker, broker_config
from fakekafka.emulator import FakeKafka
from fakekafka.errors import UsageError
from fakekafka.releases.profile import profile
from fakekafka.releases.release import Release
from fakekafka.tls import Tls

if TYPE_CHECKING:
    from fakekafka.cli.options import Commands

KAFKA_PORT: Final = 9092
EVERY_INTERFACE: Final = ("0.0.0.0", "::")
TURN_S: Final = 1.0 if sys.platform == "win32" else None
"""How long to wait for a signal at a time. On Windows nothing interrupts a wait."""


def add(commands: "Commands") -> None:
    serve = commands.add_parser("serve", help="run a broker until Ctrl-C")
    add_broker(serve)
    serve.add_argument("--host", default="127.0.0.1", help="the address to bind (%(default)s)")
    serve.add_argument(
        "--port", type=int, default=KAFKA_PORT, help="the first broker's port (%(default)s); 0: a free one"
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
    kafka = FakeKafka(
        options.release,
        config=config,
        topics=dict(map(_topic, options.topic)),
        brokers=options.brokers,
        quirks=options.quirks,
        log_dir=options.log_dir,
        host=options.host,
        port=options.port,
        users=dict(_users(options.user)),
        sasl=options.sasl,
        tls=_tls(options),
        acls=options.acl,
    )
    wait = _signals()  # before the address is out: who reads it may send one at once
    with kafka:
        print(f"{kafka.bootstrap_servers} is Kafka {kafka.release}; Ctrl-C stops it", flush=True)
        if options.tls:
            print(f"clients must trust {kafka.tls.ca_file}", flush=True)
        wait()
    return 0


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
