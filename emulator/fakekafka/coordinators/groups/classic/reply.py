"""An answer that may come later: what a JoinGroup or a SyncGroup is given while its group is not ready."""

from typing import Generic, TypeVar

from fakekafka.waiting.waiters import Waiters

T = TypeVar("T")


class Reply(Generic[T]):
    """The slot for one answer. It is its own key for waiting: `Wait((reply,), ...)`."""

    __slots__ = ("_waiters", "value")

    def __init__(self, waiters: Waiters) -> None:
        self._waiters = waiters
        self.value: T | None = None
        """None until the answer is there."""

    def give(self, value: T) -> None:
        """The answer is there."""
        self.value = value
        self._waiters.wake(self)
