"""What Windows and macOS lack, or do differently, is not used, or only where it exists. Neither was tried.

What other systems do is simulated: files in `test_files_as_on_windows.py`; names, terminals and missing parts of
modules here. What stays unproven is in docs/reference/installing.md.
"""

import ast
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from fakekafka import FakeKafka
from fakekafka.cli.events import ENDING
from fakekafka.log import files

ROOT: Final = Path(__file__).parents[1]
PACKAGES: Final = ("emulator/fakekafka", "fixtures/pytest_fakekafka", "compat/fakekafka_compat", "pipeline")
MODULES: Final = frozenset({"fcntl", "grp", "pty", "pwd", "resource", "syslog", "termios", "tty"})
"""Modules that Windows does not have."""
NAMES: Final = frozenset(
    {
        "AF_UNIX", "MSG_DONTWAIT", "MSG_NOSIGNAL", "SO_REUSEPORT", "SIGALRM", "SIGHUP", "SIGKILL", "SIGUSR1", "SIGUSR2",
        "chown", "epoll", "fchmod", "fdatasync", "fork", "getegid", "geteuid", "getgid", "getloadavg", "getpgid",
        "getuid",
        "killpg", "kqueue", "mkfifo", "poll", "pread", "preadv", "pwrite", "pwritev", "sched_getaffinity", "sendfile",
        "setsid", "statvfs", "sysconf", "uname",
    }
)  # fmt: skip
"""Functions and constants that Windows, or macOS, does not have."""
SYSTEM: Final = ("os", "select", "selectors", "signal", "socket")
"""The modules that these names belong to."""
OTHERWISE: Final = frozenset({"SO_REUSEADDR", "fsync", "rename"})
"""Names with another meaning there: on Windows two programs may share a port, and a rename does not replace a file."""
USED: Final = {
    "emulator/fakekafka/control/http_server.py": {"SO_REUSEADDR"},
    "emulator/fakekafka/log/files.py": {"fcntl", "pread", "pwrite", "rename"},
    "emulator/fakekafka/rehearsal/client_commands.py": {"SIGKILL", "killpg"},
    "emulator/fakekafka/server/tcp.py": {"SO_REUSEADDR"},
    "compat/fakekafka_compat/environments/making.py": {"fcntl"},
    "pipeline/fakekafka_spark/source/journal.py": {"fcntl", "fsync"},
}
"""The files that use such names, each with a guard."""
CONDITION: Final = re.compile(r"hasattr\(os, '(?:killpg|pread)'\)|sys\.platform != 'win32'|POSITIONED")
"""A condition that holds only where the guarded name exists."""
BLOCKS: Final = ("body", "orelse", "finalbody")
TERMINAL: Final = "cp1252"
"""The encoding of a pipe on Windows in western Europe, which has no arrows."""


def sources() -> Iterator[tuple[str, str]]:
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            yield path.relative_to(ROOT).as_posix(), path.read_text("utf-8")


