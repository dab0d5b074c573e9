"""KAFKA-9200: a ListOffsets 5 request that fails as a whole gets no answer."""

from fakekafka.bugs.bug import Bug

BUG = Bug(
    id="KAFKA-9200",
    title="a ListOffsets 5 request that fails as a whole gets no answer",
    part="timestamps",
    kind="bug",
    releases="2.3.0 - 2.3.1",
    clients=("kafka-clients =2.3",),
    symptom=(
        "ListOffsets request times out instead of failing; IllegalArgumentException, Version 5 is not valid, in"
        " getErrorResponse"
    ),
    cause="Handling the request fails, and the answer for the failure cannot be built for version 5.",
    remedy="Upgrade to 2.4; the failure behind it is a separate one.",
    sources=("KAFKA-9200",),
    shown="not",
    unshown="nothing that a client can send makes ListOffsets fail as a whole",
)
