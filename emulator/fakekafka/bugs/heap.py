"""How much of a conversion a Java broker has on its heap at once: what each release does, computed from the bytes of an
answer. The emulator's own memory says nothing about that.
"""

from typing import Final

from fakekafka.releases.profile import profile
from fakekafka.releases.release import Release

CHUNK_BYTES: Final = 128 << 10
"""What a lazy conversion has in memory (LazyDownConversionRecords.MAX_READ_SIZE): this much is read at a time, and at
least one unit.
"""


def converted_at_once(release: Release, answer: bytes) -> int:
    """Bytes of `answer`, the records of a partition, that must be converted before the first byte is sent."""
    if profile(release).fetch.conversion == "lazy":
        return min(len(answer), CHUNK_BYTES)
    return len(answer)
