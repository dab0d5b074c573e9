"""`fakekafka serve`: a broker that runs until Ctrl-C, or until its disk fails.

It prints the address as "host:port" at the start of its first line; once that line is printed, clients may connect.
"""

import argparse
import os
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Final, get_args

from fakekafka.cli.events import Death, Events
from fakekafka.cli.garbage import ShortCollections
from fakekafka.cli.options import add_broker, broker_config
from fakekafka.cli.warm_up import warm_up
from fakekafka.clock import ManualClock
from fakekafka.emulator import FakeKafka
from fakekafka.errors import UsageError
from fakekafka.escaping import escaped
from fakekafka.releases.profile import profile
from fakekafka.releases.release import Release
from fakekafka.settings.options import BrokerSettings
from fakekafka.settings.tls import Tls
from fakekafka.settings.unknown_configs import UnknownConfigs

if TYPE_CHECKING:
    from fakekafka.cli.options import Commands
    from fakekafka.control.http_server import ControlServer

KAFKA_PORT: Final = 9092
TOKEN_VARIABLE: Final = "FAKEKAFKA_CONTROL_TOKEN"
DIED: Final = 1
"""The exit status if no broker runs any more."""
EVERY_INTERFACE: Final = ("0.0.0.0", "::")


def add(commands: "Commands") -> None:
    serve = commands.add_parser("serve", help="run a broker until Ctrl-C")
    add_broker(serve)
    _add_addresses(serve)
    _add_storage(serve)
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
    serve.add_argument("--telemetry", action="store_true", help="receive the metrics that clients push (3.7 and later)")
    serve.add_argument(
        "--unknown-configs",
        choices=get_args(UnknownConfigs),
        default="refused",
        help="whether --config with a name that no release has is an error (%(default)s), or gets a warning only",
    )
    _add_control(serve)
    serve.set_defaults(command=run)


def _add_storage(serve: argparse.ArgumentParser) -> None:
    serve.add_argument(
        "--log-dir",
        action="append",
        metavar="DIR",
        help="keep files there, as the real broker would (default: in memory); may be repeated",
    )
    serve.add_argument(
        "--max-memory",
        type=int,
        metavar="BYTES",
        help="without --log-dir, keep no more of the logs in memory; the rest goes to temporary files",
    )


def _add_addresses(serve: argparse.ArgumentParser) -> None:
    serve.add_argument("--host", default="127.0.0.1", help="the address to bind (%(default)s)")
    serve.add_argument(
        "--port",
        default=str(KAFKA_PORT),
        metavar="PORT[,PORT...]",
        help="the first broker's port (%(default)s), the next ones following it, or each broker's, which also says how"
        " many there are; 0: free ones",
    )
    serve.add_argument(
        "--advertised-host",
        metavar="HOST[:PORT][,HOST[:PORT]...]",
        help="the host name that clients are told to connect to, and the port if it is not the bound one; or each"
        " broker's",
    )


def _add_control(serve: argparse.ArgumentParser) -> None:
    serve.add_argument(
        "--control",
        metavar="HOST:PORT",
        help="an HTTP API there, and a page to look at; its URL is printed; off loopback it needs a token",
    )
    serve.add_argument(
        "--control-token",
        metavar="TOKEN",
        help="what users of the API must send (default: the variable FAKEKAFKA_CONTROL_TOKEN, or a new one)",
    )
    serve.add_argument("--manual-clock", action="store_true", help="time stands still until the control API moves it")


def run(options: argparse.Namespace) -> int:
    if options.brokers == 1:
        options.brokers = len(options.port.split(","))  # the number of ports is the number of brokers
    config = _config(options)
    _check_directories(options.log_dir or ())
    with Events() as events:  # before the address is printed: its reader may send a signal at once
        return _serve(options, config, events)


