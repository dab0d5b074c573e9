"""A client's command line: its placeholders filled in, run to its end, judged by its exit status."""

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
"""How many bytes of its output are kept when it fails."""


def check_words(command: Sequence[str]) -> None:
    """Raises `UsageError` if a command line has a placeholder that is not known."""
    for word in command:
        for name in PLACEHOLDER.findall(word):
            if name not in WORDS:
                known = ", ".join(f"{{{one}}}" for one in WORDS)
                raise UsageError(f"command: no placeholder {{{name}}}; there are {known}")


def filled(command: Sequence[str], values: Mapping[str, str]) -> list[str]:
    """The command line with values in place of its placeholders."""
    return [PLACEHOLDER.sub(lambda match: values[match[1]], word) for word in command]


def run_client(command: Sequence[str], directory: Path, timeout_s: float) -> str:
    """Run a client until it ends. Returns "" if it ended with 0, otherwise what went wrong, with its last output.

    Whatever it has started is ended with it, also when the rehearsal is stopped.
    """
    with TemporaryFile() as output:
        try:
            process = subprocess.Popen(
                command,
                cwd=directory,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        except OSError as e:
            return f"cannot be started: {e}"
        try:
            status = process.wait(timeout_s)
            how = f"ended with {status}" if status else ""
        except subprocess.TimeoutExpired:
            how = f"did not end within {timeout_s:g} s"
        finally:
            _end(process)
        output.seek(max(0, output.seek(0, os.SEEK_END) - SHOWN))
        said = output.read().decode(errors="replace").strip()
    return f"{how}: {said}" if how and said else how


def _end(process: subprocess.Popen[bytes]) -> None:
    """End what still runs of its process group; on Windows, which has none, the process alone."""
    if not hasattr(os, "killpg"):
        process.kill()
        process.wait()
        return
    with suppress(ProcessLookupError, PermissionError):  # it has ended, with all that it had started
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
