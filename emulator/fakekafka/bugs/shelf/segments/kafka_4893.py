"""KAFKA-4893: a topic with a long name cannot be deleted."""

from fakekafka.bugs.bug import Bug

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
    remedy="Shorter names; upgrade to 2.2.2.",
    sources=("KAFKA-4893", "behaviour log.deleted_directory"),
    shown="not",
    unshown=("its story is not written; the behaviour log.deleted_directory plays it, and its tests show both sides"),
)
