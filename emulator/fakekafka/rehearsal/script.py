"""The file of a rehearsal: where the path leads, what the brokers hold, and which clients use them.

    from = "0.10.2"                  # the release now; default: the one that wrote the directory
    to = "2.3"
    via = ["1.1"]                    # releases and settings to stop at; optional
    directory = "kafka-logs"         # the brokers hold a copy of it; optional
    back = true                      # go back from each step, and forward again; default: true

    [config]                         # broker properties; optional
    "num.partitions" = 4

    brokers = 3                      # for brokers without a directory; default: 1
    [topics]                         # likewise, with their numbers of partitions
    orders = 3

    [[clients]]
    name = "orders"
    command = ["python", "orders.py", "{bootstrap_servers}"]
    timeout_s = 60                   # default: 60
    since = "clients read format 2"  # the step from which on it is used; optional
    until = "new format"             # the step before which it has been replaced; optional

    [[kills]]                        # what is killed, without a clean stop, while a client runs
    during = "orders"                # that client
    api = "Produce"                  # the API whose requests are counted; default: any
    after = 20                       # after how many of these requests; default: 1
    broker = 0                       # this broker is killed, and started again; default: the client
    step = "new format"              # only in this step; optional
    act = "step"                     # only in this act of a step: begin, step, back or forward; optional

Paths are relative to the file, and clients run in its directory.
"""

import tomllib
from collections.abc import Collection, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, NamedTuple

from fakekafka.errors import UsageError
from fakekafka.ids import BrokerId
from fakekafka.rehearsal.checked_values import flag, only, text, whole_number
from fakekafka.rehearsal.client_commands import check_words
from fakekafka.rehearsal.kill_part import KillPart, kill_part
from fakekafka.releases.phases import Phase

TIMEOUT_S: Final = 60.0
KEYS: Final = frozenset({"from", "to", "via", "directory", "back", "config", "topics", "brokers", "clients", "kills"})
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
    brokers: int
    clients: tuple[ClientPart, ...]
    kills: tuple[KillPart, ...]

    def clients_in(self, phases: Sequence[Phase], number: int) -> list[ClientPart]:
        """The clients that are used in a step."""
        names = [phase.name for phase in phases]
        return [client for client in self.clients if _range(client, names, number)]

    def kills_in(self, step: str, act: str, client: str) -> list[KillPart]:
        """What is killed while a client runs in an act of a step."""
        return [k for k in self.kills if k.during == client and k.step in (None, step) and k.act in (None, act)]


def read_script(path: Path) -> Script:
    """Read the file of a rehearsal. Raises `UsageError` if it is not one."""
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
    """Check that clients and kills name steps that are on the path. Raises `UsageError`."""
    names = [phase.name for phase in phases]
    named = [(f"client {client.name!r}", step) for client in script.clients for step in (client.since, client.until)]
    for where, step in (*named, *((f"a kill during {kill.during!r}", kill.step) for kill in script.kills)):
        if step is not None and step not in names:
            known = "', '".join(names)
            raise UsageError(f"{script.path}: {where}: no step {step!r}; there are '{known}'")


def check_brokers(script: Script, brokers: Collection[BrokerId]) -> None:
    """Check that kills name brokers that exist. Raises `UsageError`."""
    for kill in script.kills:
        if kill.broker is not None and kill.broker not in brokers:
            known = ", ".join(map(str, sorted(brokers)))
            raise UsageError(
                f"{script.path}: a kill during {kill.during!r}: no broker {kill.broker}; there are {known}"
            )


def _script(path: Path, digest: str, given: dict[str, Any]) -> Script:
    only(KEYS, given, "")
    directory, topics = given.get("directory"), dict(given.get("topics", {}))
    clients = tuple(_client(number, one) for number, one in enumerate(given.get("clients", [])))
    names = {client.name for client in clients}
    if len(names) != len(clients):
        raise ValueError("two clients have the same name")
    if directory is None and "from" not in given:
        raise ValueError("name the release to start from (from), or a directory")
    if directory is not None and (topics or "brokers" in given):
        raise ValueError("topics and brokers are for those without a directory")
    if not all(isinstance(count, int) for count in topics.values()):
        raise ValueError("topics are names with numbers of partitions")
    return Script(
        path=path,
        digest=digest,
        start=text(given["from"], "from") if "from" in given else None,
        to=text(given["to"], "to"),
        via=tuple(text(stop, "via") for stop in given.get("via", [])),
        directory=None if directory is None else path.parent / text(directory, "directory"),
        back=flag(given.get("back", True), "back"),
        config=dict(given.get("config", {})),
        topics=topics,
        brokers=whole_number(given.get("brokers", 1), "brokers"),
        clients=clients,
        kills=tuple(kill_part(number, one, names) for number, one in enumerate(given.get("kills", []))),
    )


def _client(number: int, given: dict[str, Any]) -> ClientPart:
    only(CLIENT_KEYS, given, f"client {number}: ")
    command = given["command"]
    if not isinstance(command, list) or not command or not all(isinstance(word, str) for word in command):
        raise ValueError(f"client {number}: command is a list of words, such as ['python', 'orders.py']")
    check_words(command)
    timeout_s = float(given.get("timeout_s", TIMEOUT_S))
    if timeout_s <= 0:
        raise ValueError(f"client {number}: timeout_s must be above 0")
    return ClientPart(
        text(given.get("name", f"client {number}"), "name"),
        tuple(command),
        timeout_s,
        *(None if given.get(key) is None else text(given[key], key) for key in ("since", "until")),
    )


def _range(client: ClientPart, names: Sequence[str], number: int) -> bool:
    since = 0 if client.since is None else names.index(client.since)
    until = len(names) if client.until is None else names.index(client.until)
    return since <= number < until


def _problem(e: Exception) -> str:
    return f"{e.args[0]!r} is missing" if isinstance(e, KeyError) else str(e)
