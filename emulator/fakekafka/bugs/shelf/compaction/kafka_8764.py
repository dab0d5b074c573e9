"""KAFKA-8764: holes at a segment's end are cleaned again and again."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.sets import batch, records

BUG = Bug(
    id="KAFKA-8764",
    title="holes at a segment's end are cleaned again and again",
    part="compaction",
    kind="bug",
    releases="0.11.0.0 - 2.4.0",
    clients=("any consumer of compacted topics",),
    symptom=(
        "log cleaner runs without pause; high cpu of the cleaner thread on an idle topic; the same segment is"
        " cleaned for ever"
    ),
    cause=(
        "The cleaned part ends at the last batch that was read. Where a hole follows, the rest of the segment"
        " stays dirty, and the next pass finds it again. That pass reads nothing, notes offset 0, and all begins again."
    ),
    remedy="Upgrade to 2.4.1.",
    sources=("KAFKA-8764", "apache/kafka commit f78878e6c1e", "asked of 2.4.0", "behaviour cleaner.cleaned_up_to"),
    affected=Side("2.4.0"),
    cured=Side("2.4.1"),
    sees={"the log counts as clean after a pass": (False, True)},
)


def story(play: Play) -> None:
    play.topic(cleanup_policy="compact")
    for key in (b"a", b"b", b"c"):
        play.produce(batch(records(1, keys=[key])), 7)
    play.tell("a copied log has a hole where its third batch was; the log goes on at offset 3")
    first = "t-0/00000000000000000000.log"
    two = play.log()[:2]
    end = sum(one.size for one in two)
    play.edit({first: (play.file(first) or b"")[:end], "t-0/00000000000000000003.log": b""})
    play.compact()
    lines = (play.file("cleaner-offset-checkpoint") or b"").split()
    play.see("the log counts as clean after a pass", int(lines[-1]) == 3)
