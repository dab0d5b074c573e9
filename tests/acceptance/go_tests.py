"""Tests of a Go module, which come with it from Go's module proxy and run in Go's module cache."""

import json
import re
import shutil
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

from tests.acceptance.lane import NoSuite
from tests.acceptance.outcomes import Outcome, Verdict
from tests.acceptance.processes import LaneBroken, Output, run_to_the_end

ENDS: Final[dict[str, Verdict]] = {"pass": "passed", "fail": "failed", "skip": "skipped"}
AT_A_LINE: Final = re.compile(r"\s+\w+\.go:\d+: (.+)")
"""What a test says, as `go test` prints it."""


def downloaded(module: str, version: str) -> Path:
    """The module's folder in Go's own cache. Raises `NoSuite`."""
    go = shutil.which("go")
    if go is None:
        raise NoSuite("needs Go, and there is none on this machine")
    command = [go, "mod", "download", "-json", f"{module}@{version}"]
    done = subprocess.run(command, cwd="/", capture_output=True, text=True, encoding="utf-8", check=False)
    if done.returncode:
        raise NoSuite(f"Go cannot get {module} {version}: {json.loads(done.stdout or '{}').get('Error', done.stderr)}")
    return Path(json.loads(done.stdout)["Dir"])


def go_tests(
    root: Path, arguments: Sequence[str], told: Mapping[str, str], limit_s: int, output: Output
) -> list[Outcome]:
    """Run `go test` in `root`, with copies of the module's requirements that Go may complete. Raises `LaneBroken`."""
    copies = [shutil.copyfile(root / name, output.file.parent / name) for name in ("go.mod", "go.sum")]
    modules = ["-mod=mod", f"-modfile={copies[0]}"]
    command = ["go", "test", "-json", "-count=1", f"-timeout={limit_s}s", *modules, *arguments]
    status = run_to_the_end(command, root, told, limit_s + 60, output)
    found = outcomes(output.file.read_text("utf-8", "replace").splitlines())
    if status and not any(outcome.verdict == "failed" for outcome in found):
        raise LaneBroken(f"go test ended with status {status}: --log shows why")
    return found


def outcomes(lines: Iterable[str]) -> list[Outcome]:
    """What became of each test, by the lines of `go test -json`; a test that fails only because its subtests do is left
    out.
    """
    ends: dict[str, Outcome] = {}
    words: dict[str, str] = {}
    for line in lines:
        event = json.loads(line) if line.startswith("{") else {}
        name, action = event.get("Test"), event.get("Action")
        if name is None:
            continue
        if action == "run":
            ends[name] = Outcome(name, "failed", "did not end")
        elif action == "output" and (said := AT_A_LINE.match(event["Output"])):
            words[name] = said[1]
        elif action in ENDS:
            verdict = ENDS[action]
            ends[name] = Outcome(name, verdict, "" if verdict == "passed" else words.get(name, ""))
    failed = {name for name, end in ends.items() if end.verdict == "failed"}
    return [end for name, end in ends.items() if name not in failed or not _failed_by_a_part(name, failed)]


def _failed_by_a_part(name: str, failed: set[str]) -> bool:
    return any(other.startswith(f"{name}/") for other in failed)
