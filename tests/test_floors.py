"""The floors: a module imports only from the floors below, and from its own room; no two files import each other.

All imports count: those at the top, those in functions, and those for type checkers.
"""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).parent.parent
SOURCES: Final = ROOT / "emulator" / "fakekafka"

FLOORS: Final[tuple[frozenset[str], ...]] = (
    frozenset({"compiled", "error_pages"}),
    frozenset({"ids", "errors"}),
    frozenset({"binary", "clock", "escaping", "jvm", "pieces", "waiting"}),
    frozenset({"aside"}),
    frozenset({"wire", "releases"}),
    frozenset({"records"}),
    frozenset({"log", "pace", "plugins", "security"}),
    frozenset({"state"}),
    frozenset({"storage"}),
    frozenset({"cluster"}),
    frozenset({"coordinators"}),
    frozenset({"admin", "drafts", "inspection"}),
    frozenset({"handlers"}),
    frozenset({"faults"}),
    frozenset({"server"}),
    frozenset({"client_tokens"}),
    frozenset({"client_configs", "settings"}),
    frozenset({"watching"}),
    frozenset({"overview", "texts", "upgrade"}),
    frozenset({"impatience"}),
    frozenset({"runtime"}),
    frozenset({"handle"}),
    frozenset({"emulator", "strategies"}),
    frozenset({"bugs", "control"}),
    frozenset({"advice", "rehearsal", "remote"}),
    frozenset({"cli", "__init__"}),
    frozenset({"__main__"}),
)
"""The floors, lowest first. A name is a room (a package of fakekafka) or a module at its top."""
FLOOR_OF: Final = {name: n for n, floor in enumerate(FLOORS) for name in floor}

MUST_NOT_IMPORT: Final = {"records": {"wire"}, "log": {"wire"}}
"""Neighbours that may not see everything below them."""

DOORS: Final[Mapping[str, frozenset[str]]] = {
    "fixtures": frozenset({"bugs", "error_pages"}),
    "docs": frozenset({"cli", "faults", "handlers", "ids", "releases", "remote", "settings", "texts"}),
    "demo": frozenset({"client_configs"}),
    "compat": frozenset({"bugs", "client_configs", "escaping", "ids", "records", "releases", "texts", "wire"}),
    "pipeline": frozenset(
        {"binary", "clock", "errors", "escaping", "ids", "inspection", "log", "plugins", "records", "releases"}
    ),
}
"""The rooms from which the packages beside the emulator import, apart from the public names of `fakekafka`."""

ONLY_PLACE: Final = {
    "time": {"clock.py"},
    "socket": {"server/tcp.py", "control/http_server.py"},
    "selectors": {"server/tcp.py"},
    "threading": {"server/tcp.py", "control/http_server.py", "control/answering.py"},
    "http": {"control/http_server.py", "remote/client.py"},
}
"""Modules that only these files may import."""


OWN_THREADS: Final = ("aside.py", "settings/oauth_server.py", "security/sasl/jwks.py")
"""Files with threads that change no broker's state: work on values of its own; the keys of token issuers over HTTP."""


class Import(NamedTuple):
    """Something that a file imports: `fakekafka.ids.ApiKey`, or a whole module."""

    path: Path
    line: int
    name: str

    @property
    def room(self) -> str | None:
        """The room or top module of the emulator that the import comes from; None if it is a public name, or not
        ours.
        """
        parts = self.name.split(".")
        own = parts[0] == "fakekafka" and len(parts) > 1 and parts[1] in FLOOR_OF
        return parts[1] if own else None

    def __str__(self) -> str:
        return f"{self.path.relative_to(ROOT)}:{self.line} imports {self.name}"


@cache
def imports_under(folder: Path) -> tuple[Import, ...]:
    return tuple(found for path in sorted(folder.rglob("*.py")) for found in imports_of(path))


