"""NULL-RECORDS: null records for a partition end the connection, or get no answer at all."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import NO_ANSWER, Play, name_of
from fakekafka.bugs.stage import NoAnswer

BUG = Bug(
    id="NULL-RECORDS",
    title="null records for a partition end the connection, or get no answer at all",
    part="produce",
    kind="bug",
    releases="0.8.0 - 0.10.1.1, 0.10.2.1 -",
    clients=("any self-made producer",),
    symptom="produce request hangs for ever; two responses with one correlation id; connection closed",
    cause=(
        "Null records for a partition close the connection up to 2.7, get two answers up to 3.7, and none from"
        " 3.8 on, while the connection stays open."
    ),
    remedy="Leave out partitions without records.",
    sources=("no ticket", "behaviour produce.null_records"),
    affected=Side("3.9.1"),
    cured=Side("0.10.2.0"),
    story_on="3.8.0 -",
    elsewhere="up to 2.7 the connection is closed, and 2.8 to 3.7 send two answers",
    sees={"null instead of records": ("no answer", "UNKNOWN_SERVER_ERROR")},
)


def story(play: Play) -> None:
    play.topic()
    partition = {"index": 0, "records": None}
    topics = [{"name": "t", "partition_data": [partition]}]
    try:
        answer = play.call("Produce", play.known("Produce", 2), acks=-1, timeout_ms=1000, topic_data=topics)
    except NoAnswer:
        play.see("null instead of records", NO_ANSWER)
    else:
        play.see("null instead of records", name_of(answer.responses[0].partition_responses[0].error_code))
