"""KAFKA-9137: live fetch sessions are evicted before idle ones."""

from fakekafka.bugs.bug import Bug

BUG = Bug(
    id="KAFKA-9137",
    title="live fetch sessions are evicted before idle ones",
    part="fetch",
    kind="bug",
    releases="1.1.0 - 2.4.1",
    clients=("kafka-clients >=1.1.0", "followers"),
    symptom=(
        "FETCH_SESSION_ID_NOT_FOUND again and again; full fetch requests, high network usage of followers;"
        " session cache thrashes"
    ),
    cause="A session does not become younger by being used, so that busy old ones are evicted for new ones.",
    remedy="A larger max.incremental.fetch.session.cache.slots; upgrade to 2.5.",
    sources=("KAFKA-9137", "behaviour fetch.session_use_noted"),
    shown="not",
    unshown=("its story is not written; the behaviour fetch.session_use_noted plays it, and its tests show both sides"),
)
