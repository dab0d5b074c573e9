"""KAFKA-4298: the cleaner puts messages of one format into a wrapper of another, which no client can read."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.real_clients import RealClients
from fakekafka.bugs.sets import GZIP, records, unit

BUG = Bug(
    id="KAFKA-4298",
    title="the cleaner puts messages of one format into a wrapper of another, which no client can read",
    part="compaction",
    kind="bug",
    releases="0.10.0.1",
    clients=("any consumer of compacted topics with compression",),
    symptom=(
        "Inner record magic does not match outer magic; InvalidRecordException, consumer cannot read a compacted"
        " topic after the upgrade to 0.10.0.1; cleaner died"
    ),
    cause=(
        "Compaction of a compressed set of format 0 in a topic of format 1 makes a new wrapper in the topic's"
        " format around unchanged messages. The cleaner itself dies of it as soon as it reads it: in a later pass, or"
        " at once if the wrapper is the first thing that it writes."
    ),
    remedy="Upgrade to 0.10.1; its cleaner writes both in one format, and heals such wrappers when it meets them.",
    sources=("KAFKA-4298", "apache/kafka commit fc1551d40d5", "recorded from 0.10.0.1: storage_compact mixed"),
    affected=Side("0.10.0.1"),
    cured=Side("0.10.1.0"),
    sees={
        "format of the wrapper": (1, 0),
        "formats inside": ([0], [0]),
        "a pass that writes such a wrapper first": ("the cleaner stops", "done"),
    },
    real_clients=RealClients("kafka-python==2.0.2"),
)


def story(play: Play) -> None:
    for name, first in (("t", [unit(0, records(1, keys=[b"first"]))]), ("u", [])):
        play.topic(name, cleanup_policy="compact", message_format_version="0.9.0")
        for data in (*first, unit(0, records(), GZIP), unit(0, records(1, keys=[b"k1"]))):
            play.produce(data, 1, topic=name)
        play.configure(name, message_format_version="0.10.0", cleanup_policy="compact")
    play.tell("the wrapper is the second unit of t, and the first one of u")
    play.compact("t")
    wrapper = play.log("t")[1]
    play.see("format of the wrapper", wrapper.magic)
    play.see("formats inside", sorted(getattr(wrapper, "magics_inside", ())))
    play.see("a pass that writes such a wrapper first", play.compact("u"))
