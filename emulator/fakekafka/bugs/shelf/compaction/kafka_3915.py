"""KAFKA-3915: the cleaner of 0.10.0.0 rewrites old messages in the topic's newer format."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.sets import records, unit

BUG = Bug(
    id="KAFKA-3915",
    title="the cleaner of 0.10.0.0 rewrites old messages in the topic's newer format",
    part="compaction",
    kind="bug",
    releases="0.10.0.0",
    clients=("kafka-clients <0.10.0",),
    symptom=(
        "log cleaner thread died after the upgrade to 0.10.0.0; BufferOverflowException in the cleaner; 0.9"
        " followers and consumers choke on a compacted topic"
    ),
    cause=(
        "Compaction writes every message in the topic's current format, and its buffers do not allow for the extra"
        " bytes of format 1. 0.10.0.1 leaves plain messages alone, but puts old messages into new wrappers, see"
        " KAFKA-4298."
    ),
    remedy="Upgrade to 0.10.1 at once; keep log.message.format.version at 0.9 until then.",
    sources=("KAFKA-3915", "KAFKA-4298", "recorded from 0.10.0.1: storage_compact mixed"),
    affected=Side("0.10.0.0"),
    cured=Side("0.10.0.1"),
    sees={"formats after a pass": ([1, 1, 1], [0, 0, 0])},
)


def story(play: Play) -> None:
    play.topic(cleanup_policy="compact", message_format_version="0.9.0")
    play.produce(unit(0, records()), 1)
    play.configure(message_format_version="0.10.0", cleanup_policy="compact")
    play.compact()
    play.see("formats after a pass", [one.magic for one in play.log()])
