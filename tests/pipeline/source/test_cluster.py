"""The source on separate executors, submitted as to a cluster: what works only inside the driver's process fails
here.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

from fakekafka_spark.jre import java_home

from tests.pipeline.conftest import FOREIGN, QUICK_START
from tests.pipeline.logs import recorded

ROOT = Path(__file__).parents[3]
JOB = Path(__file__).with_name("cluster_job.py")


def packed(path: Path) -> Path:
    """The packages as a file for `--py-files`."""
    with ZipFile(path, "w") as archive:
        for folder in (ROOT / "emulator", ROOT / "pipeline"):
            for module in folder.rglob("*"):
                if module.is_file() and module.suffix != ".pyc":
                    archive.write(module, module.relative_to(folder))
    return path


def test_a_submitted_job_runs_on_executors_with_the_package_from_py_files(tmp_path: Path) -> None:
    recorded("2.3.1", tmp_path / "logs")
    environment = {name: value for name, value in os.environ.items() if name not in FOREIGN}
    environment |= {"PYSPARK_PYTHON": sys.executable, "JDK_JAVA_OPTIONS": QUICK_START}
    if home := java_home():
        environment["JAVA_HOME"] = str(home)
    command = [
        str(Path(sys.executable).with_name("spark-submit")), "--master", "local-cluster[2,1,1024]",
        "--driver-memory", "600m", "--executor-memory", "600m",
        "--conf", "spark.driver.host=127.0.0.1", "--conf", "spark.ui.enabled=false",
        "--conf", "spark.sql.shuffle.partitions=2", "--conf", f"spark.local.dir={tmp_path}",
        "--conf", f"spark.executorEnv.JDK_JAVA_OPTIONS={QUICK_START}",
        "--py-files", str(packed(tmp_path / "fakekafka.zip")),
        str(JOB), str(tmp_path / "logs"), str(tmp_path / "made"),
    ]  # fmt: skip
    done = subprocess.run(
        command, env=environment, cwd=tmp_path, capture_output=True, text=True, encoding="utf-8", timeout=400
    )
    assert done.returncode == 0, done.stderr[-3000:]
    (line,) = (line for line in done.stdout.splitlines() if line.startswith("found "))
    found = json.loads(line.removeprefix("found "))
    assert found["master"] == "local-cluster[2,1,1024]"
    assert found["records"] == found["kept"] > 200
    assert found["faults"] == 0
    files, parents = ({origin[n] for origin in found["origins"]} for n in (0, 1))
    assert len(parents) == 2
    assert all("fakekafka.zip" in file for file in files), files
