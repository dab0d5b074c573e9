"""Lines of recordings with listeners, users, rules and quotas: who connects where and how, and what an operator set.

`acls`, `scram_user` and `quota` were written to ZooKeeper where a release has no request for them.
"""

from dataclasses import dataclass
from typing import Any, TypeAlias

from fakekafka.ids import DurationMs


@dataclass(frozen=True, slots=True)
class Open:
    """A connection was opened to a listener (None: the plain one), from an address of the client's choice."""

    connection: str
    listener: str | None
    source: str | None


@dataclass(frozen=True, slots=True)
class Login:
    """A connection was opened and logged in by SASL PLAIN; the exchanges are not recorded.

    `handshake` 0: a bare token follows the handshake; 1: a SaslAuthenticate v0 follows.
    """

    connection: str
    listener: str | None
    source: str | None
    user: str
    password: str
    handshake: int


@dataclass(frozen=True, slots=True)
class Fetched:
    """A value that came from an earlier answer: where it stood, and what it was in the recording."""

    exchange: int
    path: str
    recorded: str | bytes


@dataclass(frozen=True, slots=True)
class ScramLogin:
    """The next two marked exchanges on the connection are a login by SCRAM: see `scram_client.py`."""

    connection: str
    mechanism: str
    password: str | bytes | Fetched
    user: str | Fetched | None
    first: str
    final: str


@dataclass(frozen=True, slots=True)
class Quiet:
    """Whether nothing came on a connection for this long. What came is still there to be read."""

    connection: str
    ms: DurationMs
    quiet: bool


@dataclass(frozen=True, slots=True)
class Sleep:
    """Real time passed while the wall clock stood still."""

    ms: DurationMs


@dataclass(frozen=True, slots=True)
class SetAcls:
    """All rules: type, name, pattern, principal, host, operation and permission of each, by their names."""

    rules: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class SetScramUser:
    """A user's SCRAM credential."""

    user: str
    password: str
    mechanism: str
    iterations: int
    salt: str


@dataclass(frozen=True, slots=True)
class SetQuota:
    """All quotas of an entity: kinds ("users", "clients") with names, "<default>" among them."""

    entity: tuple[tuple[str, str], ...]
    values: tuple[tuple[str, float], ...]


SecurityLine: TypeAlias = Open | Login | ScramLogin | Quiet | Sleep | SetAcls | SetScramUser | SetQuota


def security_line(kind: str, line: dict[str, Any]) -> SecurityLine:
    """The event of that kind. Raises `ValueError` if it is unknown."""
    match kind:
        case "open":
            return Open(line["conn"], line["listener"], line["source"])
        case "login":
            place = line["conn"], line["listener"], line["source"]
            return Login(*place, line["user"], line["password"], line["handshake"])
        case "scram":
            password, user = _value(line["password"]), _value(line["user"])
            return ScramLogin(line["conn"], line["mechanism"], password, user, line["first"], line["final"])
        case "quiet":
            return Quiet(line["conn"], line["ms"], line["quiet"])
        case "sleep":
            return Sleep(line["ms"])
        case "acls":
            return SetAcls(tuple(map(tuple, line["acls"])))
        case "scram_user":
            return SetScramUser(line["user"], line["password"], line["mechanism"], line["iterations"], line["salt"])
        case "quota":
            return SetQuota(tuple(line["entity"].items()), tuple(line["values"].items()))
    raise ValueError(f"a recording has an event {kind!r}, which nobody knows")


def _value(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    if "$hex" in value:
        return bytes.fromhex(value["$hex"])
    exchange, path = value["$ref"]
    recorded = value["value"]
    return Fetched(exchange, path, bytes.fromhex(recorded["$hex"]) if isinstance(recorded, dict) else recorded)