def used_in(text: str) -> set[str]:
    """The names in a module that other systems lack or treat differently: imports, or attributes of a module."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            found |= MODULES & {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= MODULES & {str(node.module)}
            found |= (
                NAMES & {alias.name for alias in node.names} if node.module in ("os", "signal", "socket") else set()
            )
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in SYSTEM:
            found |= (NAMES | OTHERWISE) & {node.attr}
    return found


def test_what_other_systems_lack_is_used_only_where_it_is_guarded() -> None:
    assert {path: names for path, text in sources() if (names := used_in(text))} == USED


def parents(tree: ast.AST) -> dict[ast.AST, ast.AST]:
    return {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}


def above(node: ast.AST, up: dict[ast.AST, ast.AST]) -> Iterator[tuple[ast.AST, ast.AST]]:
    """Each node above, with its child on the way."""
    while node in up:
        yield up[node], node
        node = up[node]


def is_chosen(node: ast.AST, up: dict[ast.AST, ast.AST]) -> bool:
    """Whether the way to the node leads through a condition, or past a return where the condition does not hold."""
    for parent, child in above(node, up):
        if isinstance(parent, ast.IfExp) and child is parent.body and holds(parent.test):
            return True
        if isinstance(parent, ast.If) and child in parent.body and holds(parent.test):
            return True
        for block in (getattr(parent, name, []) for name in BLOCKS):
            if isinstance(block, list) and child in block and any(map(leaves, block[: block.index(child)])):
                return True
    return False


def holds(test: ast.expr) -> bool:
    """Whether a condition is a guard, without "not", alone or with others."""
    parts = test.values if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) else [test]
    return any(CONDITION.fullmatch(ast.unparse(part)) for part in parts)


def leaves(statement: ast.AST) -> bool:
    """Whether a statement is `if not <condition>: … return`."""
    return (
        isinstance(statement, ast.If)
        and isinstance(statement.test, ast.UnaryOp)
        and isinstance(statement.test.op, ast.Not)
        and holds(statement.test.operand)
        and isinstance(statement.body[-1], ast.Return | ast.Raise)
    )


def is_tried(node: ast.AST, up: dict[ast.AST, ast.AST]) -> bool:
    """Whether the failure of an import is caught."""
    tries = [parent for parent, child in above(node, up) if isinstance(parent, ast.Try) and child in parent.body]
    caught = [ast.unparse(each.type) for one in tries for each in one.handlers if each.type is not None]
    return any(name in ("ImportError", "ModuleNotFoundError") for name in caught)


def is_of_a_file(node: ast.AST, up: dict[ast.AST, ast.AST]) -> bool:
    """Whether `os.fsync` gets the descriptor of a file object: on Windows directories have none."""
    call = up[node]
    return isinstance(call, ast.Call) and re.fullmatch(r"\w+\.fileno\(\)", ast.unparse(call.args[0])) is not None


def is_closed_before(node: ast.AST, up: dict[ast.AST, ast.AST]) -> bool:
    """Whether a file is closed before it is renamed, in the same function, where open files cannot be renamed."""
    function = next(parent for parent, _ in above(node, up) if isinstance(parent, ast.FunctionDef))
    closing = [
        each.lineno
        for each in ast.walk(function)
        if isinstance(each, ast.If)
        and "not POSITIONED" in ast.unparse(each.test)
        and any(ast.unparse(line).endswith(".close()") for line in each.body)
    ]
    return bool(closing) and min(closing) < node.lineno  # type: ignore[attr-defined]


GUARDS: Final = {"fcntl": is_tried, "fsync": is_of_a_file, "rename": is_closed_before}
"""How a name is guarded, if not by a condition."""


def unguarded(text: str) -> set[str]:
    """The names of `used_in` that are used somewhere without their guard."""
    tree = ast.parse(text)
    up = parents(tree)
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom | ast.Attribute):
            names = used_in(ast.unparse(node))
            found |= {name for name in names if not GUARDS.get(name, is_chosen)(node, up)}
    return found


@pytest.mark.parametrize("path", USED)
def test_each_use_has_its_guard(path: str) -> None:
    assert unguarded((ROOT / path).read_text("utf-8")) == set()


@pytest.mark.parametrize(
    ("path", "guard", "instead", "missing"),
    [
        ("control/http_server.py", 'if sys.platform != "win32":', 'if sys.platform != "mars":', {"SO_REUSEADDR"}),
        ("server/tcp.py", 'if sys.platform != "win32":', 'if sys.platform == "win32":', {"SO_REUSEADDR"}),
        ("log/files.py", "os.pread if POSITIONED", "os.pread if not POSITIONED", {"pread"}),
        ("log/files.py", "os.pwrite if POSITIONED", "os.pwrite if not POSITIONED", {"pwrite"}),
        ("log/files.py", "except ImportError:", "except OSError:", {"fcntl"}),
        ("log/files.py", "if not POSITIONED and moved is not None:\n            moved.close()", "", {"rename"}),
        ("rehearsal/client_commands.py", 'if not hasattr(os, "killpg"):', "if not process:", {"killpg", "SIGKILL"}),
    ],
)
def test_a_use_without_its_guard_is_noticed(path: str, guard: str, instead: str, missing: set[str]) -> None:
    text = (ROOT / "emulator/fakekafka" / path).read_text("utf-8")
    assert unguarded(text.replace(guard, instead)) == missing


def test_a_directory_that_is_synced_is_noticed() -> None:
    text = (ROOT / "pipeline/fakekafka_spark/source/journal.py").read_text("utf-8")
    assert unguarded(text.replace("os.fsync(file.fileno())", "os.fsync(folder)")) == {"fsync"}


def test_no_unix_path_is_hard_coded() -> None:
    """The exceptions are `/proc`, which is used where it exists, and the defaults of Kafka's own properties."""
    for path, text in sources():
        if "/releases/configs/" in path:
            continue
        strings = [node.value for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Constant)]
        unix = [each for each in strings if isinstance(each, str) and re.match(r"/(dev|tmp|usr|bin|etc|var)/\w", each)]
        assert unix == [], path


