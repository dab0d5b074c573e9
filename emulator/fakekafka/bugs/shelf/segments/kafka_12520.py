"""KAFKA-12520: an unclean restart removes or forgets producer state."""

from fakekafka.bugs.bug import Bug

BUG = Bug(
    id="KAFKA-12520",
    title="an unclean restart removes or forgets producer state",
    part="segments",
    kind="bug",
    releases="0.11.0.0 - 2.8.2",
    clients=("kafka-clients >=0.11.0", "librdkafka >=1.0.0"),
    symptom=(
        "OUT_OF_ORDER_SEQUENCE or UNKNOWN_PRODUCER_ID after a broker crash; producer state lost; snapshot file missing"
    ),
    cause=(
        "After a kill the broker finds files of an interrupted swap or a stale snapshot, and loads producers"
        " without the content of the newest segment."
    ),
    remedy="Upgrade to 3.0; let producers start again with a new id.",
    sources=("KAFKA-12520", "recorded from 2.8.2 and 3.0.2: storage_recovery"),
    shown="not",
    unshown=(
        "what a client would notice depends on which thread of the cleaner the kill met; the recordings of 2.8.2"
        " and 3.0.2 show which files each release keeps"
    ),
)
