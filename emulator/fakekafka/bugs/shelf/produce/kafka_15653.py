"""KAFKA-15653: 3.6.0 may check transactional batches in buffers that are in use elsewhere."""

from fakekafka.bugs.bug import Bug

BUG = Bug(
    id="KAFKA-15653",
    title="3.6.0 may check transactional batches in buffers that are in use elsewhere",
    part="produce",
    kind="fault",
    releases="3.6.0",
    clients=("kafka-clients >=0.11.0", "librdkafka >=1.4.0"),
    symptom=(
        "sporadic -1 for transactional produce on 3.6.0 under load; NullPointerException or decompression error"
        " in AddPartitionsToTxnManager callback"
    ),
    cause=(
        "The callback of the verification of a partition ran on another thread, with the request-local buffers"
        " of the first one."
    ),
    remedy="Upgrade to 3.6.1, or set transaction.partition.verification.enable=false.",
    sources=("KAFKA-15653", "KIP-890"),
    shown="not",
    unshown="it is a race of two threads over one buffer; the emulator has one thread",
)
