"""What a compression plug-in is: a way to compress bytes, and its inverse."""

from collections.abc import Callable
from typing import NamedTuple, Protocol

from fakekafka.ids import Buffer
from fakekafka.records.malformed import UndecodablePayload


class CompressionPlugin(Protocol):
    """The interface of plug-ins. Either method may raise anything for bytes that it cannot process."""

    def compress(self, data: bytes, /) -> bytes:
        """Compress `data` to one stream."""

    def decompress(self, data: bytes, /) -> bytes:
        """Restore what was passed to `compress`."""


class Functions(NamedTuple):
    """A plug-in that is two plain functions."""

    compress: Callable[[bytes], bytes]
    decompress: Callable[[bytes], bytes]


class Chosen(NamedTuple):
    """A plug-in that batches can name: a `records.plugged.PluggedCodec`."""

    attributes: int
    """The attribute bits that name it."""
    alias: str
    plugin: CompressionPlugin

    def compress(self, data: Buffer) -> bytes:
        """Compress `data` to one stream. Raises `UndecodablePayload` if the plug-in fails."""
        try:
            return bytes(self.plugin.compress(bytes(data)))
        except Exception as e:
            raise UndecodablePayload(f"plug-in {self.alias} cannot compress: {e!r}") from e

    def decompress(self, data: Buffer) -> bytes:
        """Restore what was passed to `compress`. Raises `UndecodablePayload` for a stream that the plug-in cannot
        read.
        """
        try:
            return bytes(self.plugin.decompress(bytes(data)))
        except Exception as e:
            raise UndecodablePayload(f"plug-in {self.alias} cannot decompress: {e!r}") from e
