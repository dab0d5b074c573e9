"""KIP-392: consumers may be sent to another replica."""

from fakekafka.bugs.bug import Bug

BUG = Bug(
    id="KIP-392",
    title="consumers may be sent to another replica",
    part="fetch",
    kind="era",
    releases="2.4.0 -",
    clients=("sarama <1.28.0",),
    symptom=(
        "consumer reads from a follower and gets OFFSET_OUT_OF_RANGE; preferred_read_replica is ignored and"
        " nothing comes; records missing when rack is set"
    ),
    cause=(
        "With a replica selector the leader answers without records, and names a replica that is nearer. Clients"
        " that do not know that get stuck."
    ),
    remedy="Set no replica.selector.class until every consumer knows KIP-392.",
    sources=(
        "KIP-392",
        "KAFKA-8443",
        "apache/kafka commit 23beeea34bf",
        "IBM/sarama#1605",
        "IBM/sarama#1822",
        "behaviour fetch.followers_may_serve",
    ),
    shown="not",
    unshown=("it takes a second broker with another rack, and a story has one broker"),
)
