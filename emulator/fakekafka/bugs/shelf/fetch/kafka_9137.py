"""KAFKA-9137: live fetch sessions are evicted before idle ones."""

from typing import Any

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play, name_of

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
    remedy="Raise max.incremental.fetch.session.cache.slots; upgrade to 2.5.",
    sources=("KAFKA-9137", "apache/kafka commit a4cbdc6a7b3", "behaviour fetch.session_use_noted"),
    affected=Side("2.4.1", config={"max.incremental.fetch.session.cache.slots": 1}),
    cured=Side("2.5.1", config={"max.incremental.fetch.session.cache.slots": 1}),
    sees={"the next fetch of the busy session": ("FETCH_SESSION_ID_NOT_FOUND", "NONE")},
)


def story(play: Play) -> None:
    play.topic()
    session = _fetch(play, 0, 0).session_id
    play.advance(120_000)
    play.tell("the session is used, and a moment later another consumer begins one; there is room for one session")
    _fetch(play, session, 1)
    play.advance(1)
    _fetch(play, 0, 0)
    play.see("the next fetch of the busy session", name_of(_fetch(play, session, 2).error_code))


def _fetch(play: Play, session: int, epoch: int) -> Any:
    partition = {"partition": 0, "fetch_offset": 0, "partition_max_bytes": 1000}
    topics = [{"topic": "t", "partitions": [partition]}] if epoch == 0 else []
    return play.call("Fetch", 7, max_wait_ms=0, session_id=session, session_epoch=epoch, topics=topics)
