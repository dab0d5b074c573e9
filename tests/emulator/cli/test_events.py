"""What `fakekafka serve` waits for: signals and deaths. None is missed."""

import signal
import threading

import pytest
from fakekafka.cli.events import Death, Events
from fakekafka.cli.serve import _until_the_end
from fakekafka.ids import BrokerId


@pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="signals to one thread are POSIX")
def test_serve_ends_on_a_signal_that_another_thread_caught(handlers: None) -> None:
    """Such a signal does not interrupt the wait, nor does one that comes just before the wait begins."""
    caught = threading.Event()

    def catch() -> None:
        signal.pthread_kill(threading.get_ident(), signal.SIGTERM)
        caught.set()

    with Events() as events:
        watchdog = threading.Timer(20, lambda: events.put(Death(BrokerId(0), OSError("never woken"))))
        watchdog.start()
        thread = threading.Timer(0.2, catch)  # by then, the wait has begun
        thread.start()
        try:
            assert _until_the_end(events, brokers=1) == 0
        finally:
            watchdog.cancel()
            thread.join()
    assert caught.is_set()


def test_a_signal_that_came_before_the_wait_is_not_missed(handlers: None) -> None:
    with Events() as events:
        signal.raise_signal(signal.SIGTERM)
        events.put(Death(BrokerId(0), OSError("later")))
        assert events.next() is signal.SIGTERM
        assert isinstance(events.next(), Death)
