"""Waiting in the thread of a test, until something is so on the thread that owns the broker."""

from collections.abc import Callable
from typing import Generic, Protocol, TypeVar

from fakekafka.server.core import Core
from fakekafka.watching.conditions import Condition

T = TypeVar("T")


class Watcher(Protocol):
    """Somebody who waits."""

    error: BaseException | None

    def cancel(self) -> None: ...


class Loop(Protocol):
    """The thread that owns the broker, as waits need it."""

    @property
    def core(self) -> Core:
        """Raises `UsageError` if nothing runs."""

    @property
    def clock_is_manual(self) -> bool:
        """Whether time stands until the test moves it."""

    def call(self, work: Callable[[], T]) -> T:
        """Run `work` on that thread."""

    def wait_until(self, is_so: Callable[[], bool], timeout_s: float) -> bool:
        """Block the caller until something is so; whether it was, in time."""

    def watch_for(self, is_so: Callable[[], bool], tell: Callable[[], None]) -> Watcher:
        """Have `tell` called, on that thread, as soon as something is so."""


class Found(Generic[T]):
    """What a condition has given, once it has."""

    def __init__(self, condition: Condition[T]) -> None:
        self.condition = condition
        self.value: T | None = None

    def is_there(self) -> bool:
        """Ask, on the broker's thread."""
        self.value = self.condition.ask()
        return self.value is not None


def wait_for(loop: Loop, condition: Condition[T], timeout_s: float) -> T:
    """Block until a condition is met, and return what it gives. Raises `TimeoutError` that says what there is."""
    found = Found(condition)
    if not loop.wait_until(found.is_there, timeout_s):
        raise TimeoutError(what_there_is(loop, condition, timeout_s))
    assert found.value is not None
    return found.value


def what_there_is(loop: Loop, condition: Condition[object], timeout_s: float) -> str:
    """The message of a `TimeoutError`."""
    told = loop.call(condition.instead)
    hint = "; the clock is a ManualClock and moves by advance() only" if loop.clock_is_manual else ""
    return f"not within {timeout_s:g} s: {told}{hint}"
