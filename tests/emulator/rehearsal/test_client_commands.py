"""Clients' command lines."""

import os
import sys
from pathlib import Path
from selectors import EVENT_READ, DefaultSelector

import pytest
from fakekafka.rehearsal.client_commands import ClientProcess, filled

PYTHON = (sys.executable, "-S", "-c")


def run_client(command: list[str], directory: Path, timeout_s: float) -> str:
    client = ClientProcess(command, directory)
    try:
        return client.problem(timeout_s)
    finally:
        client.close()


def test_placeholders_are_filled_in_and_other_braces_stay() -> None:
    words = ["x", "--at={bootstrap_servers}", '{"a": 1}', "${HOME}"]
    assert filled(words, {"bootstrap_servers": "h:1"}) == ["x", "--at=h:1", '{"a": 1}', "${HOME}"]


def test_a_client_that_ends_with_status_0_has_succeeded(tmp_path: Path) -> None:
    code = f"import os; assert os.getcwd() == {str(tmp_path)!r}"
    assert run_client([*PYTHON, code], tmp_path, 30) == ""


def test_a_client_that_fails_is_quoted(tmp_path: Path) -> None:
    problem = run_client([*PYTHON, "import sys; print('one'); sys.exit('two')"], tmp_path, 30)
    assert problem.startswith("ended with 1: ")
    assert {"one", "two"} <= set(problem.removeprefix("ended with 1: ").split())


def test_only_the_end_of_a_long_output_is_kept(tmp_path: Path) -> None:
    problem = run_client([*PYTHON, "print('a' * 9000 + 'b'); raise SystemExit(3)"], tmp_path, 30)
    assert problem.endswith("aab")
    assert len(problem) < 2100


def test_a_client_that_does_not_end_is_killed(tmp_path: Path) -> None:
    assert run_client(["sleep", "600"], tmp_path, 0.05) == "did not end within 0.05 s"


def test_processes_that_a_client_leaves_running_are_ended_too(tmp_path: Path) -> None:
    """The pipe ends when the last process that could write to it does."""
    os.mkfifo(tmp_path / "alive")
    reader = os.open(tmp_path / "alive", os.O_RDONLY | os.O_NONBLOCK)
    try:
        assert run_client(["sh", "-c", "sleep 600 >alive & wait %%"], tmp_path, 0.2).startswith("did not end")
        os.set_blocking(reader, True)
        assert os.read(reader, 1) == b""
    finally:
        os.close(reader)


def test_a_client_that_does_not_exist_cannot_be_started(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        ClientProcess(["no-such-program"], tmp_path)


def test_a_client_is_killed_with_what_it_has_started(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "alive")
    reader = os.open(tmp_path / "alive", os.O_RDONLY | os.O_NONBLOCK)
    try:
        client = ClientProcess(["sh", "-c", "exec >alive; sleep 600 & echo started; wait"], tmp_path)
        # not select.select: descriptors are large in a process with many open files
        with DefaultSelector() as selector:
            selector.register(reader, EVENT_READ)
            selector.select()
        os.set_blocking(reader, True)
        assert os.read(reader, 100) == b"started\n"
        assert not client.has_ended
        client.close()
        assert client.has_ended
        assert os.read(reader, 1) == b""
    finally:
        os.close(reader)
