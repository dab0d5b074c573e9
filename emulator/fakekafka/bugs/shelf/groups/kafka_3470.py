"""KAFKA-3470: a member that only commits is thrown out."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play, name_of
from fakekafka.bugs.sets import records, unit

BUG = Bug(
    id="KAFKA-3470",
    title="a member that only commits is thrown out",
    part="groups",
    kind="bug",
    releases="0.9.0.0 - 0.9.0.1",
    clients=("kafka-clients =0.9", "kafka-python"),
    symptom=(
        "CommitFailedException; group rebalances although members commit regularly; session timeout while processing"
    ),
    cause="Only heartbeats and joins count as signs of life, commits do not.",
    remedy="Raise session.timeout.ms; upgrade to 0.10.",
    sources=("KAFKA-3470", "apache/kafka commit f4d3d286589", "behaviour offsets.commit_keeps_session"),
    affected=Side("0.9.0.1"),
    cured=Side("0.10.0.1"),
    sees={"the member's next heartbeat": ("UNKNOWN_MEMBER_ID", "NONE")},
)


def story(play: Play) -> None:
    play.topic()
    play.produce(unit(0, records(time=-1)), 1)
    member = play.join("g", session_timeout_ms=6000)
    play.tell("the member commits every four seconds; its session lasts six")
    for _ in range(3):
        play.advance(4000)
        play.commit(2, member=member)
    answer = play.call("Heartbeat", 0, group_id="g", generation_id=member.generation, member_id=member.id)
    play.see("the member's next heartbeat", name_of(answer.error_code))
