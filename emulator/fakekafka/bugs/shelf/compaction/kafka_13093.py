"""KAFKA-13093: 4.0 rewrites old formats when it compacts."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.sets import batch, records, unit

BUG = Bug(
    id="KAFKA-13093",
    title="4.0 rewrites old formats when it compacts",
    part="compaction",
    kind="era",
    releases="4.0.0 -",
    clients=("any consumer of compacted topics",),
    symptom=(
        "compacted topic grew after the upgrade to 4.0; timestamps -1; segment contents changed, checksums"
        " differ; old messages now have magic 2"
    ),
    cause=(
        "The cleaner of 4.0 turns whatever it reads into batches of format 2. What it has not read stays as it was,"
        " and is sent unchanged."
    ),
    remedy=("Nothing is lost, but the files differ from those of replicas or backups. It cannot be undone."),
    sources=("KAFKA-13093", "apache/kafka#18321", "asked of 4.1.1"),
    affected=Side("4.0.0", begins="3.9.1"),
    cured=Side("3.9.1", begins="3.8.1"),
    sees={"formats after a pass": ([2, 2, 2], [1, 1, 1])},
)


def story(play: Play) -> None:
    play.topic(cleanup_policy="compact")
    play.produce(batch(), 7)
    play.tell("a copied log has three messages of format 1, written before 3.0")
    play.edit({"t-0/00000000000000000000.log": unit(1, records())})
    play.restart(play.side.release)
    play.compact()
    play.see("formats after a pass", [one.magic for one in play.log()])
