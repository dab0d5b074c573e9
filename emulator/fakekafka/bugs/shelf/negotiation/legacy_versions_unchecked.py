"""LEGACY-VERSIONS-UNCHECKED: old brokers answer versions that they do not know in another layout."""

from fakekafka.bugs.bug import Bug

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
    shown="not",
    unshown=(
        "its story is not written; the behaviour connection.unchecked_versions plays it, and that one's tests"
        " show both sides"
    ),
)
