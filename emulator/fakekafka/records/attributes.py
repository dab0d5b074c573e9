"""The attribute bits that all formats share, and the three that only format 2 has.

    bit   0-2       3                 4              5         6
          codec     timestamp type    transactional  control   delete horizon
    in    0, 1, 2   1, 2              2              2         2

Formats 0 and 1 have one byte of attributes, format 2 has two, of which brokers read and write the low one only.
"""

from typing import Final

CODEC: Final = 0x07
"""Brokers 0.8.0 and 0.8.1 look at two bits only, since codec 4 does not exist yet."""
LOG_APPEND_TIME: Final = 0x08
TRANSACTIONAL: Final = 0x10
CONTROL: Final = 0x20
DELETE_HORIZON: Final = 0x40
"""KIP-534: the header's base timestamp is the time from which the cleaner may drop tombstones."""

NO_TIMESTAMP_TYPE: Final = -1
"""Format 0 has no timestamps."""
CREATE_TIME_TYPE: Final = 0
LOG_APPEND_TIME_TYPE: Final = 1


def timestamp_type(attributes: int) -> int:
    """The timestamp type of a format 1 or 2 unit."""
    return LOG_APPEND_TIME_TYPE if attributes & LOG_APPEND_TIME else CREATE_TIME_TYPE


def with_timestamp_type(attributes: int, kind: int) -> int:
    """`attributes` with the timestamp type replaced and all other bits kept."""
    return attributes | LOG_APPEND_TIME if kind == LOG_APPEND_TIME_TYPE else attributes & ~LOG_APPEND_TIME
