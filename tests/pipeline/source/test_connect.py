"""The source and the jobs through Spark Connect, whose client has no JVM of its own: `tox -e spark-connect`."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from fakekafka_spark.jre import java_home

from tests.pipeline.conftest import FOREIGN, QUICK_START
from tests.pipeline.logs import recorded

JOB = Path(__file__).with_name("connect_job.py")

pytestmark = pytest.mark.skipif(
    "FAKEKAFKA_SPARK_CONNECT" not in os.environ, reason="needs grpcio: tox -e spark-connect"
)


def test_every_job_works_through_connect(tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    recorded("2.3.1", logs)
    environment = {name: value for name, value in os.environ.items() if name not in FOREIGN}
    environment |= {"PYSPARK_PYTHON": sys.executable, "JDK_JAVA_OPTIONS": QUICK_START}
    if home := java_home():
        environment["JAVA_HOME"] = str(home)
    command = [sys.executable, str(JOB), str(logs), str(tmp_path / "made")]
    done = subprocess.run(
        command, env=environment, cwd=tmp_path, capture_output=True, text=True, encoding="utf-8", timeout=600
    )
    assert done.returncode == 0, done.stderr[-3000:]
    (line,) = (line for line in done.stdout.splitlines() if line.startswith("found "))
    found = json.loads(line.removeprefix("found "))
    assert found["session"] == "pyspark.sql.connect.session"
    assert found["in the table"] == found["records"] > 200
    assert found["converted"] == found["read again"] > 200
    assert found["formats"] == [0, 1, 2]
    assert found["faults"] == ["leftover .deleted"]
    assert set(found["copies"]) == {"only copy"}
    assert found["alerts"] == 0
    assert found["complaint"].endswith("nowhere does not exist")
