"""OFFSET-VALUE-DOWNGRADE: after a rollback an older broker cannot read the committed offsets."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.sets import batch

BUG = Bug(
    id="OFFSET-VALUE-DOWNGRADE",
    title="after a rollback an older broker cannot read the committed offsets",
    part="groups",
    kind="era",
    releases="0.9.0.0 - 2.0.1",
    clients=("any consumer group",),
    symptom=(
        "all consumer groups lost their offsets after a rollback; rollback is impossible; Unknown offset message"
        " version; consumers start from auto.offset.reset after the downgrade"
    ),
    cause=(
        "From inter.broker.protocol.version 2.1 on offsets are written in version 2 or 3. An older broker throws"
        " at the first of these when it loads, counts the partition as loaded, and knows none of its offsets."
    ),
    remedy=(
        "Do not raise inter.broker.protocol.version before a rollback is ruled out; commit again after the downgrade."
    ),
    sources=("KIP-211", "KIP-320", "KIP-915", "recorded from 1.1.1 to 2.8.2: phases", "GroupMetadataManager of 2.0.0"),
    affected=Side("2.0.1", begins="2.3.1"),
    cured=Side("2.1.1", begins="2.3.1"),
    sees={"committed before": (2, 2), "committed after the rollback": (-1, 2)},
)


def story(play: Play) -> None:
    play.topic()
    play.produce(batch(), 7)
    play.commit(2)
    play.see("committed before", play.committed())
    play.restart(play.side.release)
    play.see("committed after the rollback", play.committed())
