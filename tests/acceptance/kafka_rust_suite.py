"""kafka-rust's own tests, against `fakekafka serve`: `tox -e acceptance-kafka-rust`; needs Cargo, OpenSSL, port 9092.

The oldest client whose tests still run, and the only one here that was made for 0.8: it knows message formats 0 and 1
and asks for no versions. Its tests run once for each codec that it knows. The port is fixed in them.
"""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from tests.acceptance.lane import NoSuite, Suite, main
from tests.acceptance.outcomes import Outcome, Verdict
from tests.acceptance.processes import LaneBroken, Output, run_to_the_end, serving
from tests.acceptance.setups import Setup, setup

CRATE: Final = "kafka"
VERSION: Final = "0.10.0"
RELEASES: Final = ("0.8.2", "0.9.0", "0.10.2", "0.11.0", "1.0", "3.1")
"""The releases that kafka-rust tests itself against."""
CODECS: Final = ("NONE", "SNAPPY", "GZIP")
TOPICS: Final = ("--topic", "kafka-rust-test:2", "--topic", "kafka-rust-test2:2")
PROJECT: Final = (
    f'[package]\nname = "lane"\nversion = "0.0.0"\n[lib]\npath = "lib.rs"\n[dependencies]\n{CRATE} = "={VERSION}"\n'
)
ENDS: Final[dict[str, Verdict]] = {"ok": "passed", "FAILED": "failed", "ignored": "skipped"}
AN_END: Final = re.compile(r"test (\S+) \.\.\. (ok|FAILED|ignored)")
LIMIT_S: Final = 900


def ready(folder: Path, checkout: Path | None) -> Path:
    """Copy the crate out of Cargo's own cache, and return the copy. Raises `NoSuite`."""
    if shutil.which("cargo") is None:
        raise NoSuite("needs Cargo, and there is none on this machine")
    (folder / "Cargo.toml").write_text(PROJECT, "utf-8")
    (folder / "lib.rs").touch()
    command = ["cargo", "metadata", "--format-version", "1"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, encoding="utf-8", check=False)
    if done.returncode:
        raise NoSuite(f"Cargo cannot get {CRATE} {VERSION}: {done.stderr.strip()}")
    (found,) = [each for each in json.loads(done.stdout)["packages"] if each["name"] == CRATE]
    return Path(shutil.copytree(Path(found["manifest_path"]).parent, folder / CRATE))


def run(setup: Setup, root: Path, output: Output) -> list[Outcome]:
    """Run the tests with each codec, one test after the other: they share topics."""
    return [outcome for codec in CODECS for outcome in _with_codec(codec, setup, root, output)]


def _with_codec(codec: str, setup: Setup, root: Path, output: Output) -> list[Outcome]:
    command = ["cargo", "test", "--features", "integration_tests", "--test", "test_kafka", "--", "--test-threads", "1"]
    with serving(setup, {}, ("--port", "9092", *TOPICS)):
        status = run_to_the_end(command, root, {"KAFKA_CLIENT_COMPRESSION": codec}, LIMIT_S, output)
    found = list(outcomes(output.file.read_text("utf-8", "replace").splitlines(), codec))
    if status and not any(outcome.verdict == "failed" for outcome in found):
        raise LaneBroken(f"cargo test ended with status {status}: --log shows why")
    return found


def outcomes(lines: Iterable[str], codec: str) -> Iterator[Outcome]:
    """What became of each test, by the lines of `cargo test`, which also say why tests have failed."""
    ends: dict[str, Verdict] = {}
    words: dict[str, str] = {}
    panicked = None
    for line in lines:
        if panicked is not None:
            words[panicked], panicked = line, None
        elif end := AN_END.match(line):
            ends[end[1]] = ENDS[end[2]]
        elif panic := re.match(r"thread '(\S+)'.* panicked at", line):
            panicked = panic[1]
    for test, verdict in ends.items():
        yield Outcome(f"{test}[{codec}]", verdict, words.get(test, ""))


SUITE: Final = Suite(
    "kafka-rust",
    __doc__.split("\n", 1)[0],
    tuple(map(setup, RELEASES)),
    ready,
    run,
)

if __name__ == "__main__":
    sys.exit(main(SUITE))
