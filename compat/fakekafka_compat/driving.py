"""Runs a driver: a task as JSON on its stdin, what happened as JSON lines on its stdout."""

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from fakekafka_compat.scenarios import Json

PATIENCE_S: Final = 240
"""More than a driver takes when it waits for everything in vain."""


class DriverFailed(Exception):
    """It ended badly, said what is no JSON, or did not end; says which, with the last of what it wrote."""


def drive(python: Path, driver: Path, task: Json, patience_s: float = PATIENCE_S) -> list[Json]:
    """What the client did, in order. Raises `DriverFailed`."""
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONHOME")}
    try:
        done = subprocess.run(
            [python, driver],
            input=json.dumps(task),
            capture_output=True,
            text=True,
            timeout=patience_s,
            env=environment,
        )
    except subprocess.TimeoutExpired:
        raise DriverFailed(f"the driver did not end within {patience_s} s") from None
    except OSError as e:
        raise DriverFailed(f"the driver cannot be started: {e}") from None
    if done.returncode:
        raise DriverFailed(f"the driver ended with {done.returncode}: {done.stderr[-1000:]}")
    return list(_events(done.stdout))


def _events(text: str) -> Iterator[Json]:
    for line in text.splitlines():
        try:
            event = json.loads(line)
        except ValueError:
            event = None
        if not isinstance(event, dict) or "event" not in event:
            raise DriverFailed(f"the driver printed a line that is no event: {line[:200]}")
        yield event
