"""KAFKA-8522: tombstones and markers may live for ever."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.sets import batch, records

BUG = Bug(
    id="KAFKA-8522",
    title="tombstones and markers may live for ever",
    part="compaction",
    kind="era",
    releases="0.8.1.0 - 3.0.2",
    clients=("any consumer of compacted topics",),
    symptom=(
        "tombstones are never removed; transaction markers stay for ever; compacted topic of deleted keys does"
        " not shrink"
    ),
    cause=(
        "The time from which delete.retention.ms counts starts over with each pass that rewrites the segment. From"
        " 3.1 on it is written into the batch by the first pass that meets it (attribute bit 6), which parsers of"
        " attributes must accept."
    ),
    remedy="Upgrade to 3.1.",
    sources=("KAFKA-8522", "KIP-534", "recorded from 4.1.1: storage_compact d2, tx"),
    affected=Side("3.0.2"),
    cured=Side("3.1.2"),
    story_on="0.11.0.0 - 3.0.2",
    elsewhere="older formats have no place for it",
    sees={"the batch says when its tombstones may go": (False, True)},
)


def story(play: Play) -> None:
    play.topic(cleanup_policy="compact", delete_retention_ms=1000)
    play.produce(batch(records(2, keys=[b"a", b"b"], value=None)), 7)
    play.compact()
    play.see("the batch says when its tombstones may go", play.log()[0].has_delete_horizon)
