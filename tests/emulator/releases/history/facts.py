"""What is recorded about the API versions of all releases: `api_versions.json`.

Read from the brokers' sources at 45 lines and modes, and checked against the ApiVersions answers of 23 real brokers.
Its KRaft entries are those of a node that is not a controller.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

from fakekafka.ids import ApiKey
from fakekafka.releases.history.step import Versions

GOLDEN = Path(__file__).parents[3] / "golden" / "protocol" / "api_versions.json"
Fact: TypeAlias = dict[str, Any]


@cache
def api_versions() -> Fact:
    """The whole file."""
    found: Fact = json.loads(GOLDEN.read_text("utf-8"))
    return found


def entries() -> list[Fact]:
    """One for each release line and mode."""
    found: list[Fact] = api_versions()["releases"]
    return found


def label(entry: Fact) -> str:
    return f"{entry['release']}-{entry['mode']}"


def ranges(fact: dict[str, list[int]]) -> dict[ApiKey, Versions]:
    """API versions as we write them."""
    return {ApiKey(int(key)): Versions(*found) for key, found in fact.items()}


def keys(numbers: list[int]) -> set[ApiKey]:
    return {ApiKey(number) for number in numbers}
