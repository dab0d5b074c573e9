"""A cluster that takes its time, as real ones do: `FakeKafka(pace="lifelike")`.

Times are drawn from what was measured (`measured`), by a random source seeded with the cluster's id, so that runs
repeat. They pass on the broker's clock: with a `ManualClock` the test decides when they are over.
"""

from collections.abc import Callable, Hashable
from math import exp, log
from random import Random
from typing import Final

from fakekafka.ids import DurationMs
from fakekafka.pace.events import Event
from fakekafka.pace.measured import Measured, measured
from fakekafka.releases.profile import Profile
from fakekafka.waiting.timers import Timers

DEVIATIONS: Final = 1.645
"""How many standard deviations the 95th percentile of a normal distribution is above its median."""
LONGEST: Final = 2
"""Nothing takes longer than so many times the 95th percentile: tests can wait for it, and what is either short or long,
as a reassignment under KRaft, is never much longer than it was seen to be."""


class Lifelike:
    """When things happen in one cluster, from one start to the next stop. `timers`: the cluster's, which run on its
    clock. `seed`: decides about all times; the cluster's id and how often its brokers have started.
    """

    def __init__(self, timers: Timers, seed: str) -> None:
        self._timers = timers
        self._random = Random(f"pace of {seed}")
        self.being_made: dict[Hashable, Callable[[], None]] = {}
        """Topics that no broker knows yet, each with what makes it known. A topic leaves when that is called."""
        self.being_moved: dict[Hashable, Callable[[], None]] = {}
        """Partitions whose new replicas may not be in charge yet, although they have everything; each with what ends
        its move. A move that is cancelled is removed."""

    def delay_ms(self, event: Event, rules: Profile) -> DurationMs:
        """How long an event takes this time in a cluster whose controller follows `rules`, in milliseconds: at least 1.
        Each call draws another time.
        """
        return max(1, round(_drawn(measured(event, rules), self._random)))

    def later(self, event: Event, rules: Profile, action: Callable[[], None]) -> None:
        """Run `action` when the event's time has passed on the broker's clock. It is not run if the cluster stops
        before.
        """
        self._timers.after(self.delay_ms(event, rules), action)

    def make(self, topic: Hashable, event: Event, rules: Profile, make_known: Callable[[], None]) -> None:
        """Call `make_known` once, when the event's time has passed or the cluster stops; until then `topic` is being
        made. `topic` may be deleted meanwhile: `make_known` has to check.
        """

        def made() -> None:
            if self.being_made.pop(topic, None) is not None:
                make_known()

        self.being_made[topic] = made
        self.later(event, rules, made)

    def move(self, partition: Hashable, rules: Profile, complete: Callable[[], None]) -> None:
        """Call `complete` when the time of a reassignment has passed or the cluster stops, unless by then `partition`
        has been taken out of `being_moved` or has begun another move.
        """

        def moved() -> None:
            if self.being_moved.get(partition) is moved:
                del self.being_moved[partition]
                complete()

        self.being_moved[partition] = moved
        self.later("reassignment", rules, moved)

    def finish(self) -> None:
        """Have every topic made and end every move: the cluster stops, and its timers are forgotten."""
        for finished in (*self.being_made.values(), *self.being_moved.values()):
            finished()


def _drawn(known: Measured, random: Random) -> float:
    """A time whose logarithm is normally distributed: some are long, and none is zero."""
    deviation = log(max(known.high_ms, known.median_ms) / known.median_ms) / DEVIATIONS
    return min(LONGEST * known.high_ms, known.median_ms * exp(deviation * random.gauss(0, 1)))
