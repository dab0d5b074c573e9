"""Signs in the text of a client's or a broker's log: words that are typical of one bug or a few."""

from collections.abc import Iterable
from typing import Final

from fakekafka.bugs.signs.finding import Finding

WORDS: Final[dict[str, tuple[str, ...]]] = {
    "does not support record headers": ("KAFKA-6739", "KAFKA-6739-UP"),
    "got 1a; expected 82": ("KAFKA-3160",),
    "dependent block stream is unsupported": ("LZ4-FLAGS",),
    "does not have incremental offsets": ("KAFKA-9669",),
    "compressed outer record has more than one batch": ("KAFKA-8428",),
    "unsupported_for_message_format": ("UNSUPPORTED-FORMAT-43",),
    "unsupportedformessageformatexception": ("UNSUPPORTED-FORMAT-43",),
    "whose size is larger than the fetch size": ("KIP-283-OVERFLOW", "KIP-74-STUCK"),
    "inner record magic does not match outer magic": ("KAFKA-4298",),
    "unknown_topic_id": ("ZERO-TOPIC-ID",),
    "unknown topic id": ("ZERO-TOPIC-ID",),
    "unsupported_compression_type": ("ZSTD-OLD-FETCH", "KAFKA-7920"),
    "not compressing batch": ("KAFKA-18659",),
    "unknown magic byte": ("MIXED-MAGIC", "FORMAT-LOWERED"),
    "unknownproduceridexception": ("PID-ERA",),
    "found record size 0 smaller than minimum record overhead": ("KAFKA-5431",),
    "unknown offset message version": ("OFFSET-VALUE-DOWNGRADE",),
    "is larger than the allowable maximum offset": ("KAFKA-6264",),
    "while it already exists": ("KAFKA-6388",),
    "disconnected while requesting apiversion": ("CLOSE-APIKEY-0.8", "SILENT-APIKEY-0.9"),
    "fenced leader epoch": ("KAFKA-9212",),
    "java heap space": ("OOM-EAGER",),
}
"""The words, in lower case."""


def diagnose_text(lines: Iterable[str]) -> list[Finding]:
    """The bugs whose words occur, each once, with the line."""
    found: dict[str, Finding] = {}
    for number, line in enumerate(lines, 1):
        small = line.lower()
        for words, bugs in WORDS.items():
            if words in small:
                for name in bugs:
                    found.setdefault(name, Finding(name, f"line {number}: {line.strip()[:160]}"))
    return list(found.values())
