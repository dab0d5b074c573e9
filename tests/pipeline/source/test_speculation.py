"""A write on a cluster where Spark starts a slow task a second time: `tox -e spark-speculation`.

Spark starts second attempts on another host only. So this is a standalone cluster whose two workers have different
addresses, 127.0.0.2 and 127.0.0.3, which only Linux has without setup.
"""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Thread

import pytest
from fakekafka_spark import columns
from fakekafka_spark.jre import java_home

from tests.pipeline.conftest import FOREIGN, QUICK_START

JOB = Path(__file__).with_name("speculation_job.py")
HOSTS = ("127.0.0.2", "127.0.0.3")

pytestmark = pytest.mark.skipif(
    "FAKEKAFKA_SPARK_SPECULATION" not in os.environ, reason="needs six JVMs: tox -e spark-speculation"
)


def environment() -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in FOREIGN}
    kept |= {"PYSPARK_PYTHON": sys.executable, "JDK_JAVA_OPTIONS": QUICK_START, "SPARK_DAEMON_MEMORY": "200m"}
    return kept | ({"JAVA_HOME": str(home)} if (home := java_home()) else {})


@contextmanager
def daemon(what: str, *options: str, says: str) -> Iterator[str]:
    """Start a master or a worker, and yield what matches `says` in its log."""
    command = [str(Path(sys.executable).with_name("spark-class")), f"org.apache.spark.deploy.{what}", *options]
    with subprocess.Popen(command, env=environment(), stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        try:
            match = next(match for line in process.stderr if (match := re.search(says, line)))
            Thread(target=process.stderr.read, daemon=True).start()  # otherwise it blocks when the pipe is full
            yield match[0]
        finally:
            process.terminate()


@pytest.fixture
def master(tmp_path: Path) -> Iterator[str]:
    """The address of a cluster of two hosts."""
    with ExitStack() as stack:
        options = "--host", "127.0.0.1", "--port", "0", "--webui-port", "0"
        address = stack.enter_context(daemon("master.Master", *options, says=r"spark://127\.0\.0\.1:\d+"))
        for host in HOSTS:
            options = "--host", host, "--port", "0", "--webui-port", "0"
            sizes = "--cores", "2", "--memory", "1g", "--work-dir", str(tmp_path / host)
            stack.enter_context(daemon("worker.Worker", *options, *sizes, address, says="Successfully registered"))
        yield address


def test_a_second_attempt_that_overtakes_a_slow_one_changes_nothing(master: str, tmp_path: Path) -> None:
    made, folder = tmp_path / "made", tmp_path / "attempts"
    folder.mkdir()
    os.mkfifo(folder / "second-is-done")
    command = [sys.executable, str(JOB), master, str(made), str(folder)]
    done = subprocess.run(command, env=environment(), cwd=tmp_path, capture_output=True, text=True, timeout=500)
    assert done.returncode == 0, done.stderr[-3000:]
    assert sorted(path.name for path in folder.glob("?-?")) == ["0-0", "1-0", "1-1", "2-0"]
    assert sorted(path.name for path in made.iterdir()) == ["t-0", "t-1", "t-2"]
    rows = columns.table(made, columns="partition,offset,value").to_pylist()
    assert sorted(tuple(row.values()) for row in rows) == [
        (partition, offset, b"new") for partition in range(3) for offset in range(10)
    ]
