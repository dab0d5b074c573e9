"""KIP-97: a client of 4.0 refuses brokers before 2.1."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.real_clients import RealClients, Sends
from fakekafka.ids import ApiKey
from fakekafka.releases.profile import profile
from fakekafka.releases.release import Release

BUG = Bug(
    id="KIP-97",
    title="a client of 4.0 refuses brokers before 2.1",
    part="negotiation",
    kind="era",
    releases="0.8.0 - 2.0.1",
    clients=("kafka-clients >=4.0.0",),
    symptom=(
        "UnsupportedVersionException from a new client against an old broker; The node does not support; client"
        " upgrade broke everything"
    ),
    cause="KIP-896 removed old versions from the Java client too: it talks to brokers of 2.1 and later only.",
    remedy="Upgrade brokers first; keep clients at 3.9 until then.",
    sources=("KIP-97", "KIP-896", "behaviour accepted versions of Produce and Fetch"),
    affected=Side("2.0.1", reader="a client of 4.0"),
    cured=Side("2.1.1", reader="a client of 4.0"),
    story_on="0.11.0.0 - 2.0.1",
    elsewhere="up to 0.10 there is no OffsetForLeaderEpoch, and up to 0.9 no ApiVersions",
    sees={"APIs of a consumer without a version that both know": (["OFFSET_FOR_LEADER_EPOCH"], [])},
    real_clients=RealClients("kafka-clients==4.0.0", "kafka-clients==3.9.0", Sends()),
)


_ASKED = ("PRODUCE", "FETCH", "LIST_OFFSETS", "METADATA", "JOIN_GROUP", "OFFSET_COMMIT", "OFFSET_FOR_LEADER_EPOCH")
_CLIENT = profile(Release.parse("4.0.0"))


def story(play: Play) -> None:
    play.tell("the client compares its versions with those in the answer to ApiVersions")
    offered = {row.api_key: row for row in play.call("ApiVersions", 0).api_keys}
    own = {key: _CLIENT.accepted[key].low for key in ApiKey if key.name in _ASKED}
    none = [key.name for key, low in own.items() if offered[key].max_version < low]
    play.see("APIs of a consumer without a version that both know", none)
