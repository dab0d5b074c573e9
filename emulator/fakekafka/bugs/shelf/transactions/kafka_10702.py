"""KAFKA-10702: an empty transaction leaves an entry in the index of aborted ones."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play

BUG = Bug(
    id="KAFKA-10702",
    title="an empty transaction leaves an entry in the index of aborted ones",
    part="transactions",
    kind="bug",
    releases="0.11.0.0 - 2.7.2",
    clients=("kafka-clients >=0.11.0",),
    symptom="aborted transactions listed that never were; many entries in .txnindex; slow read_committed fetches",
    cause="An abort marker without data counts as a transaction that began and ended there.",
    remedy="Upgrade to 2.8.",
    sources=("KAFKA-10702", "apache/kafka commit e7de280b0f1", "behaviour log.empty_transaction_completes"),
    affected=Side("2.7.2"),
    cured=Side("2.8.2"),
    sees={"aborted transactions that are listed for a consumer": (1, 0), "bytes of the index": (34, 0)},
)


def story(play: Play) -> None:
    play.topic()
    play.tell("a transaction adds the partition, writes nothing to it, and is aborted")
    producer = play.begin_transaction("tx")
    play.end_transaction("tx", producer, commit=False)
    play.see("aborted transactions that are listed for a consumer", len(play.fetch(committed=True).aborted))
    play.see("bytes of the index", len(play.file("t-0/00000000000000000000.txnindex") or b""))
