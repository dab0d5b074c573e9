"""Settings with which a client library talks to this broker, whatever old releases demand."""

from typing import Literal, TypeAlias, assert_never, get_args

from fakekafka.errors import UsageError
from fakekafka.releases.release import Release

Client: TypeAlias = Literal["kafka-python", "confluent-kafka", "aiokafka", "java", "spark"]
ClientConfig: TypeAlias = dict[str, str | int | bool | tuple[int, ...]]

CLIENTS: tuple[Client, ...] = get_args(Client)
LONGEST_SESSION_MS = 30_000
"""The longest session of a group member before 0.10 (`group.max.session.timeout.ms`). librdkafka asks for 45 seconds by
default."""


def client_config(client: Client, bootstrap_servers: str, release: Release) -> ClientConfig:
    """Keyword arguments (kafka-python, aiokafka) or properties (the others) that connect `client`.

    Clients that cannot find out the release (before 0.10, which brought ApiVersions) are given it. Raises `UsageError`
    for an unknown client.
    """
    if client not in CLIENTS:
        raise UsageError(f"no client called {client!r}: use one of {', '.join(CLIENTS)}")
    negotiates = release.line_number >= (0, 10, 0)
    match client:
        case "kafka-python":
            pin: ClientConfig = {} if negotiates else {"api_version": _kafka_python_version(release)}
            return {"bootstrap_servers": bootstrap_servers} | pin
        case "confluent-kafka":
            fallback: ClientConfig = {
                "api.version.request": False,
                "broker.version.fallback": str(release),
                "session.timeout.ms": LONGEST_SESSION_MS,
            }
            return {"bootstrap.servers": bootstrap_servers} | ({} if negotiates else fallback)
        case "aiokafka":
            return {"bootstrap_servers": bootstrap_servers}
        case "java":
            return {"bootstrap.servers": bootstrap_servers}
        case "spark":
            return {"kafka.bootstrap.servers": bootstrap_servers}
        case _:
            assert_never(client)


def _kafka_python_version(release: Release) -> tuple[int, ...]:
    """The release as kafka-python names it: 0.9 as a pair, its neighbours as triples."""
    line = release.line_number
    return line[:2] if line == (0, 9, 0) else line
