"""KAFKA-4073: an old MirrorMaker cannot copy records without timestamps."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.sets import NOW, records, unit

BUG = Bug(
    id="KAFKA-4073",
    title="an old MirrorMaker cannot copy records without timestamps",
    part="timestamps",
    kind="scenario",
    releases="0.10.0.0 -",
    clients=("mirror-maker =0.10.0",),
    symptom=(
        "Invalid timestamp -1; IllegalArgumentException in MirrorMaker; mirroring stopped when the target was"
        " upgraded to 0.10"
    ),
    cause=(
        "The source topic has format 0, whose records have the timestamp -1. MirrorMaker of 0.10.0 passes it to"
        " the producer, which refuses negative ones."
    ),
    remedy="Upgrade to MirrorMaker 0.10.1.",
    sources=("KAFKA-4073",),
    shown="by what a reader computes",
    affected=Side("0.10.2.2", config={"log.message.format.version": "0.9.0"}, reader="passes the timestamp on"),
    cured=Side("0.10.2.2", config={"log.message.format.version": "0.9.0"}, reader="leaves -1 out"),
    no_client="MirrorMaker is a program of Kafka's distribution, and the matrix drives client libraries",
    story_on="0.10.0.0 - 3.9.2",
    elsewhere="4.0 has no older formats to write",
    sees={"timestamps of the source": ([-1, -1, -1], [-1, -1, -1]), "records copied": (0, 3)},
)


def story(play: Play) -> None:
    play.topic()
    play.topic("copy", message_format_version="0.10.0")
    play.produce(unit(0, records()), 1)
    read = [r for one in play.fetch(0, 3).units for r in one.records()]
    play.see("timestamps of the source", [r.timestamp for r in read])
    play.tell(f"the mirror {play.side.reader}; its producer refuses negative ones")
    copied = [r for r in read if r.timestamp >= 0 or play.side.reader == "leaves -1 out"]
    for r in copied:
        play.produce(unit(1, [r._replace(offset=0, timestamp=NOW)]), 2, "copy")
    play.see("records copied", play.fetch(0, 3, "copy").high_watermark)
