"""KAFKA-13694: the answer for a bad record does not say what is wrong with it."""

from fakekafka.bugs.bug import Bug

BUG = Bug(
    id="KAFKA-13694",
    title="the answer for a bad record does not say what was wrong",
    part="timestamps",
    kind="era",
    releases="2.4.0 - 3.1.2",
    clients=("any producer",),
    symptom="InvalidRecordException, One or more records have been rejected; no reason in the producer's log",
    cause="Up to 3.1 the text of the answer is short; from 3.2 on it names the first bad records.",
    remedy="Look in server.log; upgrade to 3.2.",
    sources=("KAFKA-13694", "behaviour append.rejection_text"),
    shown="not",
    unshown=("its story is not written; the behaviour append.rejection_text plays it, and its tests show both sides"),
)
