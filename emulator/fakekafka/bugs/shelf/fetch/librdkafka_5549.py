"""LIBRDKAFKA-5549: librdkafka reads messages of formats 0 and 1 without keys and values."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.real_clients import RealClients
from fakekafka.bugs.sets import records, unit

BUG = Bug(
    id="LIBRDKAFKA-5549",
    title="librdkafka reads messages of formats 0 and 1 without keys and values",
    part="fetch",
    kind="scenario",
    releases="2.7.0 - 3.9.2",
    clients=("librdkafka 2.5.0 - 2.15.0",),
    symptom=(
        "null keys and values since the client was upgraded, offsets and timestamps are right; Unsupported"
        " Message(Set) MagicByte 97; consumer of a topic with an old message.format.version gets empty messages, no"
        " error from the broker"
    ),
    cause=(
        "From Fetch 12 on the answer has compact lengths, one byte or more, but keys and values of formats 0 and 1 have"
        " lengths of four bytes in every version. librdkafka 2.5 reads them as compact ones: their first byte, 0, is"
        " null."
    ),
    remedy=(
        "Upgrade to librdkafka 2.15.1, or stay at 2.4. A raised message format helps new messages only: old ones stay"
        " what they are."
    ),
    sources=("confluentinc/librdkafka#5549", "confluentinc/librdkafka#5504", "confluentinc/librdkafka#5550"),
    shown="by what a reader computes",
    affected=Side("2.8.2", config={"log.message.format.version": "0.10.2"}, reader="reads compact lengths"),
    cured=Side("2.8.2", config={"log.message.format.version": "0.10.2"}, reader="reads lengths of four bytes"),
    story_on="2.7.0 - 2.8.2",
    elsewhere="from 3.0 on it takes inter.broker.protocol.version 2.8 as well",
    sees={"formats in a Fetch 12": ([1], [1]), "the value that the application gets": (None, "value")},
    real_clients=RealClients("confluent-kafka==2.6.0", "confluent-kafka==2.4.0"),
)

KEY_AT = 26
"""Where the length of the key is in a message of format 1."""


def story(play: Play) -> None:
    play.topic()
    play.produce(unit(1, records(1, keys=[b"key"], value=b"value")), 2)
    (message,) = play.fetch(0, 12).units
    play.see("formats in a Fetch 12", [message.magic])
    play.tell(f"the client {play.side.reader}")
    data = bytes(message.data)
    if play.side.reader == "reads compact lengths":
        key = _compact(data, KEY_AT)
        play.tell(f"the key's length is {key - 1}, which is null; the value's length follows at once")
        value = _compact(data, KEY_AT + 1)
        play.see("the value that the application gets", None if value == 0 else data[KEY_AT + 2 :].decode())
    else:
        start = KEY_AT + 4 + int.from_bytes(data[KEY_AT : KEY_AT + 4], "big")
        play.see("the value that the application gets", data[start + 4 :].decode())


def _compact(data: bytes, at: int) -> int:
    """A length that fits into one byte; 0 is null, others are one more than the length."""
    return data[at]
