"""Environments of Python clients: by uv if it is on the path, otherwise by venv and pip.

A client needs no environment if its exact version is installed where this runs.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final

from fakekafka_compat.environments.making import PATIENCE_S, NoEnvironment, made_once, place_of, run
from fakekafka_compat.table import Client

THIS: Final = "this"
"""The value of a client's Python that means the interpreter that runs this tool."""


def command(client: Client, cache: Path) -> list[str]:
    """The client's Python, and its driver. Raises `NoEnvironment`."""
    return [str(_interpreter(client, cache)), str(client.driver)]


def install(python: str, *more: str) -> None:
    """Run pip with these arguments. Raises `NoEnvironment`."""
    uv = shutil.which("uv")
    if uv:
        run([uv, "pip", "install", "--quiet", "--python", python, *more])
    else:
        run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *more])


def _interpreter(client: Client, cache: Path) -> Path:
    if client.runtime == THIS or _is_installed_here(client):
        return Path(sys.executable)
    place = place_of(client, f"python{client.runtime}", cache)
    return _python_of(made_once(place, partial(_make, client)))


def _is_installed_here(client: Client) -> bool:
    try:
        return version(client.library) == client.version
    except PackageNotFoundError:
        return False


def _make(client: Client, aside: Path) -> None:
    base = _base(client.runtime)
    uv = shutil.which("uv")
    if uv:
        run([uv, "venv", "--quiet", "--allow-existing", "--python", base, str(aside)])
    else:
        run([base, "-m", "venv", str(aside)])
    install(str(_python_of(aside)), *client.packages)


def _base(wanted: str) -> str:
    """An interpreter of that version: from the path, or one of pyenv's. A shim on the path may fail to start an
    interpreter.
    """
    for candidate in _candidates(wanted):
        try:
            subprocess.run([candidate, "-c", ""], check=True, capture_output=True, timeout=PATIENCE_S)
        except (OSError, subprocess.SubprocessError):
            continue
        return candidate
    raise NoEnvironment(f"there is no Python {wanted}")


def _candidates(wanted: str) -> Iterator[str]:
    if wanted == f"{sys.version_info.major}.{sys.version_info.minor}":
        yield sys.executable
    on_path = shutil.which(f"python{wanted}")
    if on_path:
        yield on_path
    versions = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv") / "versions"
    yield from (str(path) for path in versions.glob(f"{wanted}.*/bin/python"))


def _python_of(place: Path) -> Path:
    return place / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