def imports_of(path: Path) -> Iterator[Import]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (Import(path, node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            yield from (Import(path, node.lineno, f"{node.module}.{alias.name}") for alias in node.names)


def own_room(path: Path) -> str:
    return path.relative_to(SOURCES).parts[0].removesuffix(".py")


def test_every_room_stands_on_a_floor() -> None:
    rooms = {path.name.removesuffix(".py") for path in SOURCES.iterdir() if path.suffix == ".py" or is_package(path)}
    assert rooms == FLOOR_OF.keys()


def is_package(path: Path) -> bool:
    return (path / "__init__.py").exists()


def test_imports_go_down() -> None:
    up = []
    for found in imports_under(SOURCES):
        own, other = own_room(found.path), found.room
        if other not in (None, own) and (FLOOR_OF[other] >= FLOOR_OF[own] or other in MUST_NOT_IMPORT.get(own, ())):
            up.append(str(found))
    assert up == []


def test_no_two_files_import_each_other() -> None:
    assert circles(file_graph()) == []


def file_graph() -> dict[str, set[str]]:
    """Which files of the emulator import which."""
    modules = {module_name(path) for path in SOURCES.rglob("*.py")}
    graph: dict[str, set[str]] = defaultdict(set)
    for found in imports_under(SOURCES):
        name = found.name if found.name in modules else found.name.rpartition(".")[0]
        if name in modules:
            graph[module_name(found.path)].add(name)
    return graph


def module_name(path: Path) -> str:
    parts = path.relative_to(SOURCES.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def circles(graph: Mapping[str, set[str]]) -> list[list[str]]:
    """What is left after repeatedly removing files that import nothing, or that nothing imports."""
    left = {name: set(imported) - {name} for name, imported in graph.items()}
    while True:
        imported = set().union(*left.values())
        outer = {name for name, below in left.items() if not below & left.keys() or name not in imported}
        if not outer:
            return [sorted(left)] if left else []
        left = {name: below - outer for name, below in left.items() if name not in outer}


def test_a_circle_is_found_without_the_files_beside_it() -> None:
    assert circles({"a": {"b"}, "b": {"a"}, "above": {"a"}, "below": set()}) == [["a", "b"]]
    assert circles({"a": {"b"}, "b": {"c"}, "c": set()}) == []


def test_packages_beside_the_emulator_use_only_their_doors() -> None:
    beside = {path.name for path in ROOT.iterdir() if any(path.rglob("*.py")) and not path.name.startswith(".")}
    assert beside - {"emulator", "tests"} == DOORS.keys()
    found = [one for package in DOORS for one in imports_under(ROOT / package)]
    assert [str(one) for one in found if one.room not in {None, *doors_of(one.path)}] == []


def doors_of(path: Path) -> frozenset[str]:
    return DOORS[path.relative_to(ROOT).parts[0]]


def test_no_door_is_unused() -> None:
    used = {package: {one.room for one in imports_under(ROOT / package)} - {None} for package in DOORS}
    assert used == DOORS


def test_clock_disk_and_network_are_each_used_in_one_place() -> None:
    places = [(one, ONLY_PLACE.get(one.name.split(".")[0])) for one in imports_under(SOURCES)]
    wrong = [one for one, allowed in places if allowed and one.path.relative_to(SOURCES).as_posix() not in allowed]
    assert [str(one) for one in wrong if one.path.relative_to(SOURCES).as_posix() not in OWN_THREADS] == []


def test_only_releases_compare_modes_and_releases() -> None:
    """Others ask for a consequence: a named behaviour, or what `Profile` says about itself. Only the museum of bugs
    knows the releases between which each bug existed.
    """
    comparison = re.compile(r"\bmode\s*([=!]=|(not )?in\s*[({\[])|\brelease\s*(<|>|[=!]=)|decided_by")
    found = [
        f"{path.relative_to(ROOT)}:{n}: {line.strip()}"
        for path in sorted(SOURCES.rglob("*.py"))
        if own_room(path) not in ("releases", "bugs")
        for n, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if comparison.search(line)
    ]
    assert found == []


def test_every_behaviour_is_asked_for() -> None:
    """A dated behaviour that no code asks for is a claim that nothing plays."""
    asked = {
        node.attr
        for path in SOURCES.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Attribute)
    }
    dated = {
        (path.name, node.target.id)
        for path in (SOURCES / "releases" / "behaviours").glob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and is_dated(node)
    }
    assert {name for name in dated if name[1] not in asked} == set()


def is_dated(node: ast.AnnAssign) -> bool:
    return isinstance(node.value, ast.Call) and getattr(node.value.func, "id", None) == "history"
