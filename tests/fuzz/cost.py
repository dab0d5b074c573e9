"""What one input may cost: CPU time and memory, in proportion to its size, so that no input is a weapon."""

import resource
import time
from collections.abc import Callable
from typing import Final

CPU_MS: Final = 64
MEMORY_KIB: Final = 16 * 1024
"""Both limits are for an input of up to 64 KiB."""
SLOWER: Final = 10
"""How much slower code runs while its branches are counted, on a busy machine; what costs more is measured again."""


class TooDear(Exception):
    """An input costs more than allowed."""


def measured(feed: Callable[[], None], *, grows: bool) -> None:
    """Call `feed`. Raises `TooDear` if it costs too much twice: the first time it may load modules and fill caches."""
    try:
        _once(feed, grows)
    except TooDear:
        _once(feed, grows)


def _once(feed: Callable[[], None], grows: bool) -> None:
    before_kib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    began = time.thread_time()
    feed()
    cpu_ms = (time.thread_time() - began) * 1000
    grown_kib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before_kib
    if cpu_ms > CPU_MS * SLOWER:
        raise TooDear(f"{cpu_ms:.0f} ms of CPU")
    if grown_kib > MEMORY_KIB and not grows:
        raise TooDear(f"{grown_kib} KiB of memory")
