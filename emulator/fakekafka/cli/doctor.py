"""`fakekafka doctor`: what is installed here, and whether a broker starts.

Exit status 1 if something is missing that every broker needs.
"""

import argparse
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

from fakekafka.emulator import FakeKafka
from fakekafka.errors import FakeKafkaError

if TYPE_CHECKING:
    from fakekafka.cli.options import Commands

NEEDED: Final = ("lz4", "zstandard", "python-snappy", "crc32c")
EXTRAS: Final = {
    "rich": 'progress and tables in colour: pip install "fakekafka[cli]"',
    "cryptography": 'tls=True: pip install "fakekafka[tls]"',
    "pyspark": 'log directories as DataFrames: pip install "fakekafka[spark]"',
    "pytest": "the fixtures and the marker",
}
"""Optional packages, each with the feature that needs it."""
CLIENTS: Final = ("kafka-python", "confluent-kafka", "aiokafka")
"""Client libraries for which `client_config` has settings."""
USUAL_PORT: Final = 9092


class Finding(NamedTuple):
    """One line of the report."""

    what: str
    found: str
    is_missing: bool = False
    """Whether every broker needs it."""


def add(commands: "Commands") -> None:
    parser = commands.add_parser("doctor", help="say what is installed here, and whether a broker starts")
    parser.add_argument(
        "--port", type=int, default=USUAL_PORT, help="the port that should be free for `serve` (%(default)s)"
    )
    parser.set_defaults(command=run)


def run(options: argparse.Namespace) -> int:
    findings = list(examine(options.port))
    for finding in findings:
        print(f"{finding.what + ':':<18} {finding.found}")
    return 1 if any(finding.is_missing for finding in findings) else 0


def examine(port: int, installed: Callable[[str], str | None] | None = None) -> Iterator[Finding]:
    """Examine this machine. `installed` returns a package's version, or None; by default it asks Python."""
    import platform
    import shutil

    version_of = installed or installed_version
    yield Finding("fakekafka", version_of("fakekafka") or "not installed as a package")
    yield Finding("Python", f"{platform.python_version()} on {platform.platform(terse=True)}")
    for name in NEEDED:
        yield _needed(name, version_of(name))
    for name, purpose in EXTRAS.items():
        yield Finding(name, version_of(name) or f"not installed; for {purpose}")
    for name in CLIENTS:
        yield Finding(name, version_of(name) or "not installed; only its own users need it")
    yield Finding("Java", shutil.which("java") or 'not found; only Spark needs it: pip install "fakekafka[jre]"')
    yield _started("a broker", 0)
    yield _started(f"port {port}", port)


def installed_version(name: str) -> str | None:
    """The version of an installed package, or None."""
    from importlib.metadata import PackageNotFoundError, version  # here: slower than starting a broker

    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _needed(name: str, found: str | None) -> Finding:
    missing = f"missing: {sys.executable} -m pip install {name}"
    return Finding(name, found or missing, is_missing=found is None)


def _started(what: str, port: int) -> Finding:
    """Whether a broker starts on a port; on port 0, any free one, it has to."""
    try:
        with FakeKafka(port=port) as kafka:
            release = kafka.release
    except (FakeKafkaError, OSError, OverflowError) as e:
        return Finding(what, f"cannot be used: {e}", is_missing=port == 0)
    return Finding(what, f"starts as Kafka {release}" if port == 0 else "is free")
