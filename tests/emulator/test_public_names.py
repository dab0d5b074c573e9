"""The public names: `fakekafka/__init__.py`."""

import ast
import subprocess
import sys
from pathlib import Path

import fakekafka
import pytest

NAMES = [
    "NEWEST", "BrokerSettings", "BrokerWillNotStart", "Clock", "CommittedOffset", "Conversion", "Difference", "Entry",
    "ErrorCode", "FakeKafka", "FakeKafkaError", "GroupState", "Leftover", "ManualClock", "Options", "Phase", "Release",
    "Requests", "Step", "StoredRecord", "SystemClock", "TransactionState", "Upgrade", "UsageError",
]  # fmt: skip
"""Whoever changes this list changes what users may rely on."""


def test_these_names_are_public() -> None:
    assert fakekafka.__all__ == NAMES
    assert dir(fakekafka) == sorted(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_a_public_name_can_be_imported(name: str) -> None:
    found = getattr(fakekafka, name)
    assert getattr(found, "__name__", name) == name
    assert getattr(found, "__module__", "fakekafka").startswith("fakekafka")


def test_type_checkers_see_the_same_names_as_the_interpreter() -> None:
    """Which name comes from which module is stated twice, once for each kind of reader."""
    assert fakekafka.__file__ is not None
    branch = next(n for n in ast.parse(Path(fakekafka.__file__).read_text("utf-8")).body if isinstance(n, ast.If))
    said = {
        alias.name: statement.module
        for statement in branch.body
        if isinstance(statement, ast.ImportFrom)
        for alias in statement.names
    }
    assert said == {name: f"fakekafka.{module}" for name, module in fakekafka._HOME.items()}


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'Nonsense'"):
        fakekafka.Nonsense  # type: ignore[attr-defined]  # noqa: B018


def loaded_by(statement: str) -> set[str]:
    """Modules that a fresh interpreter loads for `statement`, beyond those of a bare start."""
    program = f"import sys; before = set(sys.modules); {statement}; print(*(sys.modules.keys() - before))"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, encoding="utf-8", check=True, timeout=60
    )
    return set(done.stdout.split())


def test_import_loads_no_other_module_of_the_package() -> None:
    assert {name for name in loaded_by("import fakekafka") if name.startswith("fakekafka")} == {"fakekafka"}


def test_naming_releases_loads_only_their_names() -> None:
    loaded = {name for name in loaded_by("from fakekafka import NEWEST, Release") if name.startswith("fakekafka")}
    assert loaded == {"fakekafka", "fakekafka.errors", "fakekafka.releases", "fakekafka.releases.release"}


def test_the_emulator_loads_nothing_heavy() -> None:
    loaded = loaded_by("from fakekafka import FakeKafka")
    codecs = {"lz4", "zstandard", "snappy", "crc32c"}
    assert not loaded & {"asyncio", "logging", "dataclasses", "inspect", "importlib.metadata", *codecs}


def test_a_start_imports_no_more_modules_than_it_needs() -> None:
    """What a plain broker does not need is loaded by its first use: each module costs every test run. The library of
    the compiled core does not count.
    """
    program = (
        "import sys; from fakekafka import FakeKafka; FakeKafka().start().stop();"
        " print(sum(name.startswith('fakekafka') and 'mypyc' not in name for name in sys.modules))"
    )
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert int(found.stdout) <= 213


def test_members_of_classic_groups_load_no_other_kind_of_group() -> None:
    loaded = loaded_by("from fakekafka.cli.warm_up import warm_up; warm_up('4.3')")
    assert "fakekafka.coordinators.groups.classic.joining" in loaded
    kinds = ("consumer", "share", "streams", "reloaded")
    others = tuple(f"fakekafka.coordinators.groups.{kind}" for kind in kinds)
    assert not {name for name in loaded if name.startswith((*others, "fakekafka.coordinators.share_partitions"))}
