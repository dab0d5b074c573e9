"""An environment for each client: made once, kept in a cache, and shared by concurrent runs.

The suffix of a client's driver says what runs it: Python, Node or a JDK. This package installs none of them;
a client whose runtime is missing cannot run here.
"""

from collections.abc import Callable
from functools import cache as remembered
from pathlib import Path

from fakekafka_compat.environments import java, node, python
from fakekafka_compat.environments.making import NoEnvironment, default_cache
from fakekafka_compat.table import Client

__all__ = ["NoEnvironment", "command", "default_cache"]

_COMMANDS: dict[str, Callable[[Client, Path], list[str]]] = {
    ".py": python.command,
    ".mjs": node.command,
    ".java": java.command,
}


def command(client: Client, cache: Path) -> list[str]:
    """The command that starts the client's driver; its environment is made if it is missing. Raises `NoEnvironment`."""
    tried = _tried(client, cache)
    if isinstance(tried, str):
        raise NoEnvironment(tried)
    return list(tried)


@remembered
def _tried(client: Client, cache: Path) -> tuple[str, ...] | str:
    """The command, or why there is none. A failure is remembered: a registry out of reach is slow to fail."""
    try:
        return tuple(_COMMANDS[client.driver.suffix](client, cache))
    except NoEnvironment as e:
        return str(e)
