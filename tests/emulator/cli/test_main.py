"""The command line as a whole: wrong arguments, its version, a reader that goes away."""

import subprocess
import sys
from importlib.metadata import version

import pytest
from fakekafka.cli import main


@pytest.mark.parametrize("arguments", ["", "serve --brokers x", "play", "releases --release 2.3"])
def test_wrong_arguments_are_an_error_of_one_line(arguments: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(arguments.split())
    errors = capsys.readouterr().err
    assert errors.startswith("fakekafka")
    assert errors.endswith("--help\n")
    assert errors.count("\n") == 1


@pytest.mark.parametrize(("is_compiled", "more"), [(False, ""), (True, " with a compiled core")])
def test_version_is_that_of_the_package(
    is_compiled: bool, more: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("fakekafka.compiled.is_compiled", lambda: is_compiled)
    with pytest.raises(SystemExit, match="0"):
        main(["--version"])
    assert capsys.readouterr().out == f"fakekafka {version('fakekafka')}{more}\n"


def test_a_closed_pipe_is_not_an_error() -> None:
    command = f"{sys.executable} -m fakekafka releases | head -1"
    done = subprocess.run(
        ["sh", "-c", command], capture_output=True, text=True, encoding="utf-8", timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("release ")
