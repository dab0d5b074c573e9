"""What clients without plug-ins make of batches that a plug-in has compressed (draft KIP-984).

KIP-984 asks for no new version of Fetch, so nothing tells the broker which consumers know codec 5: those that read
format 2 get it and fail, each in its own manner; those that read older formats get plain messages, which the broker has
decompressed.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from fakekafka_compat.driving import DriverFailed
from fakekafka_compat.records import Json
from fakekafka_compat.stage import Stage

DRAFT: Final = "KIP-984"
ALIAS: Final = "snappyPlugin"
ERRORS: Final = ("error", "told")
WAITS: Final = "says nothing"
READS: Final = "reads"
MANNERS: Final[Mapping[str, str]] = {
    "kafka-python 1.4.7": "UnboundLocalError",
    "kafka-python 2.0.2": "UnboundLocalError",
    "kafka-python 2.3.3": "UnsupportedCodecError",
    "kafka-python 3.0.12": "UnsupportedCodecError",
    "confluent-kafka 0.11.6": "Decompression (codec 0x1)",  # it reads two bits as the codec: gzip
    "confluent-kafka 1.6.1": "Local: Not implemented",
    "confluent-kafka 1.9.2": "Local: Not implemented",
    "confluent-kafka 2.3.0": "Local: Not implemented",
    "confluent-kafka 2.16.1": "Local: Not implemented",
    "aiokafka 0.8.1": "UnsupportedCodecError",
    "aiokafka 0.12.0": "UnsupportedCodecError",
    "aiokafka 0.14.0": "UnsupportedCodecError",
    "@platformatic/kafka 2.12.1": "PLT_KFK_UNSUPPORTED_COMPRESSION",
    "kafka-clients 3.9.0": "Unknown compression type id: 5",
    "kafka-clients 4.3.0": "Unknown compression type id: 5",
    "kafkajs 2.2.4": "outside buffer bounds",  # it mistakes the bytes for plain records
}
"""What each client says, by library and version: a part of its error. Recorded by running this scenario."""


def meets_a_plug_in(stage: Stage) -> None:
    """Produce records, which the broker compresses with the plug-in. Only readers of older formats can read them."""
    reads = stage.expected.reads
    plain = reads is None or reads < 2
    records = stage.new(8, "once" if plain else "never")
    stage.produce(records)
    stage.fact("codecs", sorted({record.codec for record in stage.kafka.records(stage.topic)}), [ALIAS])
    try:
        said = _said(stage.read(len(records)))
    except DriverFailed as failed:
        said = _said([{"event": "error", "error": str(failed)}])
    stage.events[:] = [event for event in stage.events if event["event"] not in ERRORS]  # part of the manner
    known = f"{stage.client.library} {stage.client.version}"
    wanted = READS if plain else MANNERS.get(known)
    stage.fact("manner", wanted if wanted is not None and wanted in said else said, wanted)
    stage.observe(records, codec=ALIAS)


def _said(events: Sequence[Json]) -> str:
    """The client's first error; if it reported none, whether it read or was silent."""
    errors = [str(event["error"]) for event in events if event["event"] in ERRORS]
    if errors:
        return errors[0]
    return READS if any(event["event"] == "consumed" for event in events) else WAITS
