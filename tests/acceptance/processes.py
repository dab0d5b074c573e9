"""Processes that a lane starts: the broker, and the tests."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

from tests.acceptance.setups import Setup

START_LIMIT_S: Final = 60
"""How long a broker may take to say where it listens."""


class LaneBroken(Exception):
    """The tests could not be run to their end; the text says why."""


class Output(NamedTuple):
    """Where to keep what tests print, and whether to show it as well."""

    file: Path
    shown: bool


@contextmanager
def serving(setup: Setup, properties: Mapping[str, str], options: Sequence[str] = ("--port", "0")) -> Iterator[str]:
    """`fakekafka serve` in a separate process; the addresses of its brokers, with commas between them."""
    command = [sys.executable, "-m", "fakekafka", "serve", "--release", str(setup.release), *options]
    command += ["--brokers", str(setup.brokers), "--pace", setup.pace]
    for name, value in properties.items():
        command += ["--config", f"{name}={value}"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, encoding="utf-8") as process:
        try:
            yield address_of(process)
        finally:
            process.terminate()


def address_of(process: "subprocess.Popen[str]", limit_s: float = START_LIMIT_S) -> str:
    """Where a broker that was just started listens, as its first line says. Raises `LaneBroken`."""
    assert process.stdout is not None
    limit = threading.Timer(limit_s, process.kill)
    limit.start()
    line = process.stdout.readline()
    limit.cancel()
    if not line:
        raise LaneBroken(f"a broker did not start within {limit_s:g} s, or ended: status {process.wait()}")
    return line.split(" ", 1)[0]


def run_to_the_end(
    command: Sequence[str], folder: Path, told: Mapping[str, str], limit_s: float, output: Output
) -> int:
    """Run tests in `folder` and return their status. `told`: more environment variables for them.

    Raises `LaneBroken` if they have not ended after `limit_s`; they and what they started are then killed.
    """
    with (
        output.file.open("wb") as file,
        subprocess.Popen(
            command, cwd=folder, env={**os.environ, **told}, stdout=file, stderr=file, start_new_session=True
        ) as tests,
    ):
        try:
            return tests.wait(limit_s)
        except subprocess.TimeoutExpired:
            os.killpg(tests.pid, signal.SIGKILL)
            raise LaneBroken(f"the tests did not end within {limit_s:g} s: --log shows where") from None
        finally:
            if output.shown:
                sys.stderr.write(output.file.read_text("utf-8", "replace"))
