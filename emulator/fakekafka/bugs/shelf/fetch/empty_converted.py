"""EMPTY-CONVERTED: an old consumer gets stuck at transaction markers."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.sets import batch

BUG = Bug(
    id="EMPTY-CONVERTED",
    title="an old consumer gets stuck at transaction markers",
    part="fetch",
    kind="era",
    releases="0.11.0.0 - 1.1.1",
    clients=("kafka-clients <0.11.0", "pykafka", "kafka-python <1.4.0", "sarama <1.14.0"),
    symptom=(
        "consumer stuck at one offset with lag; high cpu on client and broker; fetch requests return at once"
        " without records; only topics written by transactional producers"
    ),
    cause=(
        "Fetch 0 to 3 at an offset where the slice holds only control batches or empty ones. The converter drops"
        " them: error 0, a high watermark ahead of the position, no bytes (1.1 sends the batches raw). min.bytes"
        " is judged before the conversion, so the broker answers at once, and the consumer asks for the same"
        " offset again."
    ),
    remedy=(
        "Upgrade consumers of transactional topics to 0.11 before producers use transactions. 2.0 sends a filler"
        " instead, see KIP-283-OVERFLOW."
    ),
    sources=("KIP-98", "recorded from 0.11.0.3, 1.0.2 and 1.1.1: fetch_formats"),
    affected=Side("1.0.2"),
    cured=Side("2.0.1"),
    story_on="0.11.0.0 - 1.0.2",
    elsewhere="1.1 sends the marker as it is stored, which an old client cannot read",
    sees={"bytes in the answer": (0, 12), "where the consumer stands after five fetches": (3, 3)},
)


def story(play: Play) -> None:
    play.topic()
    producer = play.begin_transaction("tx")
    play.produce(batch(producer=producer, transactional=True), 3, transactional_id="tx")
    play.end_transaction("tx", producer)
    play.tell("the three records were read with Fetch 3: next is the marker")
    position = 3
    for _ in range(5):
        fetched = play.fetch(position, 3)
        position = max([position, *(unit.last_offset + 1 for unit in fetched.units)])
    play.see("bytes in the answer", len(fetched.records))
    play.see("where the consumer stands after five fetches", position)
