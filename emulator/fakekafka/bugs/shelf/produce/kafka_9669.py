"""KAFKA-9669: compressed records whose offsets are not 0, 1, 2 and so on are refused."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.sets import GZIP, NOW, compress, message

BUG = Bug(
    id="KAFKA-9669",
    title="compressed records whose offsets are not 0, 1, 2 and so on are refused",
    part="produce",
    kind="bug",
    releases="2.4.0 - 2.5.0",
    clients=("sarama <1.16.0", "kafka-node"),
    symptom=(
        "INVALID_RECORD 87 since the upgrade to 2.4; This record has failed the validation on broker and hence"
        " be rejected; kafka-node producer stopped working; Inner record inside the compressed record batch does"
        " not have incremental offsets"
    ),
    cause=(
        "A wrapper of format 1 whose inner offsets do not count from 0, as old clients write them (all 0). 2.4.0"
        " to 2.5.0 refuse what all other releases rewrite silently."
    ),
    remedy="Upgrade brokers to 2.5.1 or 2.6.0, or the client; producers without compression are not affected.",
    sources=("KAFKA-9669", "KAFKA-8106", "SOHU-Co/kafka-node#1388", "recorded from 2.3.1 and 2.4.1: produce_shapes"),
    affected=Side("2.4.1"),
    cured=Side("2.5.1"),
    story_on="2.4.1 - 2.5.0",
    elsewhere="2.4.0 answers UNKNOWN_SERVER_ERROR to this version of Produce (KAFKA-9492)",
    sees={"inner offsets 0, 0, 0": ("INVALID_RECORD", "NONE"), "records stored": (0, 3)},
)


def story(play: Play) -> None:
    play.topic()
    play.tell("an old client compresses three messages, and numbers all of them 0")
    inside = b"".join(message(1, 0, NOW, 0, None, value) for value in (b"a", b"b", b"c"))
    play.see("inner offsets 0, 0, 0", play.produce(message(1, 0, NOW, GZIP, None, compress(GZIP, inside)), 2).error)
    play.see("records stored", play.fetch(0, 4).high_watermark)
