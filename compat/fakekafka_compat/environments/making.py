"""Makes a folder once: elsewhere, then moved to its place in one step, so that an existing folder is always
complete.
"""

import hashlib
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp
from typing import Final

from fakekafka_compat.table import Client

PATIENCE_S: Final = 600


class NoEnvironment(Exception):
    """A client cannot run here; the message says why."""


def default_cache() -> Path:
    """Where environments are kept."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "fakekafka-compat"


def made_once(place: Path, make: Callable[[Path], None]) -> Path:
    """The folder `place`. If it is not there, `make` fills a folder that becomes it; others that want it wait
    meanwhile.
    """
    if not place.exists():
        place.parent.mkdir(parents=True, exist_ok=True)
        with _alone(place.with_name(f".{place.name}.lock")):
            if not place.exists():
                _make(place, make)
    return place


def _make(place: Path, make: Callable[[Path], None]) -> None:
    aside = Path(mkdtemp(prefix=f".{place.name}-", dir=place.parent))
    try:
        make(aside)
        aside.rename(place)
    except OSError:
        if not place.exists():  # otherwise another run was faster, on a system without locks
            raise
    finally:
        shutil.rmtree(aside, ignore_errors=True)


@contextmanager
def _alone(lock: Path) -> Iterator[None]:
    """Hold the lock alone, in this process and among others; on a system without such locks, others may hold it too."""
    try:
        from fcntl import LOCK_EX, flock
    except ImportError:
        yield
        return
    with lock.open("w", encoding="utf-8") as file:
        flock(file, LOCK_EX)
        yield


def run(command: Sequence[str | Path]) -> str:
    """Run a command and return its standard output. Raises `NoEnvironment` with the last of its output."""
    try:
        done = subprocess.run(command, check=True, capture_output=True, text=True, encoding="utf-8", timeout=PATIENCE_S)
    except subprocess.CalledProcessError as e:
        last = ((e.stderr.strip() or e.stdout.strip()).splitlines() or ["no message"])[-1]
        raise NoEnvironment(f"its environment cannot be made: {last}") from None
    except (OSError, subprocess.SubprocessError) as e:
        raise NoEnvironment(f"its environment cannot be made: {e}") from None
    return done.stdout


def program(name: str) -> str:
    """The path of a program. Raises `NoEnvironment`."""
    path = shutil.which(name)
    if path is None:
        raise NoEnvironment(f"there is no {name}")
    return path


def at_least(version: str, wanted: str) -> bool:
    """Whether a version, such as "v20.1" or "javac 17.0.2", has this major number or a later one."""
    major = re.search(r"\d+", version)
    return major is not None and int(major[0]) >= int(wanted)


def place_of(client: Client, runtime: str, cache: Path) -> Path:
    """The folder of a client's environment; other packages get another folder."""
    return cache / f"{client.name}-{client.version}-{runtime}-{digest(' '.join(client.packages).encode())}"


def digest(data: bytes) -> str:
    """A short hash, for naming what is made from changing input."""
    return hashlib.sha256(data).hexdigest()[:12]
