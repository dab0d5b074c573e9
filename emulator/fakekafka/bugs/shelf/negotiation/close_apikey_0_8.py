"""CLOSE-APIKEY-0.8: 0.8 closes the connection for requests that it does not know."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import CLOSED, Play

BUG = Bug(
    id="CLOSE-APIKEY-0.8",
    title="0.8 closes the connection for requests that it does not know",
    part="negotiation",
    kind="era",
    releases="0.8.0 - 0.8.2.2",
    clients=("librdkafka >=0.9.1", "kafka-python", "any client that asks for ApiVersions"),
    symptom=(
        "Disconnected while requesting ApiVersion; connection closed at once by a 0.8 broker; client falls back"
        " to old versions or never connects"
    ),
    cause="An API key that is unknown ends the connection. Clients take that for an old broker, or for a broken one.",
    remedy="Tell the client the broker's release: broker.version.fallback=0.8.2 with api.version.request=false.",
    sources=("RequestKeys of 0.8.2.2", "recorded from 0.8.2.2: handshake"),
    affected=Side("0.8.2.2"),
    cured=Side("0.10.0.1"),
    sees={"ApiVersions 0": (CLOSED, "answered")},
)


def story(play: Play) -> None:
    play.see("ApiVersions 0", play.ending("ApiVersions", 0))
