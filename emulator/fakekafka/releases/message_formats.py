"""Which message format a version of the inter-broker protocol stands for (ApiVersion, MetadataVersion).

The configs `log.message.format.version` and `message.format.version` are written as such versions ("0.10.2",
"2.3-IV1"), not as the magic numbers that KIP-31 had planned.
"""

from functools import cache
from typing import Final, Literal, TypeAlias, assert_never

from fakekafka.ids import Magic
from fakekafka.releases.protocol_versions import AHEAD, BY_RELEASE

FIRST_OF_FORMAT: Final[dict[Magic, str]] = {1: "0.10.0-IV0", 2: "0.11.0-IV0"}
"""The first version of formats 1 and 2."""
OLDEST_FORMAT: Final[Magic] = 0
NEWEST_FORMAT: Final[Magic] = max(FIRST_OF_FORMAT)
FIRST_FETCH_OF_FORMAT: Final[dict[Magic, int]] = {0: 0, 1: 2, 2: 4}
"""The first version of Fetch whose answer may carry a format (KIP-32, KIP-98)."""
FORMAT_2_ONLY_FROM: Final = "3.0-IV1"
"""From this inter-broker protocol on the format can no longer be chosen (KIP-724, KAFKA-12944)."""

MessageFormatRule: TypeAlias = Literal["oldest", "configured", "configured below protocol 3.0", "newest"]
"""What decides the format of new records; see `LogBehaviour.message_format`."""


def order_of(version: str) -> int | None:
    """The rank of a version among all of them, oldest first; None for a text that is not a version.

    A short name ("0.10.2") means the last version of that release, and so does a patch release's name ("0.10.2.1").
    """
    parts = version.split(".")
    return _order().get(".".join(parts[: 3 if parts[0] == "0" else 2]))


def full_name(version: str) -> str:
    """The version in full: "2.8-IV1" for "2.8" and "2.8.2". A text that is not a version stays as it is."""
    at = order_of(version)
    return version if at is None else next(name for name, order in _order().items() if order == at)


def format_of(version: str) -> Magic | None:
    """The message format that a version stands for; None for a text that is not a version."""
    at = order_of(version)
    if at is None:
        return None
    return sum(at >= _order()[first] for first in FIRST_OF_FORMAT.values())


def format_is_fixed(protocol: str) -> bool:
    """Whether a broker with this inter-broker protocol writes format 2 whatever its configs say."""
    at = order_of(protocol)
    return at is not None and at >= _order()[FORMAT_2_ONLY_FROM]


def fixed_format(rule: MessageFormatRule, protocol: str) -> Magic | None:
    """The format of new records where configs have no say in it; None where they do."""
    match rule:
        case "oldest":
            return OLDEST_FORMAT
        case "newest":
            return NEWEST_FORMAT
        case "configured below protocol 3.0":
            return NEWEST_FORMAT if format_is_fixed(protocol) else None
        case "configured":
            return None
        case _:
            assert_never(rule)


def written_format(rule: MessageFormatRule, protocol: str, configured: str) -> Magic:
    """The format of new records where a topic does not configure one. `configured`: `log.message.format.version`.

    A text that is not a version counts as a version of the newest format.
    """
    fixed = fixed_format(rule, protocol)
    if fixed is not None:
        return fixed
    format_named = format_of(configured)
    return NEWEST_FORMAT if format_named is None else format_named


@cache
def _order() -> dict[str, int]:
    names = [name for versions in BY_RELEASE.values() for name in versions]
    names += [name for versions in AHEAD.values() for name in versions if name not in names]
    order = {name: n for n, name in enumerate(names)}
    for release, versions in BY_RELEASE.items():
        order[release] = order[versions[-1]]
    return order
