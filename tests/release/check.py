"""Checks whether a release could be made from this tree: the files are built, inspected, and used without the tree.

    python -m tests.release.check --into build/release

Each step prints a line; the first that fails ends the run. Pythons that this machine lacks are named, not silently
skipped.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
PROJECT: Final = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
SMALL: Final = {"fakekafka", "lz4", "zstandard", "python-snappy", "cramjam", "crc32c"}
"""What `pip install fakekafka` may install; python-snappy brings cramjam."""
TYPED: Final = """from collections.abc import Callable

import pytest
from fakekafka import FakeKafka, ManualClock


@pytest.mark.fake_kafka(topics={"orders": 1})
def test_typed(fake_kafka: FakeKafka) -> None:
    offset: int = fake_kafka.send("orders", b"apples")
    records = fake_kafka.wait_for_records("orders", 1)
    assert records[0].offset == offset
    settings: dict[str, object] = dict(fake_kafka.client_config("kafka-python"))
    assert settings


def test_factory(fake_kafka_factory: Callable[..., FakeKafka]) -> None:
    clock = ManualClock()
    kafka = fake_kafka_factory("2.3", clock=clock)
    clock.advance(1_000)
    assert kafka.topics() == {}
"""


def main() -> None:
    options = _options()
    into: Path = options.into.resolve()
    shutil.rmtree(into, ignore_errors=True)
    wheel, sdist = build(into / "dist")
    check_archives(wheel, sdist)
    for version, python in pythons(PROJECT["classifiers"]):
        if python is None:
            print(f"NOT TRIED   Python {version}: not on this machine")
            continue
        use(wheel, python, into / version)
        print(f"ok          Python {version}: installed alone, README's first test passes")
    use(sdist, sys.executable, into / "from-source")
    print("ok          the source distribution installs as well")
    types(wheel, into / "typed")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--into", type=Path, default=ROOT / "build" / "release", help="a directory, emptied first")
    return parser.parse_args()


def build(into: Path) -> tuple[Path, Path]:
    """The wheel and the source distribution of this tree."""
    run(sys.executable, "-m", "build", "--outdir", into, ROOT)
    [wheel], [sdist] = into.glob("*.whl"), into.glob("*.tar.gz")
    for file in (wheel, sdist):
        print(f"ok          {file.name}: {file.stat().st_size / 1024:,.0f} KiB")
    return wheel, sdist


def check_archives(wheel: Path, sdist: Path) -> None:
    run(sys.executable, "-m", "twine", "check", "--strict", wheel, sdist)
    print("ok          twine check --strict")
    run(sys.executable, "-m", "check_wheel_contents", "--config", ROOT / "pyproject.toml", wheel)
    print("ok          check-wheel-contents")


def pythons(classifiers: Sequence[str]) -> Iterator[tuple[str, str | None]]:
    """Each Python that the package names, and its interpreter if this machine has it (on the path, or by pyenv)."""
    of_pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    for version in re.findall(r"Python :: (3\.\d+)", "\n".join(classifiers)):
        command = (sys.executable, "-m", "uv", "python", "find", "--no-python-downloads", version)
        found = subprocess.run(command, capture_output=True, text=True, encoding="utf-8").stdout.strip()
        installed = sorted(of_pyenv.glob(f"{version}.*/bin/python"))
        yield version, found or (str(installed[-1]) if installed else None)


def use(package: Path, python: str, environment: Path) -> None:
    """Install a file in a new environment, without the tree, and run the README's first test there."""
    inside = _environment(python, environment)
    _install(inside, package)
    listed = run(sys.executable, "-m", "uv", "pip", "list", "--python", inside, "--format", "freeze")
    installed = {line.partition("==")[0] for line in listed.splitlines()}
    assert installed <= SMALL, f"installed besides: {installed - SMALL}"
    _install(inside, "pytest", "kafka-python")
    [first, *_] = re.findall(
        r"^```python\n(.*?)^```", (ROOT / "README.md").read_text("utf-8"), re.DOTALL | re.MULTILINE
    )
    (environment / "test_readme.py").write_text(first, "utf-8")
    (environment / "pytest.ini").write_text("[pytest]\n", "utf-8")  # not the settings of the tree around it
    printed = run(inside, "-P", "-m", "pytest", "test_readme.py", cwd=environment)
    assert "3 passed" in printed, printed
    assert PROJECT["version"] in run(inside, "-P", "-m", "fakekafka", "--version", cwd=environment)


def types(wheel: Path, environment: Path) -> None:
    """What type checkers say about a test that uses the package."""
    inside = _environment(sys.executable, environment)
    _install(inside, wheel, "pytest", "mypy", "pyright")
    (environment / "test_typed.py").write_text(TYPED, "utf-8")
    run(inside, "-m", "mypy", "--strict", "test_typed.py", cwd=environment)
    print("ok          mypy --strict of a test that uses it")
    (environment / "pyrightconfig.json").write_text('{"typeCheckingMode": "strict", "include": ["test_typed.py"]}')
    run(inside, "-m", "pyright", "--pythonpath", inside, cwd=environment)
    print("ok          pyright, strict, of the same")


def _environment(python: str, path: Path) -> Path:
    run(sys.executable, "-m", "uv", "venv", "-q", "--python", python, path)
    return path / ("Scripts" if sys.platform == "win32" else "bin") / "python"


def _install(python: Path, *packages: "Path | str") -> None:
    run(sys.executable, "-m", "uv", "pip", "install", "-q", "--python", python, *packages)


def run(*command: "Path | str", cwd: Path | None = None) -> str:
    """What a command prints. If the command fails, the program ends with that output."""
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    done = subprocess.run(
        list(map(str, command)), cwd=cwd, env=environment, capture_output=True, text=True, encoding="utf-8"
    )
    if done.returncode:
        sys.exit(f"FAILED      {' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


if __name__ == "__main__":
    main()