def _serve(options: argparse.Namespace, config: dict[str, object], events: Events) -> int:
    kafka = FakeKafka(
        options.release,
        config=config,
        topics=dict(map(_topic, options.topic)),
        brokers=_brokers(options),
        quirks=options.quirks,
        pace=options.pace,
        drafts=options.draft,
        log_dir=options.log_dir,
        max_memory=options.max_memory,
        host=options.host,
        port=_ports(options.port, options.brokers),
        users=dict(_users(options.user)),
        sasl=options.sasl,
        tls=_tls(options),
        acls=options.acl,
        telemetry=options.telemetry,
        faults=options.faults,
        unknown_configs=options.unknown_configs,
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
        warm_up(kafka.release)  # now that nobody waits for the address
        return _until_the_end(events, options.brokers)


def _config(options: argparse.Namespace) -> dict[str, object]:
    """The brokers' properties, with the advertised address. Raises `UsageError` if it is needed and missing."""
    config = broker_config(options)
    addresses = _addresses(options)
    if len(addresses) == 1:
        if options.brokers > 1 and int(_host_and_port(addresses[0])[1]):
            raise UsageError("--advertised-host: several brokers cannot have one port: give an address for each")
        return config | _advertised(addresses[0], options.release)
    if not addresses and options.host in EVERY_INTERFACE:
        raise UsageError(
            f"--host {options.host} needs --advertised-host: the name under which clients reach this machine"
        )
    return config


def _brokers(options: argparse.Namespace) -> int | list[BrokerSettings]:
    """The number of brokers or, if each has its own address, their settings. Raises `UsageError`."""
    addresses = _addresses(options)
    if len(addresses) < 2:
        count: int = options.brokers
        return count
    if len(addresses) != options.brokers:
        raise UsageError(
            f"--advertised-host: {len(addresses)} for {options.brokers} brokers; give one, or one for each"
        )
    return [BrokerSettings(config=_advertised(address, options.release)) for address in addresses]


def _addresses(options: argparse.Namespace) -> list[str]:
    """The advertised addresses: none, one, or one for each broker."""
    return [] if options.advertised_host is None else options.advertised_host.split(",")


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
    """Check that no log directory is a file. Raises `UsageError`."""
    for path in paths:
        if Path(path).exists() and not Path(path).is_dir():
            raise UsageError(f"--log-dir {path}: this is a file and not a directory")


def _until_the_end(events: Events, brokers: int) -> int:
    """Wait for a signal, or until no broker runs any more. Returns the exit status."""
    while isinstance(event := events.next(), Death):
        brokers -= 1
        print(f"fakekafka: broker {event.node_id} died: {escaped(str(event.error))}", file=sys.stderr, flush=True)
        if not brokers:
            print("fakekafka: no broker is left", file=sys.stderr)
            return DIED
    return 0


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


def _advertised(address: str, release: str) -> dict[str, object]:
    """The properties that tell a broker of a release what to advertise; port 0 means the bound port. Raises
    `UsageError`.
    """
    configs = profile(Release.parse(release)).broker_configs
    host, port = _host_and_port(address)
    if "advertised.listeners" in configs:
        return {"advertised.listeners": f"PLAINTEXT://{f'[{host}]' if ':' in host else host}:{port}"}
    if not int(port):
        return {"advertised.host.name" if "advertised.host.name" in configs else "host.name": host}
    if "advertised.port" not in configs:
        raise UsageError(f"--advertised-host {address}: {release} has no advertised.port, so leave out the port")
    return {"advertised.host.name": host, "advertised.port": port}


def _host_and_port(address: str) -> tuple[str, str]:
    """The two parts of an advertised address; the port is "0" if there is none."""
    match = re.fullmatch(r"(\[.*\]|[^:]+):(\d+)", address)
    host, port = match.groups() if match else (address, "0")
    return host.removeprefix("[").removesuffix("]"), port


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
    """The users' names and passwords. Raises `UsageError`."""
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
    names = (options.host, *(_host_and_port(address)[0] for address in _addresses(options)))
    return options.tls and Tls(*(name for name in names if name and name not in EVERY_INTERFACE))


def _topic(text: str) -> tuple[str, int]:
    name, colon, partitions = text.partition(":")
    if not name or (colon and not partitions.isdecimal()):
        raise UsageError(f"--topic {text}: write NAME:PARTITIONS, or NAME for one partition")
    return name, int(partitions or 1)
