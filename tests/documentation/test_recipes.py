"""Recipes are run as their readers run them: a copy of the folder, and the commands of its README.

Where the environment of the tests has what a recipe needs, it is run there. `tox -e recipes` runs all of them, each in
a separate environment with what its requirements.txt names; `FAKEKAFKA_RECIPES` is the directory of these.
"""

import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from docs.generator.site import DOCS, RECIPES, python_blocks, recipe_files

NAMES = sorted(readme.parent.name for readme in RECIPES.glob("*/README.md"))
ENVIRONMENTS = os.environ.get("FAKEKAFKA_RECIPES")
TOOLS = {"go.mod": "go", "package.json": "npm", "pom.xml": "mvn"}
"""The file by which a recipe in another language is recognised, and the tool that fetches what it needs."""
ANY_TEST = re.compile(r"[1-9]\d* passed|Ran [1-9]\d* tests?|# pass [1-9]|^ok\s|Tests run: [1-9]", re.MULTILINE)


@pytest.mark.parametrize("name", NAMES)
def test_a_recipe_passes_in_its_readers_hands(name: str, tmp_path: Path) -> None:
    python = _python(RECIPES / name)
    folder = tmp_path / name
    shutil.copytree(RECIPES / name, folder, ignore=shutil.ignore_patterns("__pycache__", ".pytest_cache"))
    path = os.pathsep.join((str(python.parent), os.environ["PATH"]))
    printed = ""
    for command in _commands(folder, python):
        done = subprocess.run(
            command,
            cwd=folder,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=900,
            env=os.environ | {"PATH": path},
        )
        printed = done.stdout + done.stderr
        assert done.returncode == 0, printed
    assert ANY_TEST.search(printed), f"nothing was run: {printed}"


def _commands(folder: Path, python: Path) -> list[list[str]]:
    """The commands that the README shows, except those that install Python packages."""
    readme = (folder / "README.md").read_text("utf-8")
    shown = re.findall(r"^    ((?:python -m|npm|go|mvn) .*)$", readme, re.MULTILINE)
    commands = [shlex.split(line) for line in shown if "-m pip " not in line]
    assert commands, "the README shows no command"
    return [[str(python), *rest] if first == "python" else [first, *rest] for first, *rest in commands]


def _python(folder: Path) -> Path:
    """The interpreter that has what the recipe requires; skips the test if there is none."""
    requirements = folder / "requirements.txt"
    if ENVIRONMENTS is not None and requirements.exists():
        return _made(Path(ENVIRONMENTS) / folder.name, requirements)
    if foreign := [tool for file, tool in TOOLS.items() if (folder / file).exists()]:
        pytest.skip(f"{foreign[0]} would fetch packages: tox -e recipes")
    wanted = re.findall(r"^[\w-]+", requirements.read_text("utf-8"), re.MULTILINE) if requirements.exists() else []
    missing = [name for name in wanted if find_spec(name.replace("-", "_")) is None]
    if missing:
        pytest.skip(f"needs {', '.join(missing)}: tox -e recipes")
    return Path(sys.executable)


def _made(environment: Path, requirements: Path) -> Path:
    """The interpreter of a new environment with this tree's fakekafka and what the recipe requires."""
    uv = (sys.executable, "-m", "uv")
    python = environment / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    subprocess.run([*uv, "venv", "-q", "--clear", "--python", sys.executable, environment], check=True, timeout=120)
    install = ("pip", "install", "-q", "--python", python, "-e", DOCS.parent, "-r", requirements)
    subprocess.run([*uv, *install], check=True, timeout=900)
    return python


@pytest.mark.parametrize("name", NAMES)
def test_the_code_in_a_readme_is_in_the_files_that_are_run(name: str) -> None:
    files = [path.read_text("utf-8") for path in recipe_files(RECIPES / name)]
    for block in python_blocks((RECIPES / name / "README.md").read_text("utf-8")):
        assert any(block in text for text in files), block


