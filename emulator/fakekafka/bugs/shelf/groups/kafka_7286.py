"""KAFKA-7286: a group whose metadata is larger than the load buffer is never loaded."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play

BUG = Bug(
    id="KAFKA-7286",
    title="a group whose metadata is larger than the load buffer is never loaded",
    part="groups",
    kind="bug",
    releases="0.8.2.0 - 2.0.0",
    clients=("any large consumer group",),
    symptom=(
        "COORDINATOR_LOAD_IN_PROGRESS for ever after a restart; very large consumer group; metadata record"
        " larger than 5 MB"
    ),
    cause=(
        "The portion in which groups are loaded does not grow for a record that is larger, so that the same"
        " bytes are read again and again."
    ),
    remedy="Raise offsets.load.buffer.size; upgrade to 2.0.1.",
    sources=("KAFKA-7286",),
    affected=Side("2.0.0"),
    cured=Side("2.0.1"),
    story_on="0.9.0.0 - 2.0.0",
    elsewhere="members came with 0.9",
    sees={"the group is loaded after a restart with a small buffer": (False, True)},
)


def story(play: Play) -> None:
    play.topic()
    play.join("g", session_timeout_ms=10_000, topics=[f"topic-{n}" * 10 for n in range(10)])
    play.tell("the group's metadata take more than the 300 bytes that are loaded at once")
    play.restart(config={"offsets.load.buffer.size": 300})
    play.advance(1000)
    play.see("the group is loaded after a restart with a small buffer", play.group_error() == "NONE")
