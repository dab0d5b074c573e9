"""KIP-467: a bad record gets 87, which old clients do not know."""

from fakekafka.bugs.bug import Bug

BUG = Bug(
    id="KIP-467",
    title="a bad record gets 87, which old clients do not know",
    part="produce",
    kind="era",
    releases="2.4.0 -",
    clients=("librdkafka <1.4.0", "kafka-python <2.0.0", "sarama <1.27.0"),
    symptom=(
        "unknown error code 87 on produce; message without key to a compacted topic: Unknown error; since the"
        " upgrade to 2.4"
    ),
    cause="Records that a batch may not hold got 2 up to 2.3, and get 87 since, which older clients show as unknown.",
    remedy="Upgrade the client; send keys to compacted topics.",
    sources=("KIP-467", "behaviour append.invalid_record"),
    shown="not",
    unshown=("its story is not written; the behaviour append.invalid_record plays it, and its tests show both sides"),
)
