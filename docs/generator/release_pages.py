"""A page for each release line: its APIs, how the double differs, its configs."""

from fakekafka.ids import ApiKey
from fakekafka.releases.release import LAST_PATCH, Release

from docs.generator import configs, differences
from docs.generator.tables import advertised, named, served, table


def pages() -> dict[str, str]:
    return {f"reference/releases/{line}.md": page(line) for line in LAST_PATCH}


def page(line: str) -> str:
    """One line's page. It is excluded from the search, which would otherwise find every config dozens of times."""
    release = Release.parse(line)
    apis = [(str(int(key)), named(key), f"{low}-{high}", served(key)) for key, (low, high) in _apis(line)]
    return f"""---
search:
  exclude: true
---

# Kafka {line}

`FakeKafka("{line}")` plays {release}. [All releases](../releases.md).

## APIs

{table(("key", "API", "versions", "here"), apis)}
## Differences from a real broker

{table(differences.COLUMNS, differences.rows(differences.of_line(line)))}
## Broker configs

[Broker configs](../configs.md) says what the last column means.

{table(("config", "type", "default", "may change", "here"), configs.rows(release))}"""


def _apis(line: str) -> list[tuple[ApiKey, tuple[int, int]]]:
    return sorted(advertised(line).items())
