"""KAFKA-5522: ListOffsets by time goes beyond the last stable offset for read_committed."""

from fakekafka.bugs.bug import Bug

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
    shown="not",
    unshown="0.11.0.0 was not asked, and the double has the bound of 0.11.0.1 in all patches of that line",
)
