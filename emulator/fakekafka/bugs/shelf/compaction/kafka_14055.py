"""KAFKA-14055: records with keys like those of markers make the cleaner delete the markers."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.sets import batch, records

BUG = Bug(
    id="KAFKA-14055",
    title="records with keys like those of markers make the cleaner delete the markers",
    part="compaction",
    kind="bug",
    releases="0.11.0.0 - 3.0.1, 3.1.0 - 3.1.1, 3.2.0",
    clients=("kafka-clients >=0.11.0", "librdkafka >=1.4.0"),
    symptom=(
        "hanging transaction, LSO stuck; read_committed consumer stopped on a compacted topic; aborted records"
        " appear; keys are integers"
    ),
    cause=(
        "The cleaner looks up a marker's key in its map of users' keys. A later record whose key is 00 00 00 00 or"
        " 00 00 00 01, the integer 0 or 1, counts as a newer version of an abort or a commit marker. So the marker is"
        " removed before the data of its transaction."
    ),
    remedy="Upgrade to 3.0.2, 3.1.2, 3.2.1 or 3.3; until then, no such keys in compacted topics with transactions.",
    sources=("KAFKA-14055", "recorded from 3.0.2 to 3.2.3: storage_compact tx"),
    affected=Side("3.2.0"),
    cured=Side("3.2.1"),
    sees={"markers left": (0, 1)},
)


def story(play: Play) -> None:
    play.topic(cleanup_policy="compact")
    producer = play.begin_transaction("tx")
    play.produce(batch(records(2), producer=producer, transactional=True), 9, transactional_id="tx")
    play.end_transaction("tx", producer, commit=True)
    play.tell("a user's record has the integer 1 as its key")
    play.produce(batch(records(1, keys=[b"\x00\x00\x00\x01"])), 9)
    play.compact()
    play.see("markers left", sum(one.is_control and one.count for one in play.log()))
