"""FORMAT-LOWERED: after the format was lowered, old consumers get newer units unchanged."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.real_clients import RealClients
from fakekafka.bugs.sets import batch

BUG = Bug(
    id="FORMAT-LOWERED",
    title="after the format was lowered, old consumers get newer units unchanged",
    part="fetch",
    kind="era",
    releases="0.10.0.0 - 3.9.2",
    clients=("kafka-clients <0.11.0", "kafka-python <1.4.0", "pykafka", "sarama <1.14.0"),
    symptom=(
        "garbage keys and values; CRC mismatch; Unknown magic byte 2; message size exceptions in old consumers"
        " after message.format.version was set back"
    ),
    cause=(
        "A topic holds units of a newer format, and message.format.version is lowered. Whether a fetch is"
        " converted is decided by the configured format, so an old Fetch gets the newer units raw."
    ),
    remedy=(
        "Never lower the format of a topic that old clients read before everything written meanwhile has been"
        " deleted; from inter.broker.protocol.version 3.0 on every old fetch is converted."
    ),
    sources=(
        "KAFKA-12944",
        "apache/kafka#11078",
        "KafkaApis of 0.10.0.0 to 3.6.0",
        "recorded from 0.11.0.3 to 3.9.1: format_lowered",
    ),
    affected=Side("2.8.2"),
    cured=Side("3.2.3", config={"inter.broker.protocol.version": "3.2"}),
    story_on="0.11.0.0 - 2.8.2",
    elsewhere=(
        "from 3.0 on it takes inter.broker.protocol.version 2.8 as well; up to 0.10 it happens to formats 0 and 1"
    ),
    sees={"formats in a Fetch 3": ([2], [1, 1, 1])},
    real_clients=RealClients("pykafka==2.8.0", "kafka-python==2.0.2"),
)


def story(play: Play) -> None:
    play.topic()
    play.produce(batch(), 7)
    play.tell("message.format.version of the topic is set back to 0.10.2")
    play.configure(message_format_version="0.10.2")
    play.see("formats in a Fetch 3", play.fetch(0, 3).magics)
