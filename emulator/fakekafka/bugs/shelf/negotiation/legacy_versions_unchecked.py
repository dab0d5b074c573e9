"""LEGACY-VERSIONS-UNCHECKED: old brokers answer versions that they do not know in another layout."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import CLOSED, Play
from fakekafka.bugs.sets import records, unit
from fakekafka.bugs.stage import Closed
from fakekafka.errors import MalformedBytes

BUG = Bug(
    id="LEGACY-VERSIONS-UNCHECKED",
    title="old brokers answer versions that they do not know in another layout",
    part="negotiation",
    kind="era",
    releases="0.8.0 - 0.10.1.1",
    clients=("sarama", "any self-made client"),
    symptom="client cannot decode the response of an old broker; Produce 2 answered as 1, Fetch 3 answered as 2",
    cause=(
        "The version is not checked for APIs that are read by Scala classes. The request is read and answered in"
        " the newest known version."
    ),
    remedy="Tell the client the broker's release.",
    sources=("no ticket", "behaviour connection.unchecked_versions"),
    affected=Side("0.9.0.1"),
    cured=Side("0.10.2.2"),
    story_on="0.8.0 - 0.9.0.1",
    elsewhere="0.10 checks the versions of Produce, but not those of Fetch",
    sees={"Produce one version too new": ("an answer of another layout", "the connection is closed")},
)


def story(play: Play) -> None:
    play.topic()
    too_new = play.newest("Produce") + 1
    partition = {"index": 0, "records": unit(0, records(1, time=-1))}
    topics = [{"name": "t", "partition_data": [partition]}]
    try:
        play.call("Produce", too_new, acks=-1, timeout_ms=1000, topic_data=topics)
    except Closed:
        play.see("Produce one version too new", CLOSED)
    except MalformedBytes:
        play.see("Produce one version too new", "an answer of another layout")
