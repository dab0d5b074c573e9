"""KAFKA-4893: a topic with a long name cannot be deleted."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play

BUG = Bug(
    id="KAFKA-4893",
    title="a topic with a long name cannot be deleted",
    part="segments",
    kind="bug",
    releases="0.10.2.0 - 2.2.1",
    clients=("any admin client",),
    symptom=(
        "File name too long; log directory goes offline after a topic was deleted; topic name of more than 200"
        " characters"
    ),
    cause="The directory is renamed to the name, a UUID and -delete, which is longer than a file system allows.",
    remedy="Use shorter names; upgrade to 2.2.2.",
    sources=("KAFKA-4893", "apache/kafka commit bda2a02ce7d", "behaviour log.deleted_directory"),
    affected=Side("2.2.1"),
    cured=Side("2.2.2"),
    story_on="1.0.0 - 2.2.1",
    elsewhere="up to 0.11 the deletion fails, and the broker goes on",
    sees={"after the deletion the broker": ("is down", "serves")},
)


def story(play: Play) -> None:
    name = "l" * 249
    play.topic(name)
    play.tell("a topic with 249 characters is deleted; its directory gets a name that is 42 characters longer")
    play.call("DeleteTopics", 0, topic_names=[name], timeout_ms=5000)
    play.see("after the deletion the broker", "serves" if play.ending("ApiVersions", 0) == "answered" else "is down")
