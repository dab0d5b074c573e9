"""What work costs, counted rather than timed."""

import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any, Final

import fakekafka

SOURCES: Final = str(Path(fakekafka.__file__).parent)


def functions_passed(work: Callable[[], object]) -> int:
    """How many calls of the package's functions `work` makes in this thread."""
    count = 0

    def note(frame: FrameType, event: str, _: Any) -> None:
        nonlocal count
        count += event == "call" and frame.f_code.co_filename.startswith(SOURCES)

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count
