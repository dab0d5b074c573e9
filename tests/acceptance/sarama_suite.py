"""Sarama's own functional tests, against five brokers of this process: `tox -e acceptance-sarama`; needs Go.

They expect Docker to stop and start brokers, and toxiproxy before each: ports 8474 and 29091 to 29095. Toxiproxy is
built here. In place of Docker they find a program that asks the control API; what only Docker can do, they skip.
"""

import json
import os
import re
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from fakekafka import BrokerSettings, FakeKafka
from fakekafka.control.http_server import ControlServer
from fakekafka.releases.release import Release, starting

from tests.acceptance.go_tests import downloaded, go_tests
from tests.acceptance.lane import NoSuite, Suite, main
from tests.acceptance.outcomes import Outcome
from tests.acceptance.processes import LaneBroken, Output
from tests.acceptance.setups import Setup, setup

MODULE: Final = "github.com/IBM/sarama"
VERSION: Final = "v1.61.1"
PROXY: Final = "github.com/Shopify/toxiproxy/v2/cmd/server@v2.5.0"
PROXY_URL: Final = "http://127.0.0.1:8474"
NODES: Final = range(1, 6)
FIRST_TOLD: Final = 29090
"""The port that node 0 would tell its clients: a proxy's."""
PROPERTIES: Final = {
    "default.replication.factor": "2",
    "offsets.topic.replication.factor": "2",
    "transaction.state.log.replication.factor": "2",
    "transaction.state.log.min.isr": "1",
    "replica.selector.class": "org.apache.kafka.common.replica.RackAwareReplicaSelector",
    "auto.create.topics.enable": "false",
    "group.initial.rebalance.delay.ms": "0",
}
"""Those of sarama's own test brokers, from 2.4 on."""
CONTROL: Final = "FAKEKAFKA_CONTROL"
DOCKER: Final = f"""#!{sys.executable}
import sys

from tests.acceptance.sarama_suite import docker

sys.exit(docker(sys.argv[1:]))
"""
TESTS: Final = re.compile(r"^func (Test\w+)\(", re.MULTILINE)
LISTENS: Final = "Starting HTTP server"
START_LIMIT_S: Final = 20
LIMIT_S: Final = 1500


def ready(folder: Path, checkout: Path | None) -> Path:
    """Build toxiproxy, and get the module."""
    root = downloaded(MODULE, VERSION)
    done = subprocess.run(
        ["go", "install", PROXY], env={**os.environ, "GOBIN": str(folder)}, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise NoSuite(f"Go cannot build {PROXY}: {done.stderr}")
    return root


def run(setup: Setup, root: Path, output: Output) -> list[Outcome]:
    """Run every test whose file is called functional."""
    folder = output.file.parent
    program = folder / "docker"
    program.write_text(DOCKER, "utf-8")
    program.chmod(0o700)
    with brokers(setup.release) as kafka, ControlServer(kafka) as control, _proxies(folder, kafka):
        told = {
            "TOXIPROXY_ADDR": PROXY_URL,
            "KAFKA_VERSION": str(setup.release),
            "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": str(Path(__file__).parents[2]),
            CONTROL: control.url,
        }
        return go_tests(root, ["-tags=functional", "-run", f"^({'|'.join(_names(root))})$", "."], told, LIMIT_S, output)


def _names(root: Path) -> Iterator[str]:
    for file in sorted(root.glob("functional_*_test.go")):
        yield from TESTS.findall(file.read_text("utf-8"))


def brokers(release: Release) -> FakeKafka:
    """A cluster as sarama's own, which tells its clients where the proxies are."""
    name = "node.id" if release >= starting("3.3") else "broker.id"
    each = [
        BrokerSettings(
            config={
                name: str(node),
                "broker.rack": str(node),
                "advertised.listeners": f"PLAINTEXT://localhost:{FIRST_TOLD + node}",
            }
        )
        for node in NODES
    ]
    return FakeKafka(str(release), brokers=each, config=PROPERTIES)


@contextmanager
def _proxies(folder: Path, kafka: FakeKafka) -> Iterator[None]:
    """Toxiproxy, with a proxy before each broker. Raises `LaneBroken` if it does not start."""
    proxies = [
        {"name": f"kafka{node}", "listen": f"127.0.0.1:{FIRST_TOLD + node}", "upstream": address, "enabled": True}
        for node, address in zip(NODES, kafka.bootstrap_servers.split(","), strict=True)
    ]
    config = folder / "proxies.json"
    config.write_text(json.dumps(proxies), "utf-8")
    command = [str(folder / "server"), "-config", str(config)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as server:
        assert server.stdout is not None
        rest = threading.Thread(target=server.stdout.read, daemon=True)
        try:
            _until_it_listens(server)
            rest.start()
            yield
        finally:
            server.terminate()
            if rest.ident is not None:
                rest.join()


def _until_it_listens(server: "subprocess.Popen[str]") -> None:
    assert server.stdout is not None
    limit = threading.Timer(START_LIMIT_S, server.kill)
    limit.start()
    listens = any(LISTENS in line for line in server.stdout)
    limit.cancel()
    if not listens:
        raise LaneBroken(f"toxiproxy does not listen: status {server.wait()}")


def _post(url: str, body: dict[str, object]) -> None:
    data = json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(url, data, {"Content-Type": "application/json"}), timeout=30):
        pass


# ---- in place of Docker


def docker(arguments: Sequence[str]) -> int:
    """`docker compose stop kafka-1` and `docker compose start kafka-1`; returns the exit status."""
    if len(arguments) != 3 or arguments[0] != "compose" or arguments[1] not in ("stop", "start"):
        print(f"this Docker only stops and starts brokers, and was asked for {arguments}", file=sys.stderr)
        return 1
    node = arguments[2].rpartition("-")[2]
    try:
        _post(f"{os.environ[CONTROL]}/brokers/{node}/{arguments[1]}", {})
    except urllib.error.HTTPError as refused:
        words = refused.read().decode(errors="replace")
        if "already" not in words:  # as Docker, which does not mind
            print(words, file=sys.stderr)
            return 1
    return 0


SUITE: Final = Suite(
    "sarama",
    __doc__.split("\n", 1)[0],
    (setup("2.8", brokers=len(NODES)), setup("3.9", brokers=len(NODES)), setup("4.3", brokers=len(NODES))),
    ready,
    run,
)

if __name__ == "__main__":
    sys.exit(main(SUITE))
