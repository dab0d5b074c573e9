"""The file of a rehearsal: where the path leads, what the brokers hold, and which clients use them.

    from = "0.10.2"                  # the release now; default: the one that wrote the directory
    to = "2.3"
    via = ["1.1"]                    # releases and settings to stop at; optional
    directory = "kafka-logs"         # of which the brokers hold a copy; optional
    back = true                      # go back from each step, and forward again; default: true

    [config]                         # broker properties; optional
    "num.partitions" = 4

    [topics]                         # for brokers without a directory
    orders = 3

    [[clients]]
    name = "orders"
    command = ["python", "orders.py", "{bootstrap_servers}"]
    timeout_s = 60                   # default: 60
    since = "clients read format 2"  # the step from which on it is used; optional
    until = "new format"             # the step before which it has been replaced; optional

Paths are relative to the file, and clients run in its directory.
"""

import tomllib
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, NamedTuple

from fakekafka.errors import UsageError
from fakekafka.rehearsal.client_commands import check_words
from fakekafka.releases.phases import Phase

TIMEOUT_S: Final = 60.0
KEYS: Final = frozenset({"from", "to", "via", "directory", "back", "config", "topics", "clients"})
CLIENT_KEYS: Final = frozenset({"name", "command", "timeout_s", "since", "until"})


class ClientPart(NamedTuple):
    """A client, and the steps in which it is used."""

    name: str
    command: tuple[str, ...]
    timeout_s: float = TIMEOUT_S
    since: str | None = None
    """The name of the first step in which it is used; None: from the beginning."""
    until: str | None = None
    """The name of the first step in which it is no longer used; None: used until the end."""


class Script(NamedTuple):
    """What to rehearse."""

    path: Path
    digest: str
    """Distinguishes this content of the file from any other."""
    start: str | None
    to: str
    via: tuple[str, ...]
    directory: Path | None
    back: bool
    config: Mapping[str, object]
    topics: Mapping[str, int]
    clients: tuple[ClientPart, ...]

    def clients_in(self, phases: Sequence[Phase], number: int) -> list[ClientPart]:
        """The clients that are used in a step."""
        names = [phase.name for phase in phases]
        return [client for client in self.clients if _range(client, names, number)]


def read_script(path: Path) -> Script:
    """Raises `UsageError` if the file is not a rehearsal."""
    try:
        data = path.read_bytes()
        given = tomllib.loads(data.decode())
    except OSError as e:
        raise UsageError(f"{path}: {e.strerror}") from None
    except ValueError as e:
        raise UsageError(f"{path}: {e}") from None
    try:
        return _script(path, sha256(data).hexdigest(), given)
    except (KeyError, TypeError, ValueError, AttributeError) as e:
        raise UsageError(f"{path}: {_problem(e)}") from None


def check_steps(script: Script, phases: Sequence[Phase]) -> None:
    """Raises `UsageError` if a client names a step that is not on the path."""
    names = [phase.name for phase in phases]
    for client in script.clients:
        for step in filter(None, (client.since, client.until)):
            if step not in names:
                known = "', '".join(names)
                raise UsageError(f"{script.path}: client {client.name!r}: no step {step!r}; there are '{known}'")


def _script(path: Path, digest: str, given: dict[str, Any]) -> Script:
    _only(KEYS, given, "")
    directory, topics = given.get("directory"), dict(given.get("topics", {}))
    clients = tuple(_client(number, one) for number, one in enumerate(given.get("clients", [])))
    if len({client.name for client in clients}) != len(clients):
        raise ValueError("two clients have the same name")
    if directory is None and "from" not in given:
        raise ValueError("name the release to start from (from), or a directory")
    if directory is not None and topics:
        raise ValueError("topics are for brokers without a directory")
    if not all(isinstance(count, int) for count in topics.values()):
        raise ValueError("topics are names with numbers of partitions")
    return Script(
        path,
        digest,
        _text(given["from"], "from") if "from" in given else None,
        _text(given["to"], "to"),
        tuple(_text(stop, "via") for stop in given.get("via", [])),
        None if directory is None else path.parent / _text(directory, "directory"),
        _flag(given.get("back", True), "back"),
        dict(given.get("config", {})),
        topics,
        clients,
    )


def _client(number: int, given: dict[str, Any]) -> ClientPart:
    _only(CLIENT_KEYS, given, f"client {number}: ")
    command = given["command"]
    if not isinstance(command, list) or not command or not all(isinstance(word, str) for word in command):
        raise ValueError(f"client {number}: command is a list of words, such as ['python', 'orders.py']")
    check_words(command)
    timeout_s = float(given.get("timeout_s", TIMEOUT_S))
    if timeout_s <= 0:
        raise ValueError(f"client {number}: timeout_s is not above 0")
    return ClientPart(
        _text(given.get("name", f"client {number}"), "name"),
        tuple(command),
        timeout_s,
        *(None if given.get(key) is None else _text(given[key], key) for key in ("since", "until")),
    )


def _range(client: ClientPart, names: Sequence[str], number: int) -> bool:
    since = 0 if client.since is None else names.index(client.since)
    until = len(names) if client.until is None else names.index(client.until)
    return since <= number < until


def _only(known: frozenset[str], given: dict[str, Any], where: str) -> None:
    for key in given:
        if key not in known:
            raise ValueError(f"{where}no key {key!r}; there are {', '.join(sorted(known))}")


def _text(value: object, key: str) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{key} is not a text")
    return value


def _flag(value: object, key: str) -> bool:
    if not isinstance(value, bool):
        raise ValueError(f"{key} is true or false")
    return value


def _problem(e: Exception) -> str:
    return f"{e.args[0]!r} is missing" if isinstance(e, KeyError) else str(e)
