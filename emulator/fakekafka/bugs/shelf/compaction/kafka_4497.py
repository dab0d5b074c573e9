"""KAFKA-4497: the time index of a cleaned segment points at the wrong message."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.sets import GZIP, NOW, records, unit

BUG = Bug(
    id="KAFKA-4497",
    title="the time index of a cleaned segment points at the wrong message",
    part="compaction",
    kind="bug",
    releases="0.10.1.0",
    clients=("any consumer that seeks by time",),
    symptom="offsetsForTimes gives a wrong offset on compacted topics; time index and log disagree after compaction",
    cause="The offset beside the largest timestamp is that of the wrapper that was read last, not of the message.",
    remedy="Upgrade to 0.10.1.1.",
    sources=("KAFKA-4497", "apache/kafka commit 5b869e7ee4c", "behaviour cleaner.offset_of_max_timestamp"),
    affected=Side("0.10.1.0"),
    cured=Side("0.10.1.1"),
    sees={"offset beside the newest timestamp": (1, 0)},
)


def story(play: Play) -> None:
    play.topic(cleanup_policy="compact")
    rows = records(3, keys=[b"a", b"b", b"c"])
    newest_first = [rows[0]._replace(timestamp=NOW + 1000), *rows[1:]]
    play.produce(unit(1, newest_first, GZIP), 2)
    play.produce(unit(1, records(1, keys=[b"c"])), 2)
    play.tell("of the wrapper the newest record, at offset 0, stays, and the one at offset 1")
    play.compact()
    entry = (play.file("t-0/00000000000000000000.timeindex") or b"")[:12]
    play.see("offset beside the newest timestamp", int.from_bytes(entry[8:], "big"))
