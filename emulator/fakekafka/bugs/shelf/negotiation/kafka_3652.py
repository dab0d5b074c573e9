"""KAFKA-3652: an ApiVersions request that is too new is answered in version 0."""

from typing import Any

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play, name_of
from fakekafka.ids import ApiKey
from fakekafka.wire.apis import request_class, response_class
from fakekafka.wire.frames import read_response, request_frame
from fakekafka.wire.plain import from_plain

BUG = Bug(
    id="KAFKA-3652",
    title="an ApiVersions request that is too new is answered in version 0",
    part="negotiation",
    kind="era",
    releases="0.10.0.0 -",
    clients=("librdkafka <1.4.0", "any self-made client"),
    symptom=(
        "ApiVersions response cannot be parsed; Buffer underflow in ApiVersionsResponse; client newer than the"
        " broker disconnects; error 35 in the handshake"
    ),
    cause=(
        "A broker that does not have the version of ApiVersions answers with error 35 in the layout of version"
        " 0, up to 2.3 with no keys, from 2.4 on with the range of ApiVersions itself (KIP-511)."
    ),
    remedy="Read the error first, and ask again with version 0, or with the range in the answer.",
    sources=("KAFKA-3652", "KIP-511", "recorded from 0.10.0.1 to 4.3.1: handshake"),
    affected=Side("2.3.1", reader="ApiVersions 3"),
    cured=Side("2.3.1", reader="ApiVersions 2"),
    no_client="libraries ask again with version 0 and hide it; the story's requests show the broker's answers",
    story_on="0.10.0.0 - 2.3.1",
    elsewhere="from 2.4 on the answer names the versions of ApiVersions (KIP-511)",
    sees={"error, and keys listed": (["UNSUPPORTED_VERSION", 0], ["NONE", 45])},
)


def story(play: Play) -> None:
    version = int(play.side.reader.split()[1])
    sent = request_frame(from_plain(request_class(ApiKey.API_VERSIONS), {}), version, 1, "story")
    frame = play.stage.exchange(sent, "main")
    play.tell("the client reads the error first, which is where version 0 has it")
    answer: Any = read_response(response_class(ApiKey.API_VERSIONS), version if version < 3 else 0, frame)[1]
    play.see("error, and keys listed", [name_of(answer.error_code), len(answer.api_keys)])
