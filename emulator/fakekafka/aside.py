"""Long work that changes nothing of the broker, in a thread of its own while other clients have their turns."""

import threading
from collections.abc import Callable
from typing import Final, TypeVar

from fakekafka.pieces import PER_STEP, Stepwise

T = TypeVar("T")
SLICE_S: Final = 0.005
"""How long a step waits for the work, which runs meanwhile; then others have their turn."""


def aside(work: Callable[[], T], size: int | None = None) -> Stepwise[T]:
    """The result of work, in as many steps as it takes. Raises what it raises.

    The work may look things up in broker state, but not iterate over it: that changes meanwhile. What it changes must
    be its own. `size`: how many elements it goes through; if they are few, it is done at once. None: many.
    """
    if size is not None and size <= PER_STEP:
        return work()
    results: list[T] = []
    failures: list[BaseException] = []

    def run() -> None:
        try:
            results.append(work())
        except BaseException as failure:
            failures.append(failure)

    thread = threading.Thread(target=run, name="fakekafka-aside", daemon=True)
    thread.start()
    thread.join(SLICE_S)
    while thread.is_alive():
        yield
        thread.join(SLICE_S)
    if failures:
        raise failures[0]
    return results[0]
