"""KAFKA-8730: offsets of topics that a group has left are kept for ever."""

from fakekafka.bugs.bug import Bug

BUG = Bug(
    id="KAFKA-8730",
    title="offsets of topics that a group has left stay for ever",
    part="groups",
    kind="era",
    releases="2.1.0 - 2.3.1",
    clients=("any consumer group",),
    symptom=(
        "lag alerts for topics that nobody reads any more; committed offsets never expire while the group has members"
    ),
    cause="From 2.1 on offsets expire only in groups without members, so those of a topic that the group left stay.",
    remedy="Delete them with kafka-consumer-groups --delete-offsets (2.4); upgrade to 2.4.",
    sources=("KAFKA-8730", "behaviour offsets.expires_in"),
    shown="not",
    unshown=("its story is not written; the behaviour offsets.expires_in plays it, and its tests show both sides"),
)
