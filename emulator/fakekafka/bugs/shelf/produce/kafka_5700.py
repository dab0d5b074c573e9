"""KAFKA-5700: the Java producer loses headers when it splits a batch that is too large."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.sets import batch, records

BUG = Bug(
    id="KAFKA-5700",
    title="the Java producer loses headers when it splits a batch that is too large",
    part="produce",
    kind="scenario",
    releases="0.11.0.0 -",
    clients=("kafka-clients =0.11.0.0",),
    symptom="headers missing on some records only; large batches; MESSAGE_TOO_LARGE in the producer's log before",
    cause=(
        "The broker answers MESSAGE_TOO_LARGE (10) for a batch of several records. The producer of 0.11.0.0"
        " splits it, and makes the new batches without headers."
    ),
    remedy="Upgrade to kafka-clients 0.11.0.1; or max.message.bytes at least as large as the producers' batch.size.",
    sources=("KAFKA-5700",),
    shown="by what a reader computes",
    affected=Side("2.3.1", reader="splits without headers"),
    cured=Side("2.3.1", reader="splits with headers"),
    no_client=(
        "its producer splits a batch into parts of batch.size, so only a compression ratio that was estimated"
        " wrongly makes one that is too large, and no driver can bring that about"
    ),
    sees={"the large batch": ("MESSAGE_TOO_LARGE", "MESSAGE_TOO_LARGE"), "headers that arrive": (0, 3)},
)


def story(play: Play) -> None:
    play.topic(max_message_bytes=300)
    rows = records(3, value=b"v" * 150, header=True)
    play.see("the large batch", play.produce(batch(rows), 7).error)
    play.tell(f"the producer {play.side.reader}")
    keeps = play.side.reader == "splits with headers"
    for row in rows:
        play.produce(batch([row._replace(offset=0, headers=row.headers if keeps else ())]), 7)
    play.see("headers that arrive", sum(len(r.headers) for unit in play.fetch(0, 4).units for r in unit.records()))