@pytest.mark.parametrize("name", NAMES)
def test_a_recipe_is_listed(name: str) -> None:
    assert f"({name}/README.md)" in (RECIPES / "README.md").read_text("utf-8")
    assert f"recipes/{name}/README.md" in (DOCS.parent / "mkdocs.yml").read_text("utf-8")


SHOWN = {
    "avro": ("mock://", "ThreadingHTTPServer"),
    "broken-logs": ("check", "dump"),
    "celery": ("Celery(", "confluentkafka"),
    "ci": ("github-actions.yml", "gitlab-ci.yml", "tox.ini"),
    "clock": ("retention", "session", "compact"),
    "connect": ("ConnectDistributed", "MirrorMaker", "exactly.once.source.support"),
    "django": ("DJANGO_SETTINGS_MODULE", "confluent_kafka"),
    "down-conversion": ("conversions()", "api_versions"),
    "fastapi": ("lifespan", "AIOKafkaProducer", "asyncio"),
    "faststream": ("from faststream", "KafkaBroker"),
    "faust": ("faust.App", "Table("),
    "go": ("fakekafka", "serve"),
    "java": ("KafkaListener", "StreamsBuilder", '"serve"'),
    "moving": ("testcontainers", "mocks of the client", "librdkafka's mock", "kfake"),
    "node": ("fakekafka", "serve"),
    "quixstreams": ("quixstreams", "Application("),
    "spark": ("readStream", "writeStream", "checkpoint"),
    "transactions": ("send_offsets_to_transaction", "begin_transaction", "commit_transaction"),
    "unittest": ("unittest.TestCase", "enterClassContext"),
    "upgrade": (".upgrade(", "apply()"),
    "xdist": ("fake_kafka_session", "-n 2"),
}
"""What each recipe is about, by words that its files must have."""


def test_there_is_a_recipe_for_each_thing_that_people_ask_for() -> None:
    assert list(SHOWN) == NAMES


@pytest.mark.parametrize("name", SHOWN)
def test_a_recipe_shows_what_it_is_about(name: str) -> None:
    paths = [RECIPES / name / "README.md", *recipe_files(RECIPES / name)]
    everything = "\n".join(f"{path.name}\n{path.read_text('utf-8')}" for path in paths)
    assert [word for word in SHOWN[name] if word not in everything] == []


@pytest.mark.parametrize("name", NAMES)
def test_a_recipe_has_a_test_of_its_own(name: str) -> None:
    tests = [
        path.name
        for path in recipe_files(RECIPES / name)
        if re.match(r"test_\w+\.py|\w+_test\.go|.*Test\.java|.*\.test\.js", path.name)
    ]
    assert tests


@pytest.mark.skipif(not (shutil.which("sh") and shutil.which("timeout")), reason="there is no sh, or no timeout")
def test_the_steps_of_a_workflow_start_a_broker_that_answers(tmp_path: Path) -> None:
    """The steps of the job for other languages, on a free port."""
    text = (RECIPES / "ci" / "github-actions.yml").read_text("utf-8")
    serve, wait = re.findall(r"- run: (fakekafka serve .*|timeout .*)$", text, re.MULTILINE)
    script = f"{serve.replace('9092', '0')}\necho $! > pid\n{wait.replace('9092', '127.0.0.1')}\n"
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    try:
        subprocess.run(
            ["sh", "-e", "-c", script], cwd=tmp_path, env=os.environ | {"PATH": path}, check=True, timeout=60
        )
        assert re.match(r"127\.0\.0\.1:\d+", (tmp_path / "kafka.log").read_text("utf-8"))
    finally:
        os.kill(int((tmp_path / "pid").read_text("utf-8")), signal.SIGTERM)


def test_every_ci_service_runs_the_same_tests_with_the_same_releases() -> None:
    for name, asked in (
        ("github-actions.yml", "matrix.kafka"),
        ("gitlab-ci.yml", "$KAFKA"),
        ("tox.ini", "--fake-kafka-release 4.0"),
    ):
        text = (RECIPES / "ci" / name).read_text("utf-8")
        assert "python -m pytest --fake-kafka-release" in text
        assert asked in text
        assert "0.11.0" in text
