"""KAFKA-10702: an empty transaction leaves an entry in the index of aborted ones."""

from fakekafka.bugs.bug import Bug

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
    sources=("KAFKA-10702", "behaviour log.empty_transaction_completes"),
    shown="not",
    unshown=(
        "its story is not written; the behaviour log.empty_transaction_completes plays it, and that one's tests"
        " show both sides"
    ),
)
