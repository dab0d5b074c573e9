"""Every command line that the pages show runs, and every other block of code has a test that runs it."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest
from fakekafka import FakeKafka, ManualClock
from fakekafka.cli import COMMANDS, main
from fakekafka.control.http_server import ControlServer

from docs.generator.command_line import commands_shown
from docs.generator.site import DOCS, GENERATED, generated

ROOT = DOCS.parent
RUN_BY_OTHERS = {
    "recipes/*/README.md": "tests/documentation/test_recipes.py",
    "bugs/*.md": "tests/test_bug_pages.py",
    "upgrade-plan.md": "tests/test_plan_page.py",
    "tutorial.md": "tests/documentation/test_tutorial.py",
    "faults-and-clients.md": "tests/client_faults/table.py",
}
"""Pages whose commands and blocks another test, or the program that writes the page, runs as they stand."""
RUNNERS = {
    "tests/test_readme.py": ("../README.md",),
    "tests/test_drafts_page.py": ("drafts.md",),
    "tests/test_control_page.py": ("control.md",),
    "tests/test_security_page.py": ("security.md",),
    "tests/emulator/cli/test_rehearse.py": ("rehearsal.md",),
}
"""Tests of one page, which take its Python blocks, or those of all languages, from it."""
NOT_HERE = {
    "FAKEKAFKA_COMPILE=1 pip install": "`tox -e compiled` builds the wheel, and tests it",
    "pip install": "tests/release/check.py installs the wheel, with no extra and with each",
    "make ": "tests/documentation/test_project_files.py knows the targets; `make` itself runs this test",
    "fakekafka-compat ": "tests/compat/test_cli.py; clients of the matrix come from registries: `tox -e compat-smoke`",
    "fakekafka-spark ": "tests/pipeline/jobs/test_readme.py",
}
"""Commands that are not run here, and what runs them."""
PLAN_OF_FAULTS = """[[fault]]
fail = "NOT_LEADER_OR_FOLLOWER"
api = "Produce"

[[fault]]
delay = 1
api = "Metadata"
"""
FAILING_TEST = """import pytest


def test_orders(fake_kafka):
    rules = list(fake_kafka.faults.rules)
    for rule in rules:
        rule.expected = False
    assert not any(rule.action.NAME == "fail" for rule in rules)
"""


class Shown(NamedTuple):
    """A command on a page."""

    page: str
    line: str


def pages() -> dict[str, str]:
    """The pages written by hand, by their place below `docs`, except those that others run."""
    found = {"../README.md": (ROOT / "README.md").read_text("utf-8")}
    for path in sorted(DOCS.rglob("*.md")):
        place = path.relative_to(DOCS)
        if not GENERATED.intersection(place.parts) and not any(place.match(each) for each in RUN_BY_OTHERS):
            found[place.as_posix()] = path.read_text("utf-8")
    return found


def blocks(text: str) -> Iterator[str]:
    """The indented blocks of a page, which hold most commands."""
    without_fenced = re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE)
    yield from re.findall(r"(?:\A|\n\n)((?:    .*\n?(?:\n(?=    ))?)+)", without_fenced)


def lines() -> list[Shown]:
    return [
        Shown(page, line.strip())
        for page, text in pages().items()
        for block in blocks(text)
        for line in block.splitlines()
        if line.strip()
    ]


LINES = lines()
OURS = [shown for shown in LINES if shown.line.startswith("fakekafka ")]
CURLS = [shown for shown in LINES if shown.line.startswith("curl ")]
PYTHON = [shown for shown in LINES if shown.line.startswith(("FakeKafka(", "@pytest."))]
CHANGED = [(r" {4,}.*", ""), ("/data/", ""), (r"--port \d+", "--port 0"), (r"127\.0\.0\.1:9099", "127.0.0.1:0")]


def test_every_indented_line_is_run_here_or_named_with_what_runs_it() -> None:
    left = set(LINES) - {*OURS, *CURLS, *PYTHON}
    assert [shown for shown in left if not shown.line.startswith(tuple(NOT_HERE))] == []


def test_every_fenced_block_is_on_a_page_with_a_test() -> None:
    """`test_pages.py` finds the examples that it runs; the others are named here."""
    from tests.documentation.test_pages import PAGES

    runs = {path.relative_to(DOCS).as_posix() for path in PAGES} | {page for each in RUNNERS.values() for page in each}
    for page, text in pages().items():
        languages = set(re.findall(r"^```(\w+)", text, re.MULTILINE))
        assert not languages or page in runs, f"{page}: {languages}"
        if page in {path.relative_to(DOCS).as_posix() for path in PAGES}:
            assert languages <= {"python"}, f"{page}: {languages}"


@pytest.mark.parametrize("test", [*RUNNERS, *RUN_BY_OTHERS.values()])
def test_what_runs_a_page_names_it(test: str) -> None:
    text = (ROOT / test).read_text("utf-8")
    for page in RUNNERS.get(test, ()):
        assert Path(page).name in text, page


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.__name__.rpartition(".")[2])
def test_every_command_has_an_example_in_the_reference(command: object) -> None:
    name = str(getattr(command, "__name__")).rpartition(".")[2]  # noqa: B009
    page = generated()["reference/cli.md"]
    section = page.partition(f"## fakekafka {name}\n")[2].partition("\n## ")[0]
    assert commands_shown(name)
    assert all(line in section for line in commands_shown(name))


# ---- running them


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A directory with everything that the commands name."""
    with FakeKafka("0.10.2", topics={"orders": 1}, log_dir=tmp_path / "kafka-logs") as kafka:
        kafka.send("orders", b"two apples")
        kafka.requests.to_jsonl(tmp_path / "journal.jsonl")
    (tmp_path / "clients.toml").write_text('[[clients]]\nlibrary = "kafka-python"\nversion = "1.4.7"\n', "utf-8")
    (tmp_path / "plugins.json").write_text(json.dumps(PLUGINS), "utf-8")
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_orders.py").write_text(FAILING_TEST, "utf-8")
    return tmp_path


