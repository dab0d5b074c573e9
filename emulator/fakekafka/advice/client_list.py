"""The clients of a cluster, by name and version: "kafka-python==1.4.7,…", or a file.

    [[clients]]
    name = "orders"                  # its name in the output; optional
    library = "kafka-python"
    version = "1.4.7"

Only recorded versions are accepted: what other versions send is not known.
"""

import tomllib
from pathlib import Path

from fakekafka.errors import UsageError
from fakekafka.escaping import escaped
from fakekafka.releases.client_versions import LIBRARIES, Client, find_client


def read_clients(text: str) -> list[Client]:
    """The clients of `--clients`, at least one. Raises `UsageError` for an invalid list, and for unknown versions."""
    if text.endswith(".toml"):
        return _of_file(Path(text))
    return [known_client(one) for one in text.split(",")]


def known_client(text: str) -> Client:
    """The client "kafka-python==1.4.7". Raises `UsageError` with the known versions."""
    library, _, version = text.strip().partition("==")
    releases = LIBRARIES.get(library)
    if releases is not None and version and version not in releases:
        raise UsageError(f"what {library} {version} sends is not known; known versions are {', '.join(releases)}")
    return find_client(text)


def _of_file(path: Path) -> list[Client]:
    try:
        entries = tomllib.loads(path.read_text("utf-8"))["clients"]
        given = [(f"{one['library']}=={one['version']}", one.get("name")) for one in entries]
    except OSError as e:
        raise UsageError(f"{path}: {e.strerror}") from None
    except (tomllib.TOMLDecodeError, KeyError, TypeError) as e:
        raise UsageError(f"{path}: {e}; a client is [[clients]] with library and version") from None
    if not given:
        raise UsageError(f"{path} names no client")
    clients = [(known_client(text), name) for text, name in given]
    return [client._replace(name=f"{escaped(name)} ({client.name})") if name else client for client, name in clients]
