"""Imports between packages: the emulator imports nothing from the pipeline, the parsers no Spark, and all import
little.
"""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def imported(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add(node.module or "")
    return found


def test_the_emulator_imports_nothing_from_the_pipeline() -> None:
    modules = [*(ROOT / "emulator").rglob("*.py"), *(ROOT / "fixtures").rglob("*.py")]
    foreign = {name for path in modules for name in imported(path) if name.startswith(("fakekafka_spark", "pyspark"))}
    assert foreign == set()


def test_the_pipeline_uses_only_formats_logs_their_checks_and_releases_of_the_emulator() -> None:
    allowed = {"binary", "clock", "errors", "escaping", "ids", "inspection", "log", "plugins", "records", "releases"}
    names = {name for path in (ROOT / "pipeline").rglob("*.py") for name in imported(path)}
    assert {name.split(".")[1] for name in names if name.startswith("fakekafka.")} <= allowed


@pytest.mark.parametrize("module", ["fakekafka_spark.columns", "fakekafka_spark.observations"])
def test_what_works_without_spark_does_not_import_it(module: str) -> None:
    loaded(module, without=("pyspark",))


@pytest.mark.parametrize("module", ["pyspark_fakekafka", "fakekafka_spark.observations"])
def test_what_every_user_imports_loads_nothing_heavy(module: str) -> None:
    loaded(module, without=("numpy", "pyarrow", "pandas"))


def loaded(module: str, without: tuple[str, ...]) -> None:
    code = f"import sys, {module}; print([name for name in {without!r} if name in sys.modules])"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, encoding="utf-8", check=True)
    assert said.stdout == "[]\n"
