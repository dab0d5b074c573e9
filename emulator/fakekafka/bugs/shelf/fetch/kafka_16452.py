"""KAFKA-16452: a fetch beyond the high watermark waits instead of being answered."""

from fakekafka.bugs.bug import Bug

BUG = Bug(
    id="KAFKA-16452",
    title="a fetch beyond the high watermark waits instead of being answered",
    part="fetch",
    kind="bug",
    releases="0.8.0 - 3.7.2",
    clients=("followers", "any consumer"),
    symptom=(
        "consumer hangs until its timeout after unclean election; fetch at an offset beyond the log end waits;"
        " OffsetOutOfRange comes late"
    ),
    cause="An offset beyond the bound makes the request wait for data rather than be answered at once.",
    remedy="A smaller fetch.max.wait.ms; upgrade to 3.8.",
    sources=("KAFKA-16452", "behaviour fetch.offset_beyond_bound"),
    shown="not",
    unshown=(
        "its story is not written; the behaviour fetch.offset_beyond_bound plays it, and that one's tests show"
        " both sides"
    ),
)
