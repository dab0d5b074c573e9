"""KAFKA-13636: offsets of groups that are not stable are deleted."""

from typing import Any

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play

BUG = Bug(
    id="KAFKA-13636",
    title="offsets of groups that are not stable are deleted",
    part="groups",
    kind="bug",
    releases="2.4.0 - 2.8.1, 3.0.0, 3.1.0",
    clients=("any consumer group",),
    symptom=(
        "committed offsets of an active group deleted; consumer reset to earliest after a long rebalance;"
        " offsets gone after a week although the group has members"
    ),
    cause=(
        "A group rebalances for long, and has offsets older than offsets.retention.minutes. The coordinator goes by"
        " the subscriptions of the last generation, so offsets of a topic that is new in this one count as unused."
    ),
    remedy="Upgrade to 2.8.2, 3.0.1 or 3.1.1, or keep offsets longer.",
    sources=("KAFKA-13636", "KAFKA-8730", "GroupMetadata of 2.8.1 and 2.8.2"),
    affected=Side("2.8.1", config={"offsets.retention.minutes": 60, "offsets.retention.check.interval.ms": 1000}),
    cured=Side("2.8.2", config={"offsets.retention.minutes": 60, "offsets.retention.check.interval.ms": 1000}),
    sees={"committed while a member joins": (-1, 2)},
)


def story(play: Play) -> None:
    play.topic()
    play.commit(2)
    play.advance(3_500_000)
    protocol = [{"name": "range", "metadata": b"\x00\x00" + b"\x00\x00\x00\x01\x00\x05other" + b"\xff\xff\xff\xff"}]
    member: dict[str, Any] = {"group_id": "g", "protocol_type": "consumer", "protocols": protocol, "member_id": ""}
    play.tell("a member that reads another topic joins, and has no assignment yet when the check runs")
    play.call("JoinGroup", 2, session_timeout_ms=1_800_000, rebalance_timeout_ms=1_800_000, **member)
    play.advance(700_000)
    play.see("committed while a member joins", play.committed())
