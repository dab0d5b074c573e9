"""KIP-97: a client of 4.0 refuses brokers before 2.1."""

from fakekafka.bugs.bug import Bug

BUG = Bug(
    id="KIP-97",
    title="a client of 4.0 refuses brokers before 2.1",
    part="negotiation",
    kind="era",
    releases="0.8.0 - 2.0.1",
    clients=("kafka-clients >=4.0.0",),
    symptom=(
        "UnsupportedVersionException from a new client against an old broker; The node does not support; client"
        " upgrade broke everything"
    ),
    cause="KIP-896 removed old versions from the Java client too: it talks to brokers of 2.1 and later only.",
    remedy="Upgrade brokers first; keep clients at 3.9 until then.",
    sources=("KIP-97", "behaviour accepted versions of Produce and Fetch"),
    shown="not",
    unshown=(
        "its story is not written; the table of accepted versions of Produce and Fetch plays it, and that one's"
        " tests show both sides"
    ),
)
