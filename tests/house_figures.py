"""The house in figures: its size, its longest chain of imports, and how many functions a request passes.

    python -m tests.house_figures                of this tree
    python -m tests.house_figures ../older-tree  of another one, beside this

All figures but the sizes are counted in a separate process, with that tree's package.
"""

import argparse
import ast
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parent.parent
PACKAGE: Final = "fakekafka"
STARTED: Final = """
import sys
from fakekafka import FakeKafka
FakeKafka().start().stop()
print(sum(name.startswith("fakekafka") for name in sys.modules), len(sys.modules))
"""
PASSED: Final = """
import json, sys
from pathlib import Path
import fakekafka
from fakekafka import FakeKafka
from fakekafka.records import v1
from fakekafka.records.record import Record
from fakekafka.wire.apis.consumer_group_heartbeat import ConsumerGroupHeartbeatRequest
from fakekafka.wire.apis.find_coordinator import FindCoordinatorRequest
from fakekafka.wire.apis.produce import PartitionProduceData, ProduceRequest, TopicProduceData
from fakekafka.wire.frames import request_frame

sources = str(Path(fakekafka.__file__).parent)

def passed(client, message, version):
    frame, count = request_frame(message, version, 1, "c"), 0
    def note(code_frame, event, _):
        nonlocal count
        code = code_frame.f_code
        is_inline = code.co_name in ("<genexpr>", "<listcomp>", "<setcomp>", "<dictcomp>")  # calls up to Python 3.11
        count += event == "call" and not is_inline and code.co_filename.startswith(sources)
    sys.setprofile(note)
    client.send(frame)
    sys.setprofile(None)
    return count

def produce():
    data = v1.build([Record(n, 1_600_000_000_000, 0, b"k", b"v") for n in range(2)])
    topics = [TopicProduceData(name="t", partition_data=[PartitionProduceData(index=0, records=data)])]
    return ProduceRequest(acks=1, timeout_ms=1000, topic_data=topics)

def join(member, epoch=0):
    if epoch:
        return ConsumerGroupHeartbeatRequest(group_id="g", member_id=member, member_epoch=epoch)
    return ConsumerGroupHeartbeatRequest(
        group_id="g", member_id=member, rebalance_timeout_ms=60_000, subscribed_topic_names=["t"], topic_partitions=[])

client = FakeKafka("0.10.2", topics={"t": 1}).boot().connect()
passed(client, produce(), 2)
figures = {"functions passed by Produce v2 at 0.10.2": passed(client, produce(), 2)}
client = FakeKafka("4.3", topics={"t": 2}).boot().connect()
client.send(request_frame(FindCoordinatorRequest(coordinator_keys=["g"]), 4, 1, "c"))
passed(client, join("first"), 1)
passed(client, join("first", 1), 1)
beat = "functions passed by ConsumerGroupHeartbeat v1 at 4.3, "
figures[beat + "steady"] = passed(client, join("first", 1), 1)
figures[beat + "a second member joins"] = passed(client, join("second"), 1)
print(json.dumps(figures))
"""


def figures(tree: Path) -> dict[str, int]:
    """Each figure of a tree by its name."""
    files = sources(tree)
    lines = sum(len(path.read_text("utf-8").splitlines()) for path in files.values())
    graph = imports(files)
    ours, all_modules = map(int, run(tree, STARTED).split())
    return {
        "files of the emulator": len(files),
        "lines of the emulator": lines,
        "modules in the longest chain of imports, for types too": longest_chain(graph),
        "modules in the largest circle of imports": max(map(len, circles(graph).values())),
        **json.loads(run(tree, PASSED)),
        "modules of ours when a broker has started": ours,
        "modules, all, when a broker has started": all_modules,
    }


def sources(tree: Path) -> dict[str, Path]:
    """The modules of a tree's emulator by name."""
    home = tree / "emulator"
    named = ((path.relative_to(home).with_suffix("").parts, path) for path in home.rglob("*.py"))
    return {".".join(parts[:-1] if parts[-1] == "__init__" else parts): path for parts, path in named}


def imports(files: dict[str, Path]) -> dict[str, set[str]]:
    """Which other modules each module imports, including imports for type checkers and inside functions."""
    graph: dict[str, set[str]] = {}
    for name, path in files.items():
        nodes = ast.walk(ast.parse(path.read_text("utf-8")))
        wanted = (next((each for each in names if each in files), name) for node in nodes for names in _imported(node))
        graph[name] = set(wanted) - {name}
    return graph


def _imported(node: ast.AST) -> Iterator[tuple[str, ...]]:
    """What each name of an import may stand for: a module, or something in a module."""
    if isinstance(node, ast.ImportFrom) and node.module:
        yield from ((f"{node.module}.{alias.name}", node.module) for alias in node.names)
    elif isinstance(node, ast.Import):
        yield from ((alias.name,) for alias in node.names)


def longest_chain(graph: dict[str, set[str]]) -> int:
    """The number of modules in the longest chain in which each imports the next. A circle counts as one."""
    circle_of = circles(graph)

    @cache
    def length(module: str) -> int:
        circle = circle_of[module]
        others = {to for each in circle for to in graph[each]} - circle
        return 1 + max(map(length, others), default=0)

    return max(map(length, graph))


def circles(graph: dict[str, set[str]]) -> dict[str, set[str]]:
    """For each module the circle that it is in: itself, and all modules that both import it and are imported by it,
    however indirectly.
    """
    far = {module: reached(graph, module) for module in graph}
    return {module: {module, *(each for each in far[module] if module in far[each])} for module in graph}


def reached(graph: dict[str, set[str]], module: str) -> set[str]:
    """Everything that a module imports, directly or indirectly."""
    known: set[str] = set()
    ahead = [module]
    while ahead:
        new = graph[ahead.pop()] - known
        known |= new
        ahead += new
    return known


def run(tree: Path, program: str) -> str:
    """The output of a program that uses the package of a tree."""
    environment = {**os.environ, "PYTHONPATH": str(tree / "emulator")}
    command = [sys.executable, "-c", program]
    return subprocess.run(command, env=environment, capture_output=True, text=True, encoding="utf-8", check=True).stdout


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trees", nargs="*", type=Path, metavar="TREE", help="trees to set before this one")
    trees = [*parser.parse_args().trees, ROOT]
    by_tree = [figures(tree.resolve()) for tree in trees]
    print(f"| figure | {' | '.join(tree.name or str(tree) for tree in trees)} |\n|---|{'--:|' * len(trees)}")
    for name in by_tree[-1]:
        print(f"| {name} | {' | '.join(f'{one[name]:,}' for one in by_tree)} |")


if __name__ == "__main__":
    main()
