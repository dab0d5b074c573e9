"""The floors: a module imports only from floors below its own, and from its own package."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SOURCES = ROOT / "emulator" / "fakekafka"

# Lowest first. A name is a package of fakekafka or a module at its top.
FLOORS: tuple[frozenset[str], ...] = (
    frozenset({"ids", "errors"}),
    frozenset({"binary", "clock", "jvm", "pieces", "waiting"}),
    frozenset({"wire", "records", "releases"}),
    frozenset({"log"}),
    frozenset({"state", "storage", "cluster", "coordinators", "admin", "inspection"}),
    frozenset({"handlers"}),
    frozenset({"server"}),
    frozenset({"broker_settings", "caps", "client_configs", "partitioner", "release_table", "unknown_configs"}),
    frozenset({"blueprint"}),
    frozenset({"assembly", "stored", "summary"}),
    frozenset({"broker_changes", "explanation", "upgrade"}),
    frozenset({"emulator"}),
    frozenset({"bugs"}),
    frozenset({"cli", "__init__"}),
    frozenset({"__main__"}),
)
ROOMS_OF_BROKERS = frozenset({"state", "storage", "cluster", "coordinators", "admin"})
FLOOR_OF = {name: n for n, floor in enumerate(FLOORS) for name in floor}

# Some neighbours on one floor may not see everything below either.
MUST_NOT_IMPORT = {"log": {"wire"}}

ONLY_PLACE = {
    "time": "clock.py",
    "socket": "server/tcp.py",
    "selectors": "server/tcp.py",
    "threading": "server/tcp.py",
}
"""Modules that exactly one file may import."""


def modules() -> list[Path]:
    return sorted(SOURCES.rglob("*.py"))


def name_of(path: Path) -> str:
    return str(path.relative_to(SOURCES))


def imported(tree: ast.Module) -> Iterator[str]:
    """Full names of all modules imported anywhere in the file, except for type checking."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            assert node.module is not None
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def home(module: str) -> str | None:
    """The package or top module of fakekafka that `module` belongs to."""
    parts = module.split(".")
    return parts[1] if parts[0] == "fakekafka" and len(parts) > 1 else None


@pytest.mark.parametrize("path", modules(), ids=name_of)
def test_imports_go_down(path: Path) -> None:
    own = path.relative_to(SOURCES).parts[0].removesuffix(".py")
    for module in imported(ast.parse(path.read_text("utf-8"))):
        other = home(module)
        if other is None or other == own or {own, other} <= ROOMS_OF_BROKERS:
            continue
        assert other in FLOOR_OF, f"{module} stands on no floor"
        assert FLOOR_OF[other] < FLOOR_OF[own], f"{name_of(path)} imports {module}, which is not below it"
        assert other not in MUST_NOT_IMPORT.get(own, ()), f"{name_of(path)} must not import {module}"


@pytest.mark.parametrize("path", modules(), ids=name_of)
def test_clock_disk_and_network_have_one_place_each(path: Path) -> None:
    for module in imported(ast.parse(path.read_text("utf-8"))):
        place = ONLY_PLACE.get(module.split(".")[0])
        assert place in (None, name_of(path)), f"{module} belongs into {place}"


def test_every_module_stands_on_a_floor() -> None:
    tops = {p.name.removesuffix(".py") for p in SOURCES.iterdir() if p.suffix == ".py" or (p / "__init__.py").exists()}
    assert tops <= FLOOR_OF.keys()
