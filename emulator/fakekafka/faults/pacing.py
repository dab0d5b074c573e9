"""Answers that come slowly, or in small pieces."""

from dataclasses import dataclass
from typing import ClassVar

from fakekafka.errors import UsageError
from fakekafka.faults.actions import Action, Fault
from fakekafka.faults.match import Match
from fakekafka.faults.pace import Pace
from fakekafka.handlers.call import Result
from fakekafka.ids import DurationMs


@dataclass(frozen=True)
class Throttle(Action):
    """Send answers with `bytes_per_s` at most, on the broker's clock. Only clients that came by a socket notice."""

    NAME: ClassVar[str] = "throttle"
    bytes_per_s: int

    def check(self, match: Match) -> None:
        if self.bytes_per_s < 1:
            raise UsageError(f"throttle: bytes_per_s={self.bytes_per_s}: at least 1; to stop answers use drop or hold")

    def run(self, fault: Fault) -> Result:
        fault.link.pace = Pace(bytes_per_s=self.bytes_per_s)
        return fault.proceed()


@dataclass(frozen=True)
class Slice(Action):
    """Send answers in pieces of `bytes`, each by itself, with `gap_ms` between them on the broker's clock."""

    NAME: ClassVar[str] = "slice"
    bytes: int = 1
    gap_ms: DurationMs = 0

    def check(self, match: Match) -> None:
        if self.bytes < 1 or self.gap_ms < 0:
            raise UsageError("slice: bytes is at least 1, and gap_ms not negative")

    def run(self, fault: Fault) -> Result:
        fault.link.pace = Pace(slice_bytes=self.bytes, gap_ms=self.gap_ms)
        return fault.proceed()
