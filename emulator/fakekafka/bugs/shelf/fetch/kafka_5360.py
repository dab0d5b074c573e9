"""KAFKA-5360: a conversion that begins within a batch sends what lies before the fetch offset."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.sets import batch

BUG = Bug(
    id="KAFKA-5360",
    title="a conversion that begins within a batch sends what lies before the fetch offset",
    part="fetch",
    kind="fault",
    releases="0.11.0.0",
    clients=("librdkafka <0.11.0",),
    symptom="duplicates in old consumers after a seek; records before the fetch offset are delivered",
    cause=(
        "Candidates of 0.11.0.0 converted a whole batch of format 2 although the fetch asked for an offset in"
        " its middle."
    ),
    remedy="Nothing to do: no release has it.",
    sources=("KAFKA-5360",),
    shown="its mechanism",
    affected=Side("0.11.0.0", reader="a conversion of the whole batch"),
    cured=Side("0.11.0.0", reader="the conversion as released"),
    sees={"offsets that a consumer of 0.10 gets from offset 1 on": ([0, 1, 2], [1, 2])},
)


def story(play: Play) -> None:
    play.topic()
    play.produce(batch(), 3)
    play.tell("a consumer of 0.10 asks for offset 1, which lies within a batch")
    if play.side.reader == "a conversion of the whole batch":
        (whole,) = play.fetch(1, 4).units
        found = [record.offset for record in whole.records()]
    else:
        found = [one.base_offset for one in play.fetch(1, 2).units]
    play.see("offsets that a consumer of 0.10 gets from offset 1 on", found)
