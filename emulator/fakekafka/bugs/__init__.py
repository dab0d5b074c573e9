"""The museum of bugs: what went wrong in upgrades and down-conversions. Each bug can be found, read about and played.

    from fakekafka.bugs import bug, run
    run(bug("KAFKA-6739")).affected.seen

`shelf` has the bugs, one file each: what is known, and a story in code. A story works with a `play.Play`.
"""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.index import all_bugs, bug
from fakekafka.bugs.running import Run, run

__all__ = ["Bug", "Run", "Side", "all_bugs", "bug", "run"]
