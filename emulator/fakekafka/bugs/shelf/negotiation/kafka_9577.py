"""KAFKA-9577: Java clients use the broker's newest SaslHandshake, whether they know it or not."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play

BUG = Bug(
    id="KAFKA-9577",
    title="Java clients use the broker's newest SaslHandshake, whether they know it or not",
    part="negotiation",
    kind="scenario",
    releases="0.10.0.0 -",
    clients=("kafka-clients <2.5.0",),
    symptom=(
        "IllegalArgumentException, Invalid version for API key SASL_HANDSHAKE; authentication never begins"
        " against a proxy or an emulator; client of 2.4 cannot log in"
    ),
    cause=(
        "The client takes the highest version that ApiVersions lists, whatever it knows. A broker, or a double,"
        " that lists more than 1 stops it."
    ),
    remedy="List SaslHandshake 0 to 1; kafka-clients 2.5.",
    sources=("KAFKA-9577",),
    shown="by what a reader computes",
    affected=Side("2.3.1", reader="takes the broker's highest, of a double that lists 0 to 2"),
    cured=Side("2.3.1", reader="takes the broker's highest"),
    no_client="it needs a login and a double that lists SaslHandshake 2, which the stories of clients do not have",
    story_on="1.0.0 -",
    elsewhere="up to 0.11 the newest SaslHandshake is 0",
    sees={"highest SaslHandshake listed": (2, 1), "the client has it": (False, True)},
)


def story(play: Play) -> None:
    listed = next(one.max_version for one in play.call("ApiVersions", 0).api_keys if one.api_key == 17)
    if play.side.reader.endswith("lists 0 to 2"):
        listed += 1
    play.see("highest SaslHandshake listed", listed)
    play.see("the client has it", listed <= 1)
