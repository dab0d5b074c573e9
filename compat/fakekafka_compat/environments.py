"""An environment for each client: made once, kept in a cache, and shared by runs side by side.

A client whose exact version is installed where this runs needs none. An environment is made aside and then moved to
its place in one step, so that one which is there is whole.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from tempfile import mkdtemp
from typing import Final

from fakekafka_compat.table import Client

THIS: Final = "this"
"""As a client's Python: the one that runs this."""
PATIENCE_S: Final = 600


class NoEnvironment(Exception):
    """A client cannot run here; says why."""


def default_cache() -> Path:
    """Where environments are kept."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "fakekafka-compat"


def interpreter(client: Client, cache: Path) -> Path:
    """The Python that has the client; its environment is made if there is none. Raises `NoEnvironment`."""
    if client.python == THIS or _installed_here(client):
        return Path(sys.executable)
    place = cache / f"{client.name}-{client.version}-python{client.python}"
    if not place.exists():
        _make(client, _base(client.python), place)
    return _python_of(place)


def _installed_here(client: Client) -> bool:
    try:
        return version(client.library) == client.version
    except PackageNotFoundError:
        return False


def _base(wanted: str) -> str:
    """An interpreter of that version: from the path, or one of pyenv's. A shim may be on the path and start nothing."""
    for found in _candidates(wanted):
        try:
            subprocess.run([found, "-c", ""], check=True, capture_output=True, timeout=PATIENCE_S)
        except (OSError, subprocess.SubprocessError):
            continue
        return found
    raise NoEnvironment(f"there is no Python {wanted}")


def _candidates(wanted: str) -> Iterator[str]:
    if wanted == f"{sys.version_info.major}.{sys.version_info.minor}":
        yield sys.executable
    on_path = shutil.which(f"python{wanted}")
    if on_path:
        yield on_path
    versions = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv") / "versions"
    yield from (str(path) for path in versions.glob(f"{wanted}.*/bin/python"))


def _make(client: Client, base: str, place: Path) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    aside = Path(mkdtemp(prefix=f".{client.name}-", dir=place.parent))
    python = str(_python_of(aside))
    uv = shutil.which("uv")
    try:
        if uv:
            _run([uv, "venv", "--quiet", "--allow-existing", "--python", base, str(aside)])
            _run([uv, "pip", "install", "--quiet", "--python", python, *client.packages])
        else:
            _run([base, "-m", "venv", str(aside)])
            _run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *client.packages])
        _move(aside, place)
    finally:
        shutil.rmtree(aside, ignore_errors=True)


def _move(aside: Path, place: Path) -> None:
    try:
        aside.rename(place)
    except OSError:
        if not place.exists():  # else another run was faster
            raise


def _run(command: list[str]) -> None:
    try:
        subprocess.run(command, check=True, capture_output=True, text=True, timeout=PATIENCE_S)
    except subprocess.CalledProcessError as e:
        last = (e.stderr.strip().splitlines() or ["no message"])[-1]
        raise NoEnvironment(f"its environment cannot be made: {last}") from None
    except (OSError, subprocess.SubprocessError) as e:
        raise NoEnvironment(f"its environment cannot be made: {e}") from None


def _python_of(place: Path) -> Path:
    return place / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
