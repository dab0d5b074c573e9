"""A client's command line: its placeholders filled in, run, judged by its exit status, or killed."""

import os
import re
import signal
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryFile
from typing import Final

from fakekafka.errors import UsageError

WORDS: Final = ("bootstrap_servers", "release", "step", "act")
"""The placeholders of command lines."""
PLACEHOLDER: Final = re.compile(r"\{([a-z_]+)\}")
SHOWN: Final = 2000
"""How many bytes of a client's output are kept when it fails."""


def check_words(command: Sequence[str]) -> None:
    """Check that a command line has only known placeholders. Raises `UsageError`."""
    for word in command:
        for name in PLACEHOLDER.findall(word):
            if name not in WORDS:
                known = ", ".join(f"{{{one}}}" for one in WORDS)
                raise UsageError(f"command: no placeholder {{{name}}}; there are {known}")


def filled(command: Sequence[str], values: Mapping[str, str]) -> list[str]:
    """The command line with values in place of its placeholders."""
    return [PLACEHOLDER.sub(lambda match: values[match[1]], word) for word in command]


class ClientProcess:
    """A client that runs until it ends, or until it is closed."""

    def __init__(self, command: Sequence[str], directory: Path) -> None:
        """Start the client. Raises `OSError` if that fails."""
        self._output = TemporaryFile()  # noqa: SIM115  # closed with the process
        try:
            self._process = subprocess.Popen(
                command,
                cwd=directory,
                stdin=subprocess.DEVNULL,
                stdout=self._output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        except OSError:
            self._output.close()
            raise

    @property
    def has_ended(self) -> bool:
        """Whether the client has ended."""
        return self._process.poll() is not None

    def close(self) -> None:
        """Kill the client, with whatever it has started, and discard its output."""
        self._kill()
        self._output.close()

    def _kill(self) -> None:
        """End what still runs of its process group; on Windows, which has no process groups, only the process."""
        if not hasattr(os, "killpg"):
            self._process.kill()
            self._process.wait()
            return
        with suppress(ProcessLookupError, PermissionError):  # it has ended, with everything that it had started
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def problem(self, timeout_s: float) -> str:
        """Wait for its end. Returns "" if it ended with 0, otherwise what went wrong, with its last output."""
        try:
            status = self._process.wait(timeout_s)
            how = f"ended with {status}" if status else ""
        except subprocess.TimeoutExpired:
            how = f"did not end within {timeout_s:g} s"
            self._kill()
        self._output.seek(max(0, self._output.seek(0, os.SEEK_END) - SHOWN))
        said = self._output.read().decode(errors="replace").strip()
        return f"{how}: {said}" if how and said else how
