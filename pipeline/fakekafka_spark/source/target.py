"""What to write: the release, its message format and codec, and the sizes of batches and segments.

What a release cannot hold is refused: zstd before 2.1 or in formats 0 and 1, format 2 before 0.11.
"""

from collections.abc import Mapping
from typing import NamedTuple, Self

from fakekafka.errors import UsageError
from fakekafka.ids import CodecId, Magic
from fakekafka.log.config import LogConfig
from fakekafka.records.compression import CODEC_NAMES, LZ4, ZSTD
from fakekafka.releases.message_formats import written_format
from fakekafka.releases.profile import Profile, profile
from fakekafka.releases.release import NEWEST, Release

from fakekafka_spark.options import check_names, number

BATCH_BYTES = 16384
"""The Java producer's `batch.size`."""
BATCH_RECORDS = 10_000

OPTIONS = (
    "release",
    "format",
    "codec",
    "batchBytes",
    "batchRecords",
    "segmentBytes",
    "indexIntervalBytes",
    "path",
    "logBounds",
)


class Target(NamedTuple):
    """What is written."""

    profile: Profile
    magic: Magic
    codec: CodecId
    batch_bytes: int
    batch_records: int
    config: LogConfig

    @classmethod
    def of(cls, options: Mapping[str, str]) -> Self:
        """What these options ask for. Raises `UsageError`."""
        check_names(options, OPTIONS)
        given = {name.lower(): value for name, value in options.items()}
        target_profile = profile(Release.parse(given.get("release", NEWEST)))
        magic = format_of(target_profile, given.get("format"))
        default = LogConfig()
        return cls(
            target_profile,
            magic,
            codec_of(target_profile, magic, given.get("codec", CODEC_NAMES[0])),
            number(given, "batchBytes", BATCH_BYTES),
            number(given, "batchRecords", BATCH_RECORDS),
            default._replace(
                segment_bytes=number(given, "segmentBytes", default.segment_bytes),
                index_interval_bytes=number(given, "indexIntervalBytes", default.index_interval_bytes),
                message_format=magic,
            ),
        )


def newest_format(target_profile: Profile) -> Magic:
    """The format that the release writes by default, which is the newest that it knows."""
    return written_format(target_profile.log.message_format, target_profile.release.line, target_profile.release.line)


def format_of(target_profile: Profile, text: str | None) -> Magic:
    """The format of that number; None is the release's own. Raises `UsageError` for one that it does not know."""
    newest = newest_format(target_profile)
    if text is None:
        return newest
    if not text.isdecimal() or int(text) > newest:
        raise UsageError(f"Kafka {target_profile.release} has no message format {text!r}: it knows 0 to {newest}")
    return int(text)


def codec_of(target_profile: Profile, magic: Magic, name: str) -> CodecId:
    """The codec of that name. Raises `UsageError` for one that the release or the format does not have."""
    if name not in CODEC_NAMES:
        raise UsageError(f"there is no codec {name!r}: there are {', '.join(CODEC_NAMES)}")
    codec = CODEC_NAMES.index(name)
    newest = target_profile.append.newest_codec if target_profile.append.codec_bits == 3 else LZ4 - 1
    if codec > newest or (codec == ZSTD and magic < 2):
        raise UsageError(f"Kafka {target_profile.release} has no {name} in message format {magic}")
    return codec
