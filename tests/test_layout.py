"""The layout: where tests stand, how long files may be, and words that the tree does without."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parent.parent
SOURCES: Final = ROOT / "emulator" / "fakekafka"
TESTS: Final = ROOT / "tests" / "emulator"
CODE: Final = ("emulator", "fixtures", "compat", "pipeline", "demo", "tests")

MAX_LINES: Final = 700
"""No file is longer. One that is longer than 400 lines says at its top what holds it together."""
MAX_FUNCTION_LINES: Final = 100
"""About ten is usual. The two longest are loops of `records/hot.py`, which says why."""
TESTED_BY_USERS_LINES: Final = 60
"""A module as short as this may be tested through those that use it."""

TESTED_TOGETHER: Final = {
    "jvm/re2": "jvm/test_re2.py",
    **dict.fromkeys(
        (
            f"bugs/shelf/{part}"
            for part in (
                "compaction",
                "compression",
                "fetch",
                "groups",
                "negotiation",
                "produce",
                "segments",
                "timestamps",
                "transactions",
            )
        ),
        "bugs/test_stories.py",
    ),
    "wire/apis": "wire/test_apis.py",
    "wire/internal": "../test_tables.py",
    "releases/behaviours": "releases/behaviours/test_areas.py",
    "releases/configs": "releases/configs/test_tables.py",
    "releases/history": "releases/history/test_history.py",
    "admin": "../golden/test_recordings.py",
    "cluster/topic_creation": "../golden/test_recordings.py",
    "handlers": "../golden/test_recordings.py",
    "handlers/rights": "../golden/test_recordings.py",
}
"""Packages of many alike modules, and the test that goes through all of them."""

TESTED_ELSEWHERE: Final = {
    "cluster/broker.py": "test_emulator.py",
    "security/rule_words.py": "security/test_authorizer.py",
    "security/tls.py": "security/test_real_clients.py",
    "server/channel.py": "server/test_tcp.py",
    "server/encrypted_channel.py": "security/test_real_clients.py",
    "server/throttling.py": "security/test_quotas.py",
    "server/tls_socket.py": "security/test_real_clients.py",
    "tls.py": "security/test_real_clients.py",
    "security/sasl/mechanism.py": "security/sasl/test_authentication.py",
    "server/logins.py": "security/sasl/test_authentication.py",
    "log/findings.py": "log/test_check.py",
    "storage/host.py": "storage/test_log_manager.py",
}

OWN_TESTS: Final = (
    re.compile(r"(^|/)test_(recorded|real_clients|configs)\.py$"),
    re.compile(r"^log/test_(log_model|crashes|crash_model|flipped_bytes)\.py$"),
    re.compile(r"^cli/test_main\.py$"),
    re.compile(r"^test_(public_names|random_runs)\.py$"),
    re.compile(r"^wire/test_kafka_python\.py$"),
    re.compile(r"^server/test_(fairness|large_fetches|processes)\.py$"),
)
"""Tests of something larger than a module."""

UNWANTED: Final = {
    "a name that says nothing": re.compile(r"\b(utils?|helpers?|misc|common)\.py\b"),
    "a note to oneself": re.compile(r"\b(TODO|FIXME|XXX|HACK)\b"),
    "a path of some machine": re.compile(r"(?<![\w.])/(work|home|root|Users)/\w"),
    "a registry's address": re.compile(r"(pypi|files\.pythonhosted|repo1?\.maven|registry\.npmjs)\.(org|com|apache)"),
}


def python_files() -> list[Path]:
    return sorted(
        path
        for folder in CODE
        for path in (ROOT / folder).rglob("*.py")
        if not {".tox", ".venv", "node_modules"} & set(path.parts)
    )


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


def test_every_module_has_its_test_at_the_same_place() -> None:
    missing = []
    for path in SOURCES.rglob("*.py"):
        place = path.relative_to(SOURCES)
        together = TESTED_TOGETHER.get(str(place.parent))
        wanted = TESTS / (TESTED_ELSEWHERE.get(str(place)) or together or place.parent / f"test_{place.name}")
        short = len(path.read_text("utf-8").splitlines()) <= TESTED_BY_USERS_LINES
        if not short and not place.name.startswith("__") and not wanted.exists():
            missing.append(str(place))
    assert sorted(missing) == []


def test_every_test_has_a_module_at_the_same_place() -> None:
    together = set(TESTED_TOGETHER.values())
    lost = []
    for path in TESTS.rglob("test_*.py"):
        place = path.relative_to(TESTS)
        module = SOURCES / place.parent / place.name.removeprefix("test_")
        known = str(place) in together or any(own.search(str(place)) for own in OWN_TESTS)
        if not module.exists() and not module.with_suffix("").is_dir() and not known:
            lost.append(str(place))
    assert lost == []


def test_files_and_functions_are_short() -> None:
    long = []
    for path in python_files():
        text = path.read_text("utf-8")
        if (lines := len(text.splitlines())) > MAX_LINES:
            long.append(f"{name_of(path)}: {lines} lines")
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                lines = (node.end_lineno or 0) - node.lineno + 1
                if lines > MAX_FUNCTION_LINES:
                    long.append(f"{name_of(path)}: {node.name} has {lines} lines")
    assert long == []


def test_every_module_says_what_it_holds() -> None:
    modules = (path for path in python_files() if not path.is_relative_to(ROOT / "tests"))
    trees = {name_of(path): ast.parse(path.read_text("utf-8")) for path in modules}
    assert [name for name, tree in trees.items() if tree.body and not ast.get_docstring(tree)] == []


def texts() -> Iterator[Path]:
    yield from (path for path in python_files() if path != Path(__file__))
    yield from sorted(ROOT.glob("[!.]*.*"))
    yield from sorted(path for folder in CODE for path in (ROOT / folder).rglob("*.md"))


def test_the_tree_does_without_some_words() -> None:
    found = [
        f"{name_of(path)}: {what}: {match.group()}"
        for path in texts()
        if path.is_file()
        for what, words in UNWANTED.items()
        if (match := words.search(f"{path.name}\n{path.read_text('utf-8')}"))
    ]
    assert found == []


def test_no_test_sleeps() -> None:
    sleep = re.compile(r"\b(time|asyncio)\.sleep\((?!0\))")
    tests = (path for path in python_files() if path.is_relative_to(ROOT / "tests") and path != Path(__file__))
    assert [
        name_of(path) for path in tests if "benchmarks" not in path.parts and sleep.search(path.read_text("utf-8"))
    ] == []
