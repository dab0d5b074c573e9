"""Waits are woken by their keys, once a step, and never inside the step that wakes them."""

from fakekafka.waiting.waiters import Waiters


def test_a_wait_runs_once_per_step_however_often_it_is_woken() -> None:
    waiters, ran = Waiters(), list[str]()
    waiters.watch([("log", "a", 0), ("log", "b", 0)], lambda: ran.append("woken"))
    waiters.wake(("log", "a", 0))
    waiters.wake(("log", "b", 0))
    assert ran == []
    waiters.run_ready()
    waiters.run_ready()
    assert ran == ["woken"]


def test_other_keys_do_not_wake() -> None:
    waiters, ran = Waiters(), list[str]()
    waiters.watch(["a"], lambda: ran.append("woken"))
    waiters.wake("b")
    waiters.run_ready()
    assert ran == []


def test_a_cancelled_wait_does_not_run_even_if_woken_before() -> None:
    waiters, ran = Waiters(), list[str]()
    watch = waiters.watch(["a"], lambda: ran.append("woken"))
    waiters.wake("a")
    watch.cancel()
    waiters.run_ready()
    assert ran == []


def test_a_wait_that_another_one_wakes_runs_too() -> None:
    waiters, ran = Waiters(), list[str]()

    def first() -> None:
        ran.append("a")
        waiters.wake("b")

    waiters.watch(["a"], first)
    waiters.watch(["b"], lambda: ran.append("b"))
    waiters.wake("a")
    waiters.run_ready()
    assert ran == ["a", "b"]


def test_everything_can_be_woken() -> None:
    waiters, ran = Waiters(), list[str]()
    waiters.watch(["a"], lambda: ran.append("a"))
    waiters.watch(["b"], lambda: ran.append("b"))
    waiters.wake_all()
    waiters.run_ready()
    assert sorted(ran) == ["a", "b"]


def test_one_wait_can_be_woken_alone() -> None:
    waiters, ran = Waiters(), list[str]()
    watch = waiters.watch(["a"], lambda: ran.append("one"))
    waiters.watch(["a"], lambda: ran.append("other"))
    waiters.wake_up(watch)
    waiters.wake_up(watch)
    waiters.run_ready()
    assert ran == ["one"]


def test_what_waits_for_a_key_can_run_amid_a_step_and_then_does_not_run_again_after_it() -> None:
    waiters, ran = Waiters(), list[str]()
    waiters.watch(["a"], lambda: ran.append("a"))
    waiters.watch(["b"], lambda: ran.append("b"))
    waiters.wake("b")
    waiters.wake("a")
    waiters.wake_now("a")
    assert ran == ["a"]
    waiters.run_ready()
    assert ran == ["a", "b"]


def test_a_wait_that_another_one_has_cancelled_does_not_run_amid_a_step_either() -> None:
    waiters, ran = Waiters(), list[str]()
    waiters.watch(["a"], lambda: other.cancel())
    other = waiters.watch(["a"], lambda: ran.append("other"))
    waiters.wake_now("a")
    assert ran == []
