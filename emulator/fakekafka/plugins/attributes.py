"""Where a batch says which plug-in compressed it: codec 5, and four bits of the attributes' second byte.

    bit   0-2      3                4              5        6                7      8-11          12-15
          codec 5  timestamp type   transactional  control  delete horizon   free   plug-in's id  free

KIP-984 asks for four bits and leaves their position open, except that bit 7 stays free.
"""

from typing import Final

from fakekafka.records.plugged import PLUGGED

ID_BITS: Final = 0x0F
POSITION: Final = 8
"""The first bit of the id by default."""


def attributes_of(plugin_id: int, position: int = POSITION) -> int:
    """The bits that name a plug-in."""
    return PLUGGED | plugin_id << position


def id_in(attributes: int, position: int = POSITION) -> int:
    """The plug-in's id in these attributes."""
    return attributes >> position & ID_BITS
