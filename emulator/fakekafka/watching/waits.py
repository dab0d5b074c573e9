"""Waiting in the thread of a test, until a condition is met on the thread that owns the broker."""

from collections.abc import Callable
from typing import Generic, Protocol, TypeVar

from fakekafka.server.core import Core
from fakekafka.watching.conditions import Condition

T = TypeVar("T")


class Watcher(Protocol):
    """A caller that waits."""

    error: BaseException | None

    def cancel(self) -> None: ...


class Loop(Protocol):
    """The thread that owns the broker, as waits need it."""

    @property
    def core(self) -> Core:
        """The running cluster. Raises `UsageError` if there is none."""

    @property
    def clock_is_manual(self) -> bool:
        """Whether time stands until the test moves it."""

    def call(self, work: Callable[[], T]) -> T:
        """Run `work` on that thread."""

    def wait_until(self, is_so: Callable[[], bool], timeout_s: float) -> bool:
        """Block the caller until a condition is met. Returns whether it was met in time."""

    def watch_for(self, is_so: Callable[[], bool], tell: Callable[[], None]) -> Watcher:
        """Have `tell` called on that thread as soon as a condition is met."""


class Awaited(Generic[T]):
    """The result of a condition, once there is one."""

    def __init__(self, condition: Condition[T]) -> None:
        self.condition = condition
        self.value: T | None = None

    def is_there(self) -> bool:
        """Check the condition, on the broker's thread."""
        self.value = self.condition.ask()
        return self.value is not None


def wait_for(loop: Loop, condition: Condition[T], timeout_s: float) -> T:
    """Block until a condition is met, and return its result. Raises `TimeoutError` with what there is instead."""
    awaited = Awaited(condition)
    if not loop.wait_until(awaited.is_there, timeout_s):
        raise TimeoutError(what_there_is(loop, condition, timeout_s))
    assert awaited.value is not None
    return awaited.value


def what_there_is(loop: Loop, condition: Condition[object], timeout_s: float) -> str:
    """The message of a `TimeoutError`."""
    instead = loop.call(condition.instead)
    hint = "; the clock is a ManualClock and moves by advance() only" if loop.clock_is_manual else ""
    return f"not within {timeout_s:g} s: {instead}{hint}"
