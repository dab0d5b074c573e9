"""Answers that come slowly, in small pieces, or that tell the client to wait."""

from dataclasses import dataclass
from typing import ClassVar

from fakekafka.errors import UsageError
from fakekafka.faults.actions import Action, Fault, then
from fakekafka.faults.match import Match
from fakekafka.faults.pace import Pace
from fakekafka.handlers.call import Call, Result
from fakekafka.ids import DurationMs


@dataclass(frozen=True)
class Throttle(Action):
    """Slow clients down: at least one of `bytes_per_s` and `time_ms`.

    `bytes_per_s`: send answers at this rate at most, on the broker's clock. Only clients on sockets notice.
    `time_ms`: act like a broker whose quota is exceeded by this much. The answer reports it in `throttle_time_ms`,
    where it has that field; up to 1.1 it is sent after that time, from 2.0 on it is sent at once, and the connection is
    not read until the time is over (KIP-219).
    """

    NAME: ClassVar[str] = "throttle"
    bytes_per_s: int | None = None
    time_ms: DurationMs = 0

    def check(self, match: Match) -> None:
        if self.bytes_per_s is None and not self.time_ms:
            raise UsageError("throttle: say bytes_per_s= or time_ms=")
        if self.bytes_per_s is not None and self.bytes_per_s < 1:
            raise UsageError(f"throttle: bytes_per_s={self.bytes_per_s}: at least 1; to stop answers use drop or hold")
        if self.time_ms < 0:
            raise UsageError(f"throttle: time_ms={self.time_ms}: it must not be negative")

    def run(self, fault: Fault) -> Result:
        if self.bytes_per_s is not None:
            fault.link.pace = Pace(bytes_per_s=self.bytes_per_s)
        return then(fault.proceed(), lambda last: self._timed(fault.call, last))

    def _timed(self, call: Call, last: Result) -> Result:
        call.throttle_ms = max(call.throttle_ms, self.time_ms)  # a quota of the cluster may add its own
        return last


@dataclass(frozen=True)
class Slice(Action):
    """Send answers in pieces of `bytes`, each by itself, with `gap_ms` between them on the broker's clock."""

    NAME: ClassVar[str] = "slice"
    bytes: int = 1
    gap_ms: DurationMs = 0

    def check(self, match: Match) -> None:
        if self.bytes < 1 or self.gap_ms < 0:
            raise UsageError("slice: bytes must be at least 1, and gap_ms must not be negative")

    def run(self, fault: Fault) -> Result:
        fault.link.pace = Pace(slice_bytes=self.bytes, gap_ms=self.gap_ms)
        return fault.proceed()
