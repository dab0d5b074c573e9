"""KAFKA-2189: snappy sets compress far less in 0.8.2.0 and 0.8.2.1."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.sets import SNAPPY, records, unit
from fakekafka.records import xerial
from fakekafka.records.message import Message

BUG = Bug(
    id="KAFKA-2189",
    title="snappy sets compress far less in 0.8.2.0 and 0.8.2.1",
    part="compression",
    kind="bug",
    releases="0.8.2.0 - 0.8.2.1",
    clients=("any producer with snappy",),
    symptom=("snappy compressed topics take 2 to 4 times more disk and network after an upgrade to 0.8.2.0 or 0.8.2.1"),
    cause=(
        "snappy-java 1.1.1.6 makes a block of every small write, and a broker writes message by message when it"
        " rebuilds a set. The ticket names 0.8.2.1 alone; 0.8.2.0 comes with the same snappy-java, and does the same."
    ),
    remedy="Upgrade to 0.8.2.2, which has snappy-java 1.1.1.7.",
    sources=("KAFKA-2189", "behaviour append.snappy_block"),
    affected=Side("0.8.2.1"),
    cured=Side("0.8.2.2"),
    sees={"bytes in the blocks of a stored set of five messages": ([996, 316, 328], [1640])},
)


def story(play: Play) -> None:
    play.topic()
    play.produce(unit(0, records(5, time=-1, value=b"v" * 300), SNAPPY), 0)
    (wrapper,) = play.log()
    assert isinstance(wrapper, Message)
    blocks = [len(block) for block in xerial.read(wrapper.value or b"", 1 << 20)]
    play.see("bytes in the blocks of a stored set of five messages", blocks)
