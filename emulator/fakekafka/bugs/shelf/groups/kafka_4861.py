"""KAFKA-4861: groups cannot be used where the broker's timestamps are append times."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play

BUG = Bug(
    id="KAFKA-4861",
    title="groups cannot be used where the broker's timestamps are append times",
    part="groups",
    kind="bug",
    releases="0.10.2.0",
    clients=("any consumer group",),
    symptom=(
        "INVALID_TIMESTAMP 32 in SyncGroup or OffsetCommit; group cannot be joined after the upgrade to"
        " 0.10.2.0; log.message.timestamp.type=LogAppendTime"
    ),
    cause=(
        "The broker's log.message.timestamp.type is LogAppendTime, the offsets topic has it too, and the"
        " coordinator's own messages, which say CreateTime, are refused."
    ),
    remedy="Upgrade to 0.10.2.1, or set message.timestamp.type=CreateTime on __consumer_offsets.",
    sources=("KAFKA-4861",),
    affected=Side("0.10.2.0", config={"log.message.timestamp.type": "LogAppendTime"}),
    cured=Side("0.10.2.1", config={"log.message.timestamp.type": "LogAppendTime"}),
    sees={"a commit": ("INVALID_TIMESTAMP", "NONE")},
)


def story(play: Play) -> None:
    play.topic()
    play.see("a commit", play.commit(0))
