"""Work beside other work: in a thread of its own, and over when it is over."""

import threading

import pytest
from fakekafka.aside import aside
from fakekafka.errors import UsageError
from fakekafka.pieces import PER_STEP, finished


def test_many_elements_are_worked_on_in_another_thread() -> None:
    assert finished(aside(threading.current_thread, PER_STEP + 1)) is not threading.current_thread()
    assert finished(aside(threading.current_thread)) is not threading.current_thread()


def test_few_elements_are_worked_on_at_once() -> None:
    assert finished(aside(threading.current_thread, PER_STEP)) is threading.current_thread()


def test_work_ends_step_after_step_until_it_is_done() -> None:
    may_end = threading.Event()

    def work() -> str:
        assert may_end.wait(60)
        return "done"

    steps = aside(work)
    for _ in range(3):
        next(steps)
    may_end.set()
    assert finished(steps) == "done"


def test_what_the_work_raises_is_raised() -> None:
    def work() -> None:
        raise UsageError("not like this")

    with pytest.raises(UsageError, match="not like this"):
        finished(aside(work))
