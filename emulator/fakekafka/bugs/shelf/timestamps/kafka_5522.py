"""KAFKA-5522: ListOffsets by time goes beyond the last stable offset for read_committed."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.sets import NOW, batch

BUG = Bug(
    id="KAFKA-5522",
    title="ListOffsets by time goes beyond the last stable offset for read_committed",
    part="timestamps",
    kind="bug",
    releases="0.11.0.0",
    clients=("kafka-clients =0.11.0.0",),
    symptom=(
        "offsetsForTimes with read_committed points at records that are not delivered; consumer waits for an"
        " open transaction after a seek by time"
    ),
    cause=(
        "The look-up by time of 0.11.0.0 is bounded by the high watermark even if the consumer reads only"
        " committed data."
    ),
    remedy="Upgrade to 0.11.0.1.",
    sources=("KAFKA-5522",),
    affected=Side("0.11.0.0"),
    cured=Side("0.11.0.1"),
    sees={"offset of a record in an open transaction, by its time": (1, -1)},
)


def story(play: Play) -> None:
    play.topic()
    producer = play.begin_transaction("tx")
    play.produce(batch(producer=producer, transactional=True), transactional_id="tx", version=3)
    play.tell("a committed reader asks for the offset of a time within the open transaction")
    play.see("offset of a record in an open transaction, by its time", play.list_offset(NOW + 1, 2, committed=True)[1])
