"""A driver at work: a task and then one step at a time as JSON lines on its stdin, what happened on its stdout.

The driver answers each step with events and a last one, `done`; so the caller may change the broker between two steps.
"""

import json
import os
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue
from tempfile import TemporaryFile
from threading import Thread
from types import TracebackType
from typing import IO, Final, Self

from fakekafka_compat.records import Json

PATIENCE_S: Final = 240
"""How long to wait for an answer: longer than a step in which every wait of the driver times out."""
ENDS_WITHIN_S: Final = 10
"""How long to wait for the process to end after its last word."""
SHOWN: Final = 1000
"""How much of what a driver wrote to stderr is shown when it fails."""


class DriverFailed(Exception):
    """A driver failed, wrote something that is not an event, or did not answer; the message says which, with its
    last output.
    """


class Driver:
    """A driver's process. Used in a `with` block, which ends it."""

    def __init__(self, command: Sequence[str], environment: Mapping[str, str] | None = None) -> None:
        """Start `command`; `environment`: variables in addition to those of this process."""
        self.patience_s: float = PATIENCE_S
        self._end_was_told = False
        self._errors: IO[bytes] = TemporaryFile()  # noqa: SIM115  # closed at the end of the `with` block
        self._lines: SimpleQueue[str | None] = SimpleQueue()
        kept = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONHOME")}
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                text=True,
                encoding="utf-8",
                env={**kept, **(environment or {})},
            )
        except OSError as e:
            self._errors.close()
            raise DriverFailed(f"the driver cannot be started: {e}") from None
        self._reader = Thread(target=self._read, daemon=True)
        self._reader.start()

    def start(self, task: Json) -> Json:
        """Send the driver its task. Returns the event that names the library. Raises `DriverFailed`."""
        self._write(task)
        event = self._event()
        if event["event"] != "library":
            raise DriverFailed(f"the driver begins with {event['event']} and not with its library")
        return event

    def step(self, step: Json) -> list[Json]:
        """Have it do a step. Returns the events of the step. Raises `DriverFailed`."""
        self.tell(step)
        return list(self.events())

    def tell(self, step: Json) -> None:
        """Have the driver begin a step, whose events the caller then reads."""
        self._write(step)

    def events(self) -> Iterator[Json]:
        """The events of the step, as they come. Raises `DriverFailed`, possibly after some events."""
        return self._until_done()

    def close(self) -> None:
        """Have the driver close everything, and end. Raises `DriverFailed` if it does not end, or fails; a driver whose
        end has been reported is left alone.
        """
        if self._end_was_told:
            return
        assert self._process.stdin is not None
        with suppress(BrokenPipeError):
            self._process.stdin.close()
        try:
            status = self._process.wait(self.patience_s)
        except subprocess.TimeoutExpired:
            raise DriverFailed(f"the driver did not end within {self.patience_s} s") from None
        if status:
            raise self._ended()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._process.kill()
        self._process.wait()
        self._reader.join()
        for pipe in (self._process.stdin, self._process.stdout, self._errors):
            assert pipe is not None
            with suppress(BrokenPipeError):
                pipe.close()

    def _write(self, line: Json) -> None:
        assert self._process.stdin is not None
        with suppress(BrokenPipeError):  # it has ended: its reader will notice
            self._process.stdin.write(json.dumps(line) + "\n")
            self._process.stdin.flush()

    def _until_done(self) -> Iterator[Json]:
        while (event := self._event())["event"] != "done":
            yield event

    def _event(self) -> Json:
        try:
            line = self._lines.get(timeout=self.patience_s)
        except Empty:
            raise DriverFailed(f"the driver said nothing for {self.patience_s} s") from None
        if line is None:
            raise self._ended()
        try:
            event = json.loads(line)
        except ValueError:
            event = None
        if not isinstance(event, dict) or "event" not in event:
            raise DriverFailed(f"the driver printed a line that is not an event: {line.strip()[:200]}")
        return event

    def _ended(self) -> DriverFailed:
        """The error of a driver that no longer answers."""
        self._end_was_told = True
        try:
            how = f"ended with {self._process.wait(ENDS_WITHIN_S)}"
        except subprocess.TimeoutExpired:
            how = "closed its output and goes on"
        self._errors.seek(0)
        return DriverFailed(f"the driver {how}: {self._errors.read().decode(errors='replace')[-SHOWN:]}")

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.put(line)
        self._lines.put(None)
