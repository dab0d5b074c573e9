"""KAFKA-6238: the broker does not start although format and protocol imply the same message format."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play

BUG = Bug(
    id="KAFKA-6238",
    title="the broker does not start although format and protocol imply the same message format",
    part="negotiation",
    kind="bug",
    releases="0.11.0.0 - 1.0.0",
    clients=("operators",),
    symptom=(
        "broker does not start during an upgrade as documented; log.message.format.version cannot be set to a"
        " version higher than inter.broker.protocol.version; requirement failed"
    ),
    cause=(
        "log.message.format.version is 1.0 and inter.broker.protocol.version 0.11.0. Both mean format 2, but"
        " 0.11.0 and 1.0.0 compare versions, not formats."
    ),
    remedy="Set log.message.format.version to that of the protocol; upgrade to 1.0.1.",
    sources=(
        "KAFKA-6238",
        "KAFKA-6210",
        "asked of 1.0.0 and 1.0.1",
        "recorded from 0.11.0.3 and 1.0.2: illegal_configs",
    ),
    affected=Side("1.0.0"),
    cured=Side("1.0.1"),
    sees={"the broker starts": (False, True)},
)


def story(play: Play) -> None:
    settings = {"inter.broker.protocol.version": "0.11.0", "log.message.format.version": "1.0"}
    play.tell("the first step of an upgrade to 1.0: protocol 0.11.0, format 1.0")
    play.see("the broker starts", play.starts(config=settings))
