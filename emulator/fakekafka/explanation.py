"""By what a broker differs from a real one of its release: defaults, and APIs that are advertised but not served."""

from typing import NamedTuple

from fakekafka.assembly import Blueprint
from fakekafka.handlers import SERVED


class Difference(NamedTuple):
    """One difference. Prints as one line."""

    what: str
    real: str
    here: str
    why: str

    def __str__(self) -> str:
        return f"{self.what}: {self.here} here, {self.real} in a real broker: {self.why}"


def differences(blueprint: Blueprint) -> list[Difference]:
    """Every difference of a broker with this blueprint."""
    return [*_defaults(blueprint), *_unserved(blueprint)]


def _defaults(blueprint: Blueprint) -> list[Difference]:
    return []


def _unserved(blueprint: Blueprint) -> list[Difference]:
    return [
        Difference(f"API {key.name} ({key})", "served", "error 35", "not built yet")
        for key in blueprint.ranges
        if key not in SERVED
    ]
