"""SILENT-APIKEY-0.9: 0.9 swallows requests that it does not know."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import NO_ANSWER, Play

BUG = Bug(
    id="SILENT-APIKEY-0.9",
    title="0.9 swallows requests that it does not know",
    part="negotiation",
    kind="bug",
    releases="0.9.0.0 - 0.9.0.1",
    clients=("librdkafka >=0.9.1", "kafka-python", "any client that asks for ApiVersions"),
    symptom=(
        "client waits 10 seconds at each connection to a 0.9 broker; ApiVersionRequest timed out; connection"
        " hangs, no error; correlation id mismatch"
    ),
    cause=(
        "ApiVersions, or any API key above 16, fails in the network thread of 0.9, where the exception is lost."
        " The connection stays open without an answer; the next request is answered."
    ),
    remedy=(
        "Set api.version.request=false and broker.version.fallback=0.9.0 for librdkafka, api_version=(0, 9) for"
        " kafka-python."
    ),
    sources=("confluentinc/librdkafka#606", "confluentinc/librdkafka#1228", "recorded from 0.9.0.1: handshake"),
    affected=Side("0.9.0.1"),
    cured=Side("0.10.0.1"),
    sees={
        "ApiVersions 0": (NO_ANSWER, "answered"),
        "Metadata 0 afterwards, on the same connection": ("answered", "answered"),
    },
)


def story(play: Play) -> None:
    play.see("ApiVersions 0", play.ending("ApiVersions", 0))
    play.see("Metadata 0 afterwards, on the same connection", play.ending("Metadata", 0, topics=[]))
