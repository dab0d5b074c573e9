"""What to hand to a client library so that it talks to this broker, quirks of old releases included."""

from typing import Literal, TypeAlias

from fakekafka.errors import UsageError
from fakekafka.releases.release import Release

Client: TypeAlias = Literal["kafka-python", "confluent-kafka", "aiokafka", "java", "spark"]
ClientConfig: TypeAlias = dict[str, str | int | bool | tuple[int, ...]]

CLIENTS: tuple[Client, ...] = ("kafka-python", "confluent-kafka", "aiokafka", "java", "spark")


def client_config(client: Client, bootstrap_servers: str, release: Release) -> ClientConfig:
    """Keyword arguments (kafka-python, aiokafka) or properties (the others) that connect `client`.

    Releases without ApiVersions (before 0.10) must be named to clients that cannot find out. Raises `UsageError`.
    """
    negotiates = release.line_number >= (0, 10, 0)
    if client == "kafka-python":
        pin: ClientConfig = {} if negotiates else {"api_version": release.line_number}
        return {"bootstrap_servers": bootstrap_servers} | pin
    if client == "confluent-kafka":
        fallback: ClientConfig = {"api.version.request": False, "broker.version.fallback": str(release)}
        return {"bootstrap.servers": bootstrap_servers} | ({} if negotiates else fallback)
    if client == "aiokafka":
        return {"bootstrap_servers": bootstrap_servers}
    if client == "java":
        return {"bootstrap.servers": bootstrap_servers}
    if client == "spark":
        return {"kafka.bootstrap.servers": bootstrap_servers}
    raise UsageError(f"no client called {client!r}: one of {', '.join(CLIENTS)}")
