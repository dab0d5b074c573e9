"""KAFKA-9629: an unknown isolation level closes the connection."""

from fakekafka.bugs.bug import Bug

BUG = Bug(
    id="KAFKA-9629",
    title="an unknown isolation level closes the connection",
    part="fetch",
    kind="bug",
    releases="0.11.0.0 - 2.6.3",
    clients=("any self-made client",),
    symptom="connection closed on ListOffsets or Fetch; IllegalArgumentException, Unknown isolation level",
    cause="The parser of the request throws for isolation level 2, instead of answering an error.",
    remedy="Send 0 or 1; 2.7 answers -1.",
    sources=("KAFKA-9629", "behaviour fetch.unknown_isolation"),
    shown="not",
    unshown=("its story is not written; the behaviour fetch.unknown_isolation plays it, and its tests show both sides"),
)
