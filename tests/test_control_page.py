"""docs/control.md: its examples run, in Python, Node and Java, and its commands exist."""

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from fakekafka import FakeKafka
from fakekafka.cli import main
from fakekafka.control.http_server import ControlServer
from fakekafka.control.table import OPERATIONS

PAGE = Path(__file__).parent.parent / "docs" / "control.md"
TEXT = PAGE.read_text("utf-8")


def example(language: str) -> str:
    (found,) = re.findall(rf"^```{language}\n(.*?)^```", TEXT, re.DOTALL | re.MULTILINE)
    return str(found)


@pytest.fixture
def control() -> Iterator[ControlServer]:
    with FakeKafka("3.9", topics={"orders": 1}) as kafka, ControlServer(kafka) as control:
        yield control


def test_the_python_example_runs() -> None:
    assert "assert " in example("python")
    exec(compile(example("python"), str(PAGE), "exec"), {})


@pytest.mark.skipif(shutil.which("node") is None, reason="there is no node")
def test_the_node_example_runs(control: ControlServer, tmp_path: Path) -> None:
    program = tmp_path / "control.mjs"
    program.write_text(example("javascript"), "utf-8")
    done = subprocess.run(["node", program, control.url], capture_output=True, text=True, timeout=120, check=False)
    assert (done.stdout, done.stderr) == ("two apples\n", "")


@pytest.mark.skipif(shutil.which("java") is None, reason="there is no JDK")
def test_the_java_example_runs(control: ControlServer, tmp_path: Path) -> None:
    program = tmp_path / "Control.java"
    program.write_text(example("java"), "utf-8")
    done = subprocess.run(
        ["java", "-Xmx128m", program, control.url], capture_output=True, text=True, timeout=240, check=False
    )
    if "compiler" in done.stderr.lower() and done.returncode:
        pytest.skip("this is a Java without its compiler")
    assert done.stdout == '200\n{"orders": 1, "invoices": 2}\n', done.stderr


@pytest.mark.parametrize("words", re.findall(r"^    fakekafka ctl ([a-z-]+)(.*)$", TEXT, re.MULTILINE))
def test_the_commands_exist_with_their_options(words: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        main(["ctl", words[0], "--help"])
    text = capsys.readouterr().out
    assert all(option in text for option in re.findall(r"--[a-z-]+", words[1]))


@pytest.mark.parametrize("path", re.findall(r"localhost:9099(/[\w/]+)", TEXT))
def test_the_paths_exist(path: str) -> None:
    assert any(operation.matched(path) is not None for operation in OPERATIONS)
