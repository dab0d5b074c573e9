"""`fakekafka serve`, measuring its turns: `python -m tests.benchmarks.turn_times --port 0 …`, the options of `serve`.

When it ends it prints one line of JSON to stderr: the longest turn, and the longest pass of the loop over its turns, in
milliseconds of the thread's CPU time. Other programs on the machine therefore do not count. The first
request of each kind loads modules, which does count.
"""

import json
import sys
import time
from collections.abc import Callable
from typing import TypeVar

from fakekafka.cli import main
from fakekafka.server.channel import Channel
from fakekafka.server.turns import Turns

T = TypeVar("T")
Longest = dict[str, float]


def measured(longest: Longest, name: str, action: Callable[..., T]) -> Callable[..., T]:
    """Wrap `action` so that its longest call so far is noted."""

    def run(*arguments: object) -> T:
        began_ns = time.thread_time_ns()
        try:
            return action(*arguments)
        finally:
            longest[name] = max(longest[name], (time.thread_time_ns() - began_ns) / 1e6)

    return run


def serve_measured(arguments: list[str]) -> int:
    longest = {"turn": 0.0, "pass": 0.0}
    setattr(Channel, "take_turn", measured(longest, "turn", Channel.take_turn))  # noqa: B010
    setattr(Turns, "run", measured(longest, "pass", Turns.run))  # noqa: B010
    try:
        return main(["serve", *arguments])
    finally:
        print(json.dumps(longest), file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(serve_measured(sys.argv[1:]))
