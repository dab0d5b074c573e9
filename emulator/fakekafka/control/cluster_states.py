"""Operations on the cluster as a whole, and on its clock."""

from collections.abc import Mapping
from typing import NamedTuple

from fakekafka.clock import ManualClock
from fakekafka.control.desk import Desk
from fakekafka.errors import UsageError
from fakekafka.ids import BrokerId, DurationMs, TimestampMs
from fakekafka.releases.phases import Phase
from fakekafka.storage.log_manager import Unsynced


class ClusterState(NamedTuple):
    """What is served."""

    release: str
    is_running: bool
    bootstrap_servers: str
    """ "" while the cluster is not running."""
    brokers: dict[BrokerId, str]
    """The running brokers, each with its release."""
    phase: Phase
    versions_used: dict[str, list[int]]
    failures: list[str]
    """Defects of fakekafka that have shown."""


def cluster(desk: Desk) -> ClusterState:
    """What is served: release, addresses, running brokers, the phase of an upgrade, versions that clients use."""
    kafka = desk.kafka
    runs = kafka.is_running
    return ClusterState(
        kafka.release,
        runs,
        kafka.bootstrap_servers if runs else "",
        kafka.brokers() if runs else {},
        kafka.phase,
        kafka.versions_used if runs else {},
        [repr(failure) for failure in kafka.failures],
    )


def start(desk: Desk) -> None:
    """Start the cluster again, on the same ports, after it was stopped."""
    desk.kafka.start()


def stop(desk: Desk, *, crash: bool = False, unsynced: Unsynced = "kept") -> None:
    """Stop every broker; the control API stays. See `FakeKafka.stop`."""
    desk.kafka.stop(crash=crash, unsynced=unsynced)


def restart(
    desk: Desk,
    release: str | None = None,
    config: Mapping[str, object] | None = None,
    crash: bool = False,
    unsynced: Unsynced = "kept",
    empty: bool = False,
) -> None:
    """Stop and start again on the same port with the same data, maybe as another release or with other properties."""
    desk.kafka.restart(release, config, crash, unsynced, empty)


def summary(desk: Desk) -> str:
    """Topics, groups, conversions and the last requests, as text for people."""
    return desk.kafka.summary()


class Time(NamedTuple):
    """The cluster's clock."""

    now_ms: TimestampMs
    elapsed_ms: DurationMs
    is_manual: bool
    """Whether the clock stands until it is moved."""


def clock(desk: Desk) -> Time:
    """The time on the cluster's clock."""
    clock_now = desk.kafka.clock
    return Time(clock_now.now_ms, clock_now.elapsed_ms, isinstance(clock_now, ManualClock))


def advance_clock(desk: Desk, ms: DurationMs) -> Time:
    """Let time pass on a manual clock; every timer that falls due runs before the answer."""
    _manual(desk).advance(ms)
    return clock(desk)


def advance_clock_to_timer(desk: Desk, within_ms: DurationMs) -> Time:
    """Let time pass on a manual clock until the next timer falls due, or `within_ms` if none does before."""
    _manual(desk).to_next_timer(within_ms)
    return clock(desk)


def set_clock(desk: Desk, now_ms: TimestampMs) -> Time:
    """Move a manual clock to a time; backwards, no timer runs."""
    _manual(desk).set(now_ms)
    return clock(desk)


def _manual(desk: Desk) -> ManualClock:
    clock_now = desk.kafka.clock
    if not isinstance(clock_now, ManualClock):
        raise UsageError("the clock is the system's: start with `serve --manual-clock`, or clock=ManualClock()")
    return clock_now
