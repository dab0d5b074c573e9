"""kafka-python's integration tests, as its source distribution has them, made ready to run.

The source distribution leaves out three files that the tests need: two `__init__`-like ones, and the one that starts
processes. A broker that already runs needs no processes, so stand-ins of a few lines are put in their places.
"""

import subprocess
import sys
import tarfile
from pathlib import Path
from typing import Final

VERSION: Final = "3.0.12"
FOLDER: Final = "test"

SERVICE: Final = '''\
"""Stand-in for the module that starts processes: the broker runs already."""


class ExternalService:
    def __init__(self, host, port):
        self.host, self.port = host, port

    def open(self):
        pass

    def close(self):
        pass


class SpawnedService:
    def __init__(self, args=None, env=None):
        raise RuntimeError("these tests start their own broker: not here")
'''

CONFTEST: Final = '''\
"""Below 0.10.1 topics are made by a script of Kafka's: here the broker makes them, when they are first asked for."""

from test.integration.fixtures import KafkaFixture

KafkaFixture._create_topic_via_cli = lambda self, name, partitions, replicas: None
'''

FILLED_IN: Final = {"__init__.py": "", "service.py": SERVICE, "conftest.py": CONFTEST}


class NoSuite(Exception):
    """The source distribution could not be had; the text says why."""


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
    (root / "kafka").rename(root / "not_kafka")  # the installed one is meant, whose files are complete
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
