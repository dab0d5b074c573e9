"""kafka-python's integration tests, as its source distribution has them, made ready to run.

The source distribution leaves out three files that the tests need: two `__init__`-like ones, and the one that starts
processes. Stand-ins are put in their places: brokers that the tests start are `fakekafka serve`.
"""

import subprocess
import sys
import tarfile
from pathlib import Path
from typing import Final

from tests.acceptance.lane import NoSuite

VERSION: Final = "3.0.12"
FOLDER: Final = "test"

SERVICE: Final = '''\
"""Stand-in for the module that starts processes: a broker is `fakekafka serve`."""

import subprocess
import tempfile
import threading

LIMIT_S = 60
"""How long a broker may take to say where it listens."""


class ExternalService:
    def __init__(self, host, port):
        self.host, self.port = host, port

    def open(self):
        pass

    def close(self):
        pass


class SpawnedService:
    def __init__(self, args=None, env=None):
        self.args = args

    def start(self):
        with tempfile.TemporaryFile("w+") as errors:
            self.process = subprocess.Popen(self.args, stdout=subprocess.PIPE, stderr=errors, text=True)
            limit = threading.Timer(LIMIT_S, self.process.kill)
            limit.start()
            self.address = self.process.stdout.readline().split(" ", 1)[0]
            limit.cancel()
            if not self.address:
                self.stop()
                errors.seek(0)
                raise RuntimeError(f"no broker within {LIMIT_S} s, status {self.process.returncode}: {errors.read()}")

    def stop(self):
        self.process.terminate()
        self.process.wait()
        self.process.stdout.close()

    def dump_logs(self):
        pass
'''

CONFTEST: Final = '''\
"""Below 0.10.1 topics are made by a script of Kafka's: here the broker makes them, when they are first asked for.

Tests of SASL and TLS start brokers of their own: with the properties and key stores that the fixture makes for Kafka.
"""

import json
import os
import sys

import py

from kafka import KafkaAdminClient
from test.integration.fixtures import KafkaFixture, ZookeeperFixture, client_params
from test.service import SpawnedService


class NoZookeeper:
    host, port = "localhost", 0

    def dump_logs(self):
        pass

    close = dump_logs


def opened(self):
    self.tmp_dir = self.tmp_dir or py.path.local.mkdtemp()
    self.tmp_dir.ensure(dir=True)
    self.start()


def started(self):
    if self.running:
        return
    texts = self._sasl_config(), self._ssl_config()
    lines = dict(line.split("=", 1) for text in texts for line in text.splitlines() if line)
    lines |= json.loads(os.environ["PROPERTIES"])
    lines |= {"listeners": f"{self.transport}://localhost:0", "security.inter.broker.protocol": self.transport}
    command = [sys.executable, "-m", "fakekafka", "serve", "--release", os.environ["KAFKA_VERSION"], "--port", "0"]
    command += [option for name, value in lines.items() for option in ("--config", f"{name}={value}")]
    if self.sasl_enabled:
        command += ["--user", f"{self.broker_user}:{self.broker_password}", "--sasl", self.sasl_mechanism]
    self.child = SpawnedService(command)
    self.child.start()
    self.port = int(self.child.address.rsplit(":", 1)[1])
    self.running = True


def topic_names(self):
    with KafkaAdminClient(**client_params(self)) as admin:
        return admin.list_topics()


ZookeeperFixture.instance = classmethod(lambda cls, **named: NoZookeeper())
KafkaFixture._create_topic_via_cli = lambda self, name, partitions, replicas: None
KafkaFixture.open, KafkaFixture.start, KafkaFixture.get_topic_names = opened, started, topic_names
'''

FILLED_IN: Final = {"__init__.py": "", "service.py": SERVICE, "conftest.py": CONFTEST}


def unpacked(folder: Path) -> Path:
    """The tests, below `folder`: where to run them. Raises `NoSuite`."""
    archive = _downloaded(folder)
    with tarfile.open(archive) as tar:
        tar.extractall(folder, filter="data")
    root = folder / archive.name.removesuffix(".tar.gz")
    if not (root / FOLDER / "integration").is_dir():
        raise NoSuite(f"{archive.name} holds no integration tests")
    for name, text in FILLED_IN.items():
        (root / FOLDER / name).write_text(text, "utf-8")
    (root / "kafka").rename(root / "not_kafka")  # so that imports find the installed package, which is complete
    (root / "pytest.ini").write_text("[pytest]\n", "utf-8")
    return root


def _downloaded(folder: Path) -> Path:
    """The archive from the package index, by pip's own settings."""
    what = ["--no-deps", "--no-binary", "kafka-python", f"kafka-python=={VERSION}", "--dest", str(folder)]
    command = [sys.executable, "-m", "pip", "download", "-q", "--disable-pip-version-check", *what]
    result = subprocess.run(command, capture_output=True, text=True, encoding="utf-8")
    found = list(folder.glob("kafka_python-*.tar.gz"))
    if result.returncode or not found:
        reason = (result.stderr.strip() or result.stdout.strip()).splitlines()
        raise NoSuite(f"pip cannot download kafka-python {VERSION}: {reason[-1] if reason else 'it gave no reason'}")
    return found[0]
