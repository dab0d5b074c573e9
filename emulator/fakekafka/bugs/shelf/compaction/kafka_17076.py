"""KAFKA-17076: compaction takes the last batch, and the log's end seems to move back."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.sets import batch, records

BUG = Bug(
    id="KAFKA-17076",
    title="compaction takes the last batch, and the log's end seems to move back",
    part="compaction",
    kind="bug",
    releases="0.11.0.0 - 3.9.1",
    clients=("followers", "any consumer of compacted topics"),
    symptom=(
        "log end offset goes back after compaction and restart; OffsetOutOfRange of a follower; high watermark"
        " beyond log end"
    ),
    cause=("The last batch of what a pass may clean is removed with its records, and its offset is forgotten."),
    remedy="Upgrade to 3.9.2 or 4.0.",
    sources=(
        "KAFKA-17076",
        "apache/kafka commit a577d30d382",
        "apache/kafka#20535",
        "behaviour cleaner.last_batch_kept",
    ),
    shown="its mechanism",
    affected=Side("3.9.1"),
    cured=Side("4.0.0"),
    sees={"last offset of what a pass leaves of offsets 0 and 1": (0, 1)},
)


def story(play: Play) -> None:
    play.topic()
    play.produce(batch(records(1, keys=[b"a"])), 7)
    play.produce(batch(records(1, keys=[None])), 7)
    play.tell("the topic is compacted from now on, which removes records without a key: the log's last one")
    play.configure(cleanup_policy="compact")
    play.compact()
    play.see("last offset of what a pass leaves of offsets 0 and 1", max(one.last_offset for one in play.log()))
