"""java.util.PriorityQueue: a heap that orders equal items as Java's does."""

from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class JavaQueue(Generic[T]):
    """Gives back the least item first. The keys of items inside must not change."""

    def __init__(self, key: Callable[[T], float]) -> None:
        self._key = key
        self._heap: list[T] = []

    def __len__(self) -> int:
        return len(self._heap)

    def add(self, item: T) -> None:
        """Put an item in: it rises past those that are larger."""
        heap, key = self._heap, self._key(item)
        at = len(heap)
        heap.append(item)
        while at > 0 and self._key(heap[(at - 1) // 2]) > key:
            heap[at] = heap[(at - 1) // 2]
            at = (at - 1) // 2
        heap[at] = item

    def take(self) -> T:
        """Take the least item out. Raises `IndexError` if the queue is empty."""
        heap = self._heap
        last = heap.pop()
        if not heap:
            return last
        least, key, at = heap[0], self._key(last), 0
        while 2 * at + 1 < len(heap):
            child = 2 * at + 1
            if child + 1 < len(heap) and self._key(heap[child]) > self._key(heap[child + 1]):
                child += 1
            if key <= self._key(heap[child]):
                break
            heap[at] = heap[child]
            at = child
        heap[at] = last
        return least
