"""A real broker of any release, alone: with a ZooKeeper of its own below 3.3, in KRaft mode from 3.3 on."""

import re
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Final

from fakekafka import Release

from tests.real_patches.jars import class_path

HOST: Final = "127.0.0.1"
JVM: Final = (
    "-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Djava.net.preferIPv4Stack=true",
    "-Dzookeeper.sasl.client=false",
    "-Dzookeeper.jmx.log4j.disable=true", "-Dlog4j2.level=ERROR",
    "--add-opens=java.base/java.nio=ALL-UNNAMED",
    "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED", "--add-opens=java.base/java.lang=ALL-UNNAMED",
)  # fmt: skip
STARTS_WITHIN_S: Final = 300.0
BEFORE_THE_NEXT_LOOK_S: Final = 0.1
ZOOKEEPER_RELEASE: Final = Release.parse("1.1.1")
"""The release whose ZooKeeper serves all releases."""
CLUSTER_ID: Final = "AAAAAAAAAAAAAAAAAAAAAA"
SHOWN: Final = 3000
STARTED: Final = re.compile(r"kafka\.server\.\w+ - .*\bstarted$", re.MULTILINE)
"""What a broker's log says once it serves."""
LOG4J: Final = """log4j.rootLogger=INFO, E
log4j.appender.E=org.apache.log4j.ConsoleAppender
log4j.appender.E.Target=System.err
log4j.appender.E.layout=org.apache.log4j.PatternLayout
log4j.appender.E.layout.ConversionPattern=%c - %m%n
"""
"""Gives releases that write their log with log4j itself, those up to 1.1, the log format of the others."""
ANYTHING: Final = re.compile("")


class NotStarted(Exception):
    """The broker ended, or did not answer; with the end of its log."""


@contextmanager
def running(release: Release, config: Mapping[str, str], folder: Path) -> Iterator[str]:
    """A broker that serves; the block gets its address. Raises `NotStarted`."""
    port, other = free_port(), free_port()
    with ExitStack() as stack:
        own = {"log.dirs": str(folder / "logs"), **config}
        if release.default_mode == "zk":
            stack.enter_context(zookeeper(other, folder / "zookeeper"))
            own |= _under_zookeeper(release, port, other)
        else:
            own |= _in_kraft_mode(port, other)
        properties = folder / "server.properties"
        properties.write_text("".join(f"{name}={value}\n" for name, value in own.items()), "utf-8")
        if release.default_mode == "kraft":
            format_storage(release, properties)
        log = folder / "server.log"
        broker = stack.enter_context(process(broker_command(release, properties), log))
        wait(broker, log, port)
        yield f"{HOST}:{port}"


def _under_zookeeper(release: Release, port: int, other: int) -> dict[str, str]:
    at = {"zookeeper.connect": f"{HOST}:{other}", "broker.id": "0"}
    if release < Release.parse("0.9.0.0"):
        return at | {"host.name": HOST, "port": str(port)}
    own = f"PLAINTEXT://{HOST}:{port}"
    return at | {"listeners": own, "advertised.listeners": own}


def _in_kraft_mode(port: int, other: int) -> dict[str, str]:
    return {
        "process.roles": "broker,controller",
        "node.id": "0",
        "controller.quorum.voters": f"0@{HOST}:{other}",
        "listeners": f"PLAINTEXT://{HOST}:{port},CONTROLLER://{HOST}:{other}",
        "advertised.listeners": f"PLAINTEXT://{HOST}:{port}",
        "controller.listener.names": "CONTROLLER",
        "listener.security.protocol.map": "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT",
    }


def format_storage(release: Release, properties: Path) -> None:
    """Prepare a new node's directories, as KRaft mode asks for."""
    arguments = ("kafka.tools.StorageTool", "format", "-t", CLUSTER_ID, "-c", str(properties))
    subprocess.run(java(release, *arguments), check=True, capture_output=True, timeout=120)


def broker_command(release: Release, properties: Path) -> list[str]:
    """The command that starts a broker. The format of its log is written to a file beside the properties."""
    told = properties.with_name("log4j.properties")
    told.write_text(LOG4J, "utf-8")
    return java(release, f"-Dlog4j.configuration=file:{told}", "kafka.Kafka", str(properties))


def java(release: Release, *arguments: str) -> list[str]:
    path = class_path(release)
    return ["java", *JVM, "-Dorg.slf4j.simpleLogger.defaultLogLevel=info", "-cp", path, *arguments]


@contextmanager
def zookeeper(port: int, folder: Path) -> Iterator[None]:
    folder.mkdir(parents=True)
    main = "org.apache.zookeeper.server.ZooKeeperServerMain"
    log = folder.with_suffix(".log")
    with process(java(ZOOKEEPER_RELEASE, main, str(port), str(folder)), log) as server:
        wait(server, log, port, ANYTHING)
        yield


@contextmanager
def process(command: list[str], log: Path) -> Iterator[subprocess.Popen[bytes]]:
    with open(log, "wb") as file, subprocess.Popen(command, stdout=file, stderr=file) as begun:
        try:
            yield begun
        finally:
            begun.kill()


def wait(begun: "subprocess.Popen[bytes]", log: Path, port: int, words: re.Pattern[str] = STARTED) -> None:
    """Wait until the server listens and its log says so."""
    end = time.monotonic() + STARTS_WITHIN_S
    while time.monotonic() < end and begun.poll() is None:
        with closing(socket.socket()) as probe:
            listens = probe.connect_ex((HOST, port)) == 0
        text = log.read_text("utf-8", "replace")
        if listens and words.search(text):
            return
        time.sleep(BEFORE_THE_NEXT_LOOK_S)
    raise NotStarted(log.read_text("utf-8", "replace")[-SHOWN:])


def free_port() -> int:
    with socket.create_server((HOST, 0)) as found:
        port: int = found.getsockname()[1]
        return port
