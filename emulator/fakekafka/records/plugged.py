"""A codec by id: batches of format 2 whose codec bits say 5, and whose other attribute bits say which codec that is.

No release has it; KIP-984 proposes it. Views look nothing up unless they meet codec 5, so it costs nothing where it is
not used. Formats 0 and 1 have no room for the id.
"""

from typing import Final, Protocol

from fakekafka.ids import Buffer, CodecId
from fakekafka.records.batch import Batch

PLUGGED: Final[CodecId] = 5
"""The codec bits of a batch that was compressed by a plug-in: the first number that they leave free."""


class PluggedCodec(Protocol):
    """One codec that Kafka does not have."""

    @property
    def attributes(self) -> int:
        """The attribute bits that name it: 5, and its id."""

    @property
    def alias(self) -> str:
        """Its name in configs."""

    def compress(self, data: Buffer) -> bytes:
        """`data` as one stream. Raises `UndecodablePayload` if the codec fails."""

    def decompress(self, data: Buffer) -> bytes:
        """The inverse. Raises `UndecodablePayload` for a stream that it cannot read."""


class PluggedCodecs(Protocol):
    """The codecs that can be used besides Kafka's."""

    @property
    def mask(self) -> int:
        """The attribute bits that hold the id."""

    def of_batch(self, attributes: int) -> PluggedCodec:
        """The codec that a batch's attributes name. Raises `UnknownCodec`."""

    def batch(self, data: Buffer) -> Batch:
        """The view of a unit of format 2 that may be compressed by one of them."""

    def called(self, name: str) -> PluggedCodec:
        """The codec of that name, as `compression.type` gives it. Raises `UnknownCodec`."""
