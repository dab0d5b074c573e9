"""KAFKA-8653: whoever is in a group loses its place when an old client joins."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play, name_of

BUG = Bug(
    id="KAFKA-8653",
    title="whoever is in a group loses its place when an old client joins",
    part="groups",
    kind="bug",
    releases="2.3.0",
    clients=("kafka-clients 0.9.0 - 0.10.0",),
    symptom=(
        "UNKNOWN_MEMBER_ID for healthy members whenever a consumer starts; endless rebalances of old consumers;"
        " partitions that are read twice"
    ),
    cause=(
        "JoinGroup 0 has no rebalance timeout. The broker takes the new field's default, -1, for it, so a rebalance"
        " waits for nobody, instead of for the session timeout."
    ),
    remedy="Upgrade brokers to 2.3.1, or clients to 0.10.1.",
    sources=("KAFKA-8653", "behaviour groups.join_0_rebalance_timeout"),
    affected=Side("2.3.0"),
    cured=Side("2.3.1"),
    sees={
        "the second consumer waits until the first has joined again": (False, True),
        "what the first consumer's heartbeat is told": ("UNKNOWN_MEMBER_ID", "REBALANCE_IN_PROGRESS"),
    },
)


def story(play: Play) -> None:
    play.topic()
    first = play.join("g", session_timeout_ms=10_000)
    play.tell("a second consumer joins, while the first one is well")
    waits = play.waits("JoinGroup", 0, group_id="g", session_timeout_ms=10_000, protocol_type="consumer",
                       protocols=[{"name": "range", "metadata": bytes(10)}])  # fmt: skip
    play.see("the second consumer waits until the first has joined again", waits)
    answer = play.call("Heartbeat", 0, group_id="g", generation_id=first.generation, member_id=first.id)
    play.see("what the first consumer's heartbeat is told", name_of(answer.error_code))
