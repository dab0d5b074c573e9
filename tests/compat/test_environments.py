"""Environments, made by tools that are not there: small scripts stand in for uv, npm, Maven, Node and the JDK."""

import ast
import os
import re
import sys
from collections.abc import Callable
from pathlib import Path
from threading import Thread
from typing import Final

import pytest
from fakekafka_compat.environments import NoEnvironment, command, default_cache
from fakekafka_compat.environments.making import at_least, digest, made_once
from fakekafka_compat.table import Client, default_table, read_table

CLIENTS: Final = read_table(default_table()).clients
DRIVERS: Final = sorted({client.driver for client in CLIENTS.values()})
HERE: Final = f"{sys.version_info.major}.{sys.version_info.minor}"

Tools: type = Callable[..., None]


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Path]:
    """Puts shell scripts on a path where nothing else is but a shell's own; what they say goes into a file."""
    folder, told = tmp_path / "bin", tmp_path / "told"
    folder.mkdir()
    told.touch()
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}/usr/bin{os.pathsep}/bin")
    monkeypatch.delenv("JAVA_HOME", raising=False)
    real = {name for name in ("uv", "npm", "mvn", "node", "javac") if any((Path(p) / name).exists() for p in ("/usr/bin", "/bin"))}

    def put(**scripts: str) -> Path:
        for name in real - scripts.keys():
            scripts[name] = "exit 127"
        for name, script in scripts.items():
            (folder / name).write_text(f'#!/bin/sh\necho {name} "$@" >> {told}\n{script}\n')
            (folder / name).chmod(0o755)
        return told

    return put
