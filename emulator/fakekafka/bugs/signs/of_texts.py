"""Signs in the text of a client's or a broker's log: words that are typical of one bug or a few."""

import re
from collections import deque
from collections.abc import Iterable
from functools import cache
from typing import Final

from fakekafka.bugs.index import bug
from fakekafka.bugs.signs.finding import Finding
from fakekafka.releases.release import Release

WORDS: Final[dict[str, tuple[str, ...]]] = {
    "magic v0 does not support record headers": ("KAFKA-6739", "KAFKA-6739-UP"),
    "magic v1 does not support record headers": ("KAFKA-6739", "KAFKA-6739-UP"),
    "got 1a; expected 82": ("KAFKA-3160",),
    "dependent block stream is unsupported": ("LZ4-FLAGS",),
    "inside the compressed record batch does not have incremental offsets": ("KAFKA-9669",),
    "compressed outer record has more than one batch": ("KAFKA-8428",),
    "unsupported_for_message_format": ("UNSUPPORTED-FORMAT-43",),
    "unsupportedformessageformatexception": ("UNSUPPORTED-FORMAT-43",),
    "whose size is larger than the fetch size": ("KIP-283-OVERFLOW", "KIP-74-STUCK"),
    "inner record magic does not match outer magic": ("KAFKA-4298",),
    "unknown_topic_id": ("ZERO-TOPIC-ID",),
    "broker: unknown topic id": ("ZERO-TOPIC-ID",),
    "unsupported_compression_type": ("ZSTD-OLD-FETCH",),
    "unknown compression type id: 4": ("KAFKA-7920",),
    "broker does not support compression type … not compressing batch": ("KAFKA-18659",),
    **dict.fromkeys(
        ("unknown magic byte 1", "unknown magic byte 2", "unknown magic byte (1)", "unknown magic byte (2)"),
        ("MIXED-MAGIC", "FORMAT-LOWERED"),
    ),
    "unknownproduceridexception": ("PID-ERA",),
    "found record size 0 smaller than minimum record overhead": ("KAFKA-5431",),
    "unknown offset message version": ("OFFSET-VALUE-DOWNGRADE",),
    "is larger than the allowable maximum offset": ("KAFKA-6264",),
    "trying to roll a new log segment … while it already exists": ("KAFKA-6388",),
    "disconnected while requesting apiversion": ("CLOSE-APIKEY-0.8", "SILENT-APIKEY-0.9"),
    "attempt to fetch offsets … failed due to fenced leader epoch": ("KAFKA-9212",),
    "but offset map can fit only": ("KAFKA-3894",),
    "this log contains a message larger than maximum allowable size": ("KAFKA-6854", "KAFKA-4019", "KAFKA-6834"),
    "invalid timestamp -1": ("KAFKA-4073",),
}
"""Words, in lower case and whole, and the bugs that they come from. "…" stands for any others in the line."""
TOGETHER: Final[dict[tuple[str, str], tuple[str, ...]]] = {
    ("outofmemoryerror", "kafkaapis.handlefetchrequest("): ("OOM-EAGER",),
    ("outofmemoryerror", ".downconvert("): ("OOM-EAGER",),
    ("outofmemoryerror", ".tomessageformat("): ("OOM-EAGER",),
    ("kafka-log-cleaner-thread", "bufferoverflowexception"): ("KAFKA-3915", "KAFKA-5316"),
}
"""Words that mean something only when they are near each other, as in a stack trace."""
NEAR_LINES: Final = 20


def diagnose_text(lines: Iterable[str], release: Release | None = None) -> list[Finding]:
    """The bugs whose words occur, each once, with the line. `release`: bugs that it does not have are left out."""
    findings: dict[str, Finding] = {}
    near: deque[str] = deque(maxlen=NEAR_LINES)
    for number, line in enumerate(lines, 1):
        near.append(line.lower())
        for name in _named(near):
            if release is None or release in bug(name).runs:
                findings.setdefault(name, Finding(name, f"line {number}: {line.strip()[:160]}"))
    return list(findings.values())


def _named(near: "deque[str]") -> list[str]:
    """The bugs whose words end in the last of these lines."""
    last = near[-1]
    alone = [name for words, names in WORDS.items() if _is_in(words, last) for name in names]
    together = [
        name
        for pair, names in TOGETHER.items()
        if any(one in last and any(other in line for line in near) for one, other in (pair, pair[::-1]))
        for name in names
    ]
    return alone + together


def _is_in(words: str, line: str) -> bool:
    """Whether a line has these words in this order, as whole words and not as parts of longer ones."""
    return words.partition(" … ")[0] in line and _pattern(words).search(line) is not None


@cache
def _pattern(words: str) -> re.Pattern[str]:
    """A pattern that matches whole words."""
    return re.compile(rf"(?<!\w){'.*'.join(map(re.escape, words.split(' … ')))}(?!\w)")