PLUGINS = {
    f"plugin-{language}-topic": {
        "pluginID": 1,
        "pluginAlias": "snappyPlugin",
        "pluginClassName": f"{language}.snappy",
        "pluginVersion": "v1.0",
    }
    for language in ("java", "python")
}


@pytest.mark.parametrize("shown", OURS, ids=lambda shown: shown.line)
def test_a_command_that_is_shown_runs(shown: Shown, folder: Path) -> None:
    text = shown.line
    for pattern, instead in CHANGED:
        text = re.sub(pattern, instead, text)
    _, *arguments = shlex.split(text)
    rehearsed = 'from = "0.10.2"\nto = "0.11.0"\nback = false\n'
    (folder / "plan.toml").write_text(rehearsed if arguments[0] == "rehearse" else PLAN_OF_FAULTS, "utf-8")
    if arguments[0] == "serve":
        assert re.match(r"127\.0\.0\.1:\d+", first_line(arguments, folder))
        return
    with ExitStack() as stack:
        if arguments[0] == "plugins":
            kafka = stack.enter_context(FakeKafka("3.9", drafts=["KIP-984"]))
            arguments += ["--bootstrap-server", kafka.bootstrap_servers]
        environment = stack.enter_context(controlled()) if arguments[0] == "ctl" else {}
        done = run(arguments, folder, environment)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.skipif(shutil.which("curl") is None, reason="there is no curl")
@pytest.mark.parametrize("shown", CURLS, ids=lambda shown: shown.line)
def test_a_request_by_curl_is_answered(shown: Shown) -> None:
    with controlled() as environment:
        command = shlex.split(shown.line.replace("localhost:9099", environment["FAKEKAFKA_CONTROL_URL"]))
        done = subprocess.run([*command, "-s", "--fail-with-body"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout
    json.loads(done.stdout)


@pytest.mark.parametrize("shown", PYTHON, ids=lambda shown: shown.line)
def test_a_line_of_python_can_be_evaluated(shown: Shown) -> None:
    expression = re.sub(r" {4,}.*", "", shown.line).removeprefix("@")
    assert eval(expression, {"FakeKafka": FakeKafka, "pytest": pytest}) is not None


@pytest.mark.parametrize("example", [line for command in COMMANDS for line in commands_shown(command.__name__[14:])])
def test_an_example_in_the_help_or_reference_is_shown_on_a_page_that_is_checked(example: str) -> None:
    assert example in {shown.line for shown in OURS}


def run(arguments: list[str], folder: Path, environment: dict[str, str]) -> "subprocess.CompletedProcess[str]":
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))  # for `-- pytest`
    return subprocess.run(
        [sys.executable, "-m", "fakekafka", *arguments],
        cwd=folder,
        env=os.environ | environment | {"PATH": path},
        input="wonderland\n",
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
    )


def first_line(arguments: list[str], folder: Path) -> str:
    """The first line that `serve` prints; then it is stopped."""
    command = [sys.executable, "-m", "fakekafka", *arguments]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True, encoding="utf-8") as process:
        assert process.stdout is not None
        try:
            return process.stdout.readline()
        finally:
            process.terminate()


@contextmanager
def controlled() -> Iterator[dict[str, str]]:
    """A broker with a control API, in which everything that the commands wait for has happened."""
    with FakeKafka("3.9", topics={"orders": 3}, clock=ManualClock()) as kafka, ControlServer(kafka) as control:
        for _ in range(11):
            kafka.send("orders", b"two apples", partition=0)
        consume(kafka)
        yield {"FAKEKAFKA_CONTROL_URL": control.url}


def consume(kafka: FakeKafka) -> None:
    from kafka import KafkaConsumer, TopicPartition
    from kafka.structs import OffsetAndMetadata

    with KafkaConsumer(group_id="shop", **kafka.client_config("kafka-python", quick=True)) as consumer:
        orders = TopicPartition("orders", 0)
        consumer.assign([orders])
        consumer.commit({orders: OffsetAndMetadata(10, "", -1)})


def test_help_and_the_reference_need_no_broker(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        main(["ctl", "--help"])
    assert "create-topic" in capsys.readouterr().out
