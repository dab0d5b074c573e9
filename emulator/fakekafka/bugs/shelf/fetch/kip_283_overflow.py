"""KIP-283-OVERFLOW: an answer that a conversion does not fill ends in a unit that looks truncated, and some clients
give up.
"""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.real_clients import RealClients
from fakekafka.bugs.sets import batch

BUG = Bug(
    id="KIP-283-OVERFLOW",
    title="an answer that a conversion does not fill ends in a unit that looks truncated, and some clients give up",
    part="fetch",
    kind="era",
    releases="2.0.0 - 3.9.2",
    clients=("kafka-clients <0.11.0", "pykafka", "librdkafka <0.11.0", "sarama <1.18.0", "kafka-python <1.4.0"),
    symptom=(
        "RecordTooLargeException; There are some messages at partition whose size is larger than the fetch size"
        " and hence cannot be ever returned; failed to make progress; MSG_SIZE_TOO_LARGE; consumer raises its"
        " fetch size up to the limit"
    ),
    cause=(
        "Fetch 0 to 3 from 2.0 on has a length that is promised before the conversion. What is missing is filled"
        " with a unit that claims to be longer than the answer; where nothing is left it is 12 bytes. Clients"
        " take that for a message that is larger than their fetch size."
    ),
    remedy="Upgrade consumers of transactional or compacted topics to 0.11; 4.0 no longer converts.",
    sources=("KIP-283", "KAFKA-6927", "IBM/sarama#3006", "afkak#45", "recorded from 2.0.1 to 3.9.1: fetch_formats"),
    affected=Side("2.3.1", reader="Fetch 3"),
    cured=Side("2.3.1", reader="Fetch 4"),
    sees={"the answer at a marker": ("ffffffffffffffff0000003d", "78 bytes of a control batch")},
    real_clients=RealClients("pykafka==2.8.0", "kafka-python==2.3.3"),
)


def story(play: Play) -> None:
    play.topic()
    producer = play.begin_transaction("tx")
    play.produce(batch(producer=producer, transactional=True), 7, transactional_id="tx")
    play.end_transaction("tx", producer)
    play.tell(f"a consumer comes to the marker with {play.side.reader}")
    fetched = play.fetch(3, int(play.side.reader.split()[1]))
    what = f"{len(fetched.records)} bytes of a control batch" if fetched.units else fetched.records.hex()
    play.see("the answer at a marker", what)
