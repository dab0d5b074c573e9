"""KAFKAJS-188: kafkajs sends timestamp 0, and retention deletes the records."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.real_clients import RealClients, Sends
from fakekafka.bugs.sets import NOW, batch, records

BUG = Bug(
    id="KAFKAJS-188",
    title="kafkajs sends timestamp 0, and retention deletes the records",
    part="produce",
    kind="scenario",
    releases="0.11.0.0 -",
    clients=("kafkajs <1.4.4",),
    symptom=(
        "messages dated 1970-01-01; messages disappear minutes after they were produced; offsetsForTimes finds nothing"
    ),
    cause=(
        "Produce 3 without an explicit timestamp: an undefined one becomes 0 on the wire. The records count as"
        " 50 years old, and are deleted as soon as their segment is rolled."
    ),
    remedy="Upgrade to kafkajs 1.4.4; or message.timestamp.type=LogAppendTime on the topic.",
    sources=("tulios/kafkajs#188",),
    shown="by what a reader computes",
    affected=Side("2.3.1", reader="timestamp 0"),
    cured=Side("2.3.1", reader="timestamp of now"),
    story_on="0.11.0.0 - 4.0.2",
    elsewhere="from 4.1 on a segment has at least 1 MiB",
    sees={"first offset ten minutes later": (6, 0)},
    real_clients=RealClients("kafkajs==1.4.0", "kafkajs==1.4.5", Sends()),
)


def story(play: Play) -> None:
    play.topic(segment_bytes=220)
    time = 0 if play.side.reader == "timestamp 0" else NOW
    for _ in range(2):
        play.produce(batch(records(time=time, value=b"v" * 30)), 3)
    play.tell("two batches, the first one in a segment that is rolled; ten minutes pass")
    play.advance(600_000)
    play.see("first offset ten minutes later", play.list_offset(-2, 1)[1])
