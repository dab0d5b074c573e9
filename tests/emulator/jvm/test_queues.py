"""A heap in Java's order."""

from fakekafka.jvm.queues import JavaQueue
from hypothesis import given
from hypothesis import strategies as st


def drained(queue: JavaQueue[tuple[int, str]]) -> list[tuple[int, str]]:
    return [queue.take() for _ in range(len(queue))]


@given(st.lists(st.tuples(st.integers(0, 5), st.text(max_size=2))))
def test_a_queue_returns_the_smallest_items_first(items: list[tuple[int, str]]) -> None:
    queue: JavaQueue[tuple[int, str]] = JavaQueue(lambda item: item[0])
    for item in items:
        queue.add(item)
    found = drained(queue)
    assert [item[0] for item in found] == sorted(item[0] for item in items)
    assert sorted(found) == sorted(items)


def test_equal_items_come_in_the_order_of_a_java_heap() -> None:
    queue: JavaQueue[tuple[int, str]] = JavaQueue(lambda item: item[0])
    for name in "abcde":
        queue.add((1, name))
    assert "".join(name for _, name in drained(queue)) == "aedcb"
