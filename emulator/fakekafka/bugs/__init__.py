"""The museum of bugs: what upgrades and down-conversions have done to people, each to be found, read about and played.

    from fakekafka.bugs import bug, run
    run(bug("KAFKA-6739")).affected.seen

`shelf` has the bugs, a file each: what is known, and a story in code. `play.Play` is what a story holds in its hand.
"""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.index import all_bugs, bug
from fakekafka.bugs.running import Run, run

__all__ = ["Bug", "Run", "Side", "all_bugs", "bug", "run"]
