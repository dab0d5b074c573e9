"""The protocol as recorded from Kafka's own definitions of 2.2 to 4.4 (and its Java schemas before): `schemas.json.gz`.

The tests compare our classes with these facts. A field of a fact is a dictionary: name, type, versions, and where
present also nullable, tag, tagged, default, strict, fields.
"""

import gzip
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

from fakekafka.ids import ApiKey
from fakekafka.wire import internal
from fakekafka.wire.apis import request_class, response_class
from fakekafka.wire.frames import RequestHeader, ResponseHeader
from fakekafka.wire.internal import early_consumer_group_records
from fakekafka.wire.message import Message, Versions

GOLDEN = Path(__file__).parents[2] / "golden" / "protocol"

Fact: TypeAlias = dict[str, Any]


@cache
def schemas() -> Fact:
    """The whole file."""
    found: Fact = json.loads(gzip.decompress((GOLDEN / "schemas.json.gz").read_bytes()))
    return found


def messages() -> dict[str, Fact]:
    """Name -> definition, of all 289 messages."""
    found: dict[str, Fact] = schemas()["messages"]
    return found


@cache
def classes() -> dict[str, type[Message]]:
    """Name -> our class, of all messages that we have."""
    apis = [cls for key in ApiKey for cls in (request_class(key), response_class(key))]
    return {cls.__name__: cls for cls in (*apis, RequestHeader, ResponseHeader, *internal_classes())}


def internal_classes() -> Iterator[type[Message]]:
    """The messages of all modules in `wire/internal`. Those that only 3.7 had are not in the facts."""
    early = Path(early_consumer_group_records.__file__)
    for path in sorted(set(Path(internal.__path__[0]).glob("[a-z]*.py")) - {early}):
        module = __import__(f"fakekafka.wire.internal.{path.stem}", fromlist=["*"])
        for value in vars(module).values():
            if isinstance(value, type) and issubclass(value, Message) and value.__module__ == module.__name__:
                yield value


def versions(cls: type[Message]) -> range:
    return range(cls.VERSIONS.low, cls.VERSIONS.high + 1)


def snake(name: str) -> str:
    """Our name of a field: "topic_id" of "TopicId"."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()


def has(fact: Fact, attribute: str, version: int) -> bool:
    """Whether the range in `attribute` contains `version`."""
    return version in Versions.parse(fact.get(attribute, "none"))
