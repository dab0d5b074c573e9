"""GROUP-INITIAL-DELAY: a new group waits three seconds before it begins."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play

BUG = Bug(
    id="GROUP-INITIAL-DELAY",
    title="a new group waits three seconds before it begins",
    part="groups",
    kind="era",
    releases="0.11.0.0 -",
    clients=("any consumer group",),
    symptom=(
        "consumer tests take 3 seconds longer since 0.11; first poll returns nothing for 3 seconds; slow start"
        " of the first consumer"
    ),
    cause=(
        "group.initial.rebalance.delay.ms, 3000 by default, holds the first join back so that other members can"
        " come (KIP-134)."
    ),
    remedy="Set group.initial.rebalance.delay.ms=0 in test environments.",
    sources=("KIP-134", "KAFKA-4925", "apache/kafka commit ed59f742b0b", "behaviour groups.initial_delay"),
    affected=Side("0.11.0.3", config={"group.initial.rebalance.delay.ms": 3000}),
    cured=Side("0.10.2.2"),
    sees={"the first member waits for others": (True, False)},
)


def story(play: Play) -> None:
    play.call("FindCoordinator", 0, key="g")
    play.tell("group.initial.rebalance.delay.ms is 3000, the default from 0.11 on")
    protocols = [{"name": "range", "metadata": b""}]
    waits = play.waits(
        "JoinGroup",
        play.known("JoinGroup", 0),
        group_id="g",
        session_timeout_ms=10_000,
        protocol_type="consumer",
        protocols=protocols,
    )
    play.see("the first member waits for others", waits)
