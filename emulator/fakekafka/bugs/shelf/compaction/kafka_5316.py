"""KAFKA-5316: a rewritten set that needs more room than was read stops the cleaner."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.sets import SNAPPY, records

BUG = Bug(
    id="KAFKA-5316",
    title="a rewritten set that needs more room than was read stops the cleaner",
    part="compaction",
    kind="bug",
    releases="0.8.1.0 - 0.10.2.1",
    clients=("any producer with compression",),
    symptom="BufferOverflowException in the log cleaner; compaction of compressed topics stops after the upgrade",
    cause=(
        "What a pass writes may be larger than what it read, when sets are recompressed or converted. The"
        " buffer of the output does not grow."
    ),
    remedy="Upgrade to 0.10.2.2.",
    sources=("KAFKA-5316", "apache/kafka commit 569248f6fb7", "behaviour cleaner.larger_output"),
    affected=Side("0.10.2.1", config={"log.cleaner.io.buffer.size": 4096}),
    cured=Side("0.10.2.2", config={"log.cleaner.io.buffer.size": 4096}),
    story_on="0.8.1.0 - 0.8.2.2, 0.10.2.0 - 0.10.2.1",
    elsewhere="0.9 to 0.10.1 write what they keep of this set in another way, and it fits",
    sees={"a pass": ("the cleaner stops", "done")},
)


def story(play: Play) -> None:
    play.topic(cleanup_policy="compact")
    rows = records(60, value=b"v" * 1000)
    play.produce(play.set_of(rows, SNAPPY), 2)
    play.produce(play.set_of(records(1)), 2)
    play.see("a pass", play.compact())
