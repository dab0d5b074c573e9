"""SECONDS-AS-MS: timestamps in seconds make new data look 50 years old."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.sets import NOW, batch, records

BUG = Bug(
    id="SECONDS-AS-MS",
    title="timestamps in seconds make new data look 50 years old",
    part="timestamps",
    kind="scenario",
    releases="0.10.1.0 -",
    clients=("any producer that sends seconds",),
    symptom=(
        "messages disappear minutes after they were produced; data deleted too early; retention deletes"
        " everything; messages dated January 1970"
    ),
    cause=(
        "A client sends Unix seconds where milliseconds are meant. Segments date from January 1970, and are deleted"
        " at the next check after they are rolled."
    ),
    remedy=(
        "Repair the producer; or set message.timestamp.type=LogAppendTime on the topic, or"
        " message.timestamp.before.max.ms (3.6)."
    ),
    sources=("confluentinc/librdkafka#1238", "KIP-32"),
    shown="by what a reader computes",
    affected=Side("2.3.1", reader="seconds"),
    cured=Side("2.3.1", reader="milliseconds"),
    no_client="the fault is in programs that use a library, and not in a library",
    story_on="0.10.1.0 - 4.0.2",
    elsewhere="from 4.1 on a segment has at least 1 MiB",
    sees={"records left after ten minutes": (0, 6)},
)


def story(play: Play) -> None:
    play.topic(segment_bytes=220)
    time = NOW // 1000 if play.side.reader == "seconds" else NOW
    for _ in range(2):
        play.produce(batch(records(time=time, value=b"v" * 30)), 3)
    play.advance(600_000)
    first = play.list_offset(-2, 1)[1]
    play.see("records left after ten minutes", play.fetch(first, 4).high_watermark - first)
