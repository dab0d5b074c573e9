"""KAFKA-4549: the LZ4 writer drops the last block when it is closed without a flush."""

from fakekafka.bugs.bug import Bug

BUG = Bug(
    id="KAFKA-4549",
    title="the LZ4 writer drops the last block when it is closed without a flush",
    part="compression",
    kind="fault",
    releases="0.8.2.0 - 0.10.1.1",
    clients=("kafka-clients 0.8.2 - 0.10.1",),
    symptom="the last messages of an lz4 batch are missing; EOF inside a message; decompressed message set ends early",
    cause="close() of KafkaLZ4BlockOutputStream wrote the end mark without the block that was still in its buffer.",
    remedy="Upgrade clients and brokers to 0.10.2.",
    sources=("KAFKA-4549",),
    shown="not",
    unshown=(
        "the broker's own callers flush before they close, so no request makes it write such a frame; the defect"
        " is in the Java class alone"
    ),
)
