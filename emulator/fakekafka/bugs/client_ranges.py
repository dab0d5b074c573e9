"""Versions of a client library, as in "kafka-python 1.4.0 - 1.4.4", "sarama <1.16.0", "pykafka" or "librdkafka >=1.0".

Bindings of librdkafka count as librdkafka: confluent-kafka has librdkafka's version number (from 0.11 on).
"""

import re
from typing import Final, NamedTuple

from fakekafka.errors import UsageError

ALIASES: Final = {"confluent-kafka": "librdkafka", "java": "kafka-clients"}
"""Names of libraries whose versions are those of another library."""

_FORM: Final = re.compile(
    r"(?P<name>[^<>=\d]+?)(?: (?P<first>\d[\w.]*) - (?P<last>\d[\w.]*)| (?P<op><|>=|=)(?P<at>\d[\w.]*))?"
)


class ClientRange(NamedTuple):
    """Versions of a library: from `low` on, up to `high`, or below `below`."""

    library: str
    low: tuple[int, ...] = ()
    high: tuple[int, ...] | None = None
    below: tuple[int, ...] | None = None

    @classmethod
    def parse(cls, text: str) -> "ClientRange":
        """The range in `text`. Raises `UsageError` if it is not a range."""
        match = _FORM.fullmatch(text)
        if match is None:
            raise UsageError(f"{text!r} is not a range of clients: write 'NAME 1.0 - 1.4', 'NAME <1.5' or 'NAME'")
        name, first, last, op, at = match.groups()
        if first:
            return cls(name, numbers(first), numbers(last))
        if op == "<":
            return cls(name, (), None, numbers(at))
        return cls(name, numbers(at) if at else (), numbers(at) if op == "=" else None)

    def has(self, library: str, version: str = "") -> bool:
        """Whether this is a range of `library` and contains `version`, if one is given."""
        wanted = library.lower()
        if self.library.lower() not in (wanted, ALIASES.get(wanted, wanted)):
            return False
        if not version:
            return True
        parsed = numbers(version)
        return (
            self.low <= parsed
            and (self.high is None or parsed[: len(self.high)] <= self.high)
            and (self.below is None or parsed < self.below)
        )


def numbers(version: str) -> tuple[int, ...]:
    """ "1.4.7" as (1, 4, 7). Raises `UsageError` if it is not a version."""
    if not re.fullmatch(r"\d+(\.\d+)*", version):
        raise UsageError(f"{version!r} is not a version: write numbers and dots")
    return tuple(map(int, version.split(".")))
