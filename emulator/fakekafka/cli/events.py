"""What ends a server: signals, and brokers that die. Waiting for them takes no CPU time, and none is missed.

Python runs a signal's handler between two steps of the main thread, and there are none during a blocking wait: a signal
that another thread caught, or that came just before the wait, would go unnoticed until something else came. So the
interpreter writes the number of each signal into a pipe as it arrives (`signal.set_wakeup_fd`), and the main thread
reads from its other end.
"""

import os
import queue
import signal
import sys
from types import FrameType, TracebackType
from typing import Final, NamedTuple, Self, TypeAlias

from fakekafka.ids import BrokerId

ENDING: Final = ("SIGINT", "SIGTERM", "SIGHUP")
"""The signals that end a server; Windows does not have all of them."""
DEATH: Final = b"\0"
"""What stands for a broker's death, in the place of a signal's number."""


class Death(NamedTuple):
    """A broker has halted because of a disk error."""

    node_id: BrokerId
    error: OSError


Event: TypeAlias = signal.Signals | Death


class Events:
    """The signals and deaths since the context was entered. Only for the main thread.

    From then on the signals end nothing by themselves, not even after the context: the process is about to end, and
    another signal may come while it does.
    """

    def __enter__(self) -> Self:
        self._ear, self._bell = os.pipe()
        if sys.platform != "win32":
            os.set_blocking(self._bell, False)  # the interpreter demands it
        self._deaths: queue.SimpleQueue[Death] = queue.SimpleQueue()
        for name in ENDING:
            if hasattr(signal, name):
                signal.signal(getattr(signal, name), _ignore)
        self._before = signal.set_wakeup_fd(self._bell, warn_on_full_buffer=False)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        signal.set_wakeup_fd(self._before)
        os.close(self._bell)
        os.close(self._ear)

    def put(self, death: Death) -> None:
        """Report that a broker has died. May be called on any thread."""
        self._deaths.put(death)
        os.write(self._bell, DEATH)

    def next(self) -> Event:
        """Wait for the next event."""
        (number,) = os.read(self._ear, 1)
        return signal.Signals(number) if number else self._deaths.get()


def _ignore(number: int, frame: FrameType | None) -> None:
    """Do nothing. A signal without a Python handler would end the process, and would not be written into the pipe."""
