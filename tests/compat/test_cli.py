"""The tool from end to end with a user's own client: a table and a driver that a downstream project could write."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from fakekafka_compat.cli import main
from fakekafka_compat.table import default_table

OWN = """
releases = ["2.3"]
scenarios = ["roundtrip"]

[clients.mine]
library = "our-wrapper"
version = "1.0"
packages = []
python = "PYTHON"
driver = "drive_mine.py"
"""

DRIVER = """
import json, sys
from kafka import KafkaConsumer, KafkaProducer, TopicPartition

task = json.loads(sys.stdin.readline())
topic, settings = task["topic"], task["settings"]
say = lambda **event: print(json.dumps(event), flush=True)
raw = lambda text: None if text is None else bytes.fromhex(text)
text = lambda data: None if data is None else data.hex()

def produce(step):
    with KafkaProducer(**settings) as producer:
        for r in step["records"]:
            done = producer.send(topic, raw(r["value"]), raw(r["key"]), partition=r["partition"]).get(60)
            say(event="acked", uid=r["uid"], partition=done.partition, offset=done.offset)

def read(step):
    with KafkaConsumer(**settings, auto_offset_reset="earliest", consumer_timeout_ms=60000) as consumer:
        consumer.assign([TopicPartition(topic, p) for p in range(task["partitions"])])
        for n, r in zip(range(step["count"] - FORGOTTEN), consumer):
            say(event="consumed", reader=0, partition=r.partition, offset=r.offset, key=text(r.key),
                value=text(r.value))

say(event="library", version="1.0")
for line in sys.stdin:
    step = json.loads(line)
    {"produce": produce, "read": read}[step["do"]](step)
    say(event="done")
"""


def prepare(folder: Path, python: str = "this", driver: str = DRIVER.replace("FORGOTTEN", "0")) -> list[str]:
    (folder / "cells.toml").write_text(OWN.replace("PYTHON", python), "utf-8")
    (folder / "drive_mine.py").write_text(driver, "utf-8")
    (folder / "into").mkdir(exist_ok=True)
    return ["run", "--cells", str(folder / "cells.toml"), "--into", str(folder / "into"), "--cache", str(folder / "c")]


def test_a_project_runs_its_own_client(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = prepare(tmp_path)
    assert main(arguments) == 0
    assert capsys.readouterr().out == "1 cells: 1 as the real broker\n"
    (written,) = (tmp_path / "into").iterdir()
    before = written.stat().st_mtime_ns
    prepare(tmp_path, driver="raise SystemExit(1)")  # what has run is not run again
    assert main(arguments) == 0
    assert written.stat().st_mtime_ns == before
    assert main([*arguments, "--again"]) == 1
    assert "the driver ended with 1" in capsys.readouterr().out


def test_a_project_uses_the_tool_from_its_own_folder(tmp_path: Path) -> None:
    prepare(tmp_path)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}

    def tool(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "fakekafka_compat", *arguments]
        return subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, encoding="utf-8", timeout=120
        )

    ran = tool("run", "--cells", "cells.toml")
    assert (ran.returncode, ran.stdout) == (0, "1 cells: 1 as the real broker\n"), ran.stderr
    told = tool("report", "compat-observations", "--cells", "cells.toml", "--into", "report.html")
    assert (told.returncode, told.stderr) == (0, "report.html\n")
    page = (tmp_path / "report.html").read_text("utf-8")
    assert "our-wrapper 1.0" in page
    assert "16 produced, 16 stored, 16 read" in page


def test_a_difference_fails_unless_it_is_known(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = prepare(tmp_path, driver=DRIVER.replace("FORGOTTEN", "1"))
    assert main(arguments) == 1
    assert "is not consumed" in capsys.readouterr().out
    (tmp_path / "FINDINGS.md").write_text("- `mine/*`: it forgets the last record\n", "utf-8")
    assert main(arguments) == 0
    assert "mine/2.3/-/-/none/roundtrip: differs (known)" in capsys.readouterr().out


def test_a_missing_interpreter_is_reported_and_tried_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = prepare(tmp_path, python="2.0")
    assert main(arguments) == 0
    assert capsys.readouterr().out == (
        "mine/2.3/-/-/none/roundtrip: not runnable here\n    there is no Python 2.0\n1 cells: 1 not runnable here\n"
    )
    prepare(tmp_path, driver="print('hello')")
    assert main(arguments) == 1
    assert "a line that is not an event: hello" in capsys.readouterr().out


def test_an_inability_of_a_client_is_not_a_difference(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    unable = DRIVER.replace(
        '{"produce": produce, "read": read}[step["do"]](step)', 'say(event="unable", what="produce")'
    )
    assert main(prepare(tmp_path, driver=unable)) == 0
    assert "not runnable here\n    our-wrapper 1.0 is not able to produce\n" in capsys.readouterr().out


def test_impossible_arguments_are_an_error_of_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "--subset", "none", "--into", str(tmp_path)]) == 2
    assert capsys.readouterr().err.startswith("fakekafka-compat: no subset 'none': one of smoke")
    assert default_table().with_name("FINDINGS.md").exists()
