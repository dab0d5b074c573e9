"""TOPIC-FORMAT-NOT-EXCLUDED: a topic format newer than the protocol is applied although the broker says it is not."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.sets import records, unit

BUG = Bug(
    id="TOPIC-FORMAT-NOT-EXCLUDED",
    title="a topic's format that is newer than the protocol is applied although the broker says it is not",
    part="negotiation",
    kind="bug",
    releases="0.10.0.0 - 0.10.2.2",
    clients=("kafka-clients <0.10.0", "followers of an older release"),
    symptom=(
        "followers of 0.9 stop during a rolling upgrade; magic 1 in a cluster whose"
        " inter.broker.protocol.version is 0.9; Topic configuration message.format.version is ignored in"
        " server.log"
    ),
    cause=(
        "A topic's message.format.version is newer than inter.broker.protocol.version. The check that should exclude"
        " it compares a string with an option, and never matches: the warning is logged and the format is applied."
        " From 0.11 to 2.8 it is applied when the topic is created, and ignored from the next start on."
    ),
    remedy="Set no topic's format before the protocol is raised everywhere.",
    sources=("ConfigHandler of 0.10.0.0 and 0.11.0.0", "recorded from 0.10.2.2 to 2.8.2: illegal_configs"),
    affected=Side("0.10.2.2", config={"inter.broker.protocol.version": "0.9.0", "log.message.format.version": "0.9.0"}),
    cured=Side("0.11.0.3", config={"inter.broker.protocol.version": "0.9.0", "log.message.format.version": "0.9.0"}),
    sees={"formats stored after a restart": ([1, 1, 1], [0, 0, 0])},
)


def story(play: Play) -> None:
    play.topic(message_format_version="0.10.0")
    play.restart()
    play.produce(unit(1, records()), 2)
    play.see("formats stored after a restart", [one.magic for one in play.log()])
