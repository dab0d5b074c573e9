"""KAFKA-15583: min.insync.replicas above the number of replicas refuses everything."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.real_clients import RealClients, Sends
from fakekafka.bugs.sets import batch

BUG = Bug(
    id="KAFKA-15583",
    title="min.insync.replicas above the number of replicas refuses everything",
    part="produce",
    kind="era",
    releases="0.8.2.0 - 3.6.2",
    clients=("any producer that waits for all replicas",),
    symptom=(
        "NOT_ENOUGH_REPLICAS for every produce to a topic with one replica; min.insync.replicas=2 and"
        " replication factor 1"
    ),
    cause=(
        "The configured minimum counts even if a topic has fewer replicas. From 3.7 on it is capped at the number"
        " of replicas."
    ),
    remedy="Set min.insync.replicas on the topic; upgrade to 3.7.",
    sources=("KAFKA-15583", "apache/kafka commit edc7e10a745", "behaviour produce.min_in_sync_capped"),
    affected=Side("3.6.2"),
    cured=Side("3.7.0"),
    sees={"two in-sync replicas wanted, one replica": ("NOT_ENOUGH_REPLICAS", "NONE")},
    real_clients=RealClients("kafka-python==2.0.2", sends=Sends(topic={"min.insync.replicas": "2"})),
)


def story(play: Play) -> None:
    play.topic(min_insync_replicas=2)
    play.tell("the topic has one replica; a producer waits for all in-sync ones")
    play.see("two in-sync replicas wanted, one replica", play.produce(batch(), 9).error)
