"""KAFKA-13694: the answer for a bad record does not say what is wrong with it."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.sets import batch, records

BUG = Bug(
    id="KAFKA-13694",
    title="the answer for a bad record does not say what is wrong with it",
    part="timestamps",
    kind="era",
    releases="2.5.0 - 3.1.2",
    clients=("any producer",),
    symptom="InvalidRecordException, One or more records have been rejected; no reason in the producer's log",
    cause="Up to 3.1 the text of the answer is short; from 3.2 on it names the first bad records.",
    remedy="Look in server.log; upgrade to 3.2.",
    sources=("KAFKA-13694", "apache/kafka commit 3be978464ca", "behaviour append.rejection_text"),
    affected=Side("3.1.2"),
    cured=Side("3.2.3"),
    sees={
        "what the answer says about the record": (
            "One or more records have been rejected",
            (
                "One or more records have been rejected due to 1 record errors in total, and only showing the first "
                "three errors at most: [RecordError(batchIndex=0, message='Compacted topic cannot accept message"
                " without key in topic partition t-0.')]"
            ),
        )
    },
)


def story(play: Play) -> None:
    play.topic(cleanup_policy="compact")
    partition = {"index": 0, "records": batch(records(1, keys=[None]))}
    topics = [{"name": "t", "partition_data": [partition]}]
    play.tell("a producer sends a record without a key to a compacted topic")
    answer = play.call("Produce", 8, acks=-1, timeout_ms=1000, topic_data=topics)
    play.see("what the answer says about the record", answer.responses[0].partition_responses[0].error_message)