def test_text_is_never_read_or_written_in_the_system_s_encoding() -> None:
    """`open`, `read_text`, `write_text` and pipes say which encoding they mean."""
    command = [sys.executable, "-W", "error::EncodingWarning", "-X", "warn_default_encoding", "-m", "fakekafka"]
    for arguments in (["doctor", "--port", "0"], ["plan", "0.10.2", "2.3"], ["explain", "--release", "2.3"]):
        done = subprocess.run([*command, *arguments], capture_output=True, text=True, encoding="utf-8", timeout=120)
        assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        ["releases"],
        ["explain", "--release", "2.3"],
        ["plan", "0.10.2", "2.3", "--why"],
        ["quirks"],
        ["bugs"],
        ["bugs", "run", "KAFKA-6739"],
        ["doctor", "--port", "0"],
        ["completion", "bash"],
    ],
    ids=" ".join,
)
def test_what_is_printed_can_be_printed_by_an_old_terminal(arguments: list[str]) -> None:
    environment = os.environ | {"PYTHONIOENCODING": f"{TERMINAL}:strict", "PYTHONUTF8": "0"}
    command = [sys.executable, "-m", "fakekafka", *arguments]
    done = subprocess.run(command, env=environment, capture_output=True, timeout=120)
    assert done.returncode == 0, done.stderr.decode(TERMINAL)


def test_serve_takes_only_signals_that_exist() -> None:
    """On Windows there is no SIGHUP."""
    program = (
        "import signal; del signal.SIGHUP; from fakekafka.cli.events import Events;"
        " Events().__enter__(); print(signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, encoding="utf-8", timeout=60)
    assert done.stdout == "True\n", done.stderr
    assert "SIGHUP" in ENDING


def test_a_broker_serves_without_what_windows_lacks() -> None:
    """It runs in a process whose modules lack the names, and in which those modules cannot be imported."""
    program = f"""
import _socket
del _socket.socketpair, _socket.AF_UNIX  # then `socket` makes pairs by loopback, as on Windows
import os, select, shutil, signal, socket, sys  # shutil looks at the platform when it is imported
for module in (os, select, signal, socket):
    for name in {sorted(NAMES)!r}:
        if hasattr(module, name):
            delattr(module, name)
for name in {sorted(MODULES)!r}:
    sys.modules[name] = None
sys.platform = "win32"
import selectors
selectors.DefaultSelector = selectors.SelectSelector
from tempfile import TemporaryDirectory
from fakekafka import FakeKafka
with TemporaryDirectory() as folder, FakeKafka("2.3", topics={{"orders": 1}}, log_dir=folder) as kafka:
    kafka.send("orders", b"two apples")
    kafka.restart()
    with socket.create_connection((kafka.host, kafka.port)) as client:
        client.sendall(bytes.fromhex("0000000a 0012 0000 00000007 ffff"))
        assert client.recv(4)
    print([record.value for record in kafka.records("orders")])
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, encoding="utf-8", timeout=60)
    assert done.stdout == "[b'two apples']\n", done.stderr


# ---- names that differ in case only


def test_a_case_sensitive_disk_keeps_both_topics(tmp_path: Path) -> None:
    if files._ignores_case(tmp_path):
        pytest.skip("this disk does not")
    with FakeKafka(log_dir=tmp_path, topics={"orders": 1, "Orders": 1}) as kafka:
        kafka.send("orders", b"two apples")
        assert kafka.records("Orders") == []


def test_the_directory_itself_shows_whether_a_disk_is_case_sensitive(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A directory below "/" whose path has no letters looks the same in both cases."""
    (tmp_path / "probe").touch()
    if (tmp_path / "PROBE").exists():
        pytest.skip("this disk does not tell cases apart")
    monkeypatch.setattr(Path, "resolve", lambda path: Path("/"))
    assert not files._ignores_case(tmp_path)
    assert [entry.name for entry in tmp_path.iterdir()] == ["probe"]


def test_on_a_case_insensitive_disk_a_second_topic_cannot_get_the_files_of_the_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "_ignores_case", lambda path: True)
    directory = files.DiskDirectory(tmp_path)
    directory.directory("orders-0")
    with pytest.raises(FileExistsError, match="does not tell it from orders-0"):
        directory.directory("Orders-0")
    assert directory.directory("orders-0").exists("00000000000000000000.log") is False
    assert files.DiskDirectory(tmp_path).directory("orders-0").names() == []  # after a restart it is found again


def test_the_names_of_files_differ_by_more_than_their_case() -> None:
    from fakekafka.log import names

    found = [value for name, value in vars(names).items() if name.isupper() and isinstance(value, str)]
    assert len({value.lower() for value in found}) == len(set(found))


def test_python_modules_differ_by_more_than_their_case() -> None:
    for package in PACKAGES:
        paths = [path.relative_to(ROOT).as_posix() for path in (ROOT / package).rglob("*.py")]
        assert len({path.lower() for path in paths}) == len(paths)


def test_every_file_of_the_tree_can_have_its_name_on_windows() -> None:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, encoding="utf-8", timeout=60)
    if listed.returncode:
        pytest.skip("this is no work tree")
    paths = listed.stdout.splitlines()
    assert len({path.lower() for path in paths}) == len(paths)
    assert [path for path in paths if re.search(r'[<>:"|?*\\]|[. ](?:/|$)', path)] == []
    reserved = re.compile(r"(?:^|/)(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|/|$)", re.IGNORECASE)
    assert [path for path in paths if reserved.search(path)] == []
