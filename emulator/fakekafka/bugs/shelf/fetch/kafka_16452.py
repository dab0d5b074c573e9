"""KAFKA-16452: a fetch beyond the high watermark waits instead of being answered."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.sets import batch

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
    remedy="Lower fetch.max.wait.ms; upgrade to 3.8.",
    sources=("KAFKA-16452", "apache/kafka commit 524ad1e14b1", "behaviour fetch.offset_beyond_bound"),
    affected=Side("3.7.2"),
    cured=Side("3.8.1"),
    story_on="0.11.0.0 - 3.7.2",
    elsewhere="the bound of the story is that of a transaction; older releases have none",
    sees={"a fetch beyond the last stable offset waits": (True, False)},
)


def story(play: Play) -> None:
    play.topic()
    producer = play.begin_transaction("tx")
    play.produce(batch(producer=producer, transactional=True), transactional_id="tx")
    play.tell("the transaction is open, so a committed reader may read up to offset 0; one asks for offset 2")
    partition = {"partition": 0, "fetch_offset": 2, "partition_max_bytes": 1000}
    topics = [{"topic": "t", "partitions": [partition]}]
    waits = play.waits("Fetch", 4, max_wait_ms=20_000, min_bytes=1, isolation_level=1, topics=topics)
    play.see("a fetch beyond the last stable offset waits", waits)
