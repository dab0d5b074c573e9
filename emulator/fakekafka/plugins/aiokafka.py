"""aiokafka with compression plug-ins: after `install`, its producers take an alias as `compression_type`, and its
consumers read what plug-ins have compressed.

    installed = fakekafka.plugins.aiokafka.install(bootstrap_servers)
    AIOKafkaProducer(bootstrap_servers=bootstrap_servers, compression_type="snappyPlugin")
    installed.remove()      # or: with fakekafka.plugins.aiokafka.install(...):

Nothing of the library is copied. The producer's constructor is wrapped, because it compares the codec with a fixed
list; the builder of batches still builds a plain one, which is then compressed; the reader of fetched sets is given
plain batches. It works with the library's C extension and without it. The list of plug-ins is read when a new name or
id appears, which blocks the event loop for these few requests.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

import aiokafka.consumer.fetcher
import aiokafka.producer.message_accumulator
import aiokafka.producer.producer

from fakekafka.errors import MalformedBytes
from fakekafka.plugins.attributes import POSITION
from fakekafka.plugins.batches import packed, unpacked
from fakekafka.plugins.entry import PYTHON
from fakekafka.plugins.known import BUILT_IN, KnownPlugins, PlainWithPlugin
from fakekafka.plugins.patches import Installed, Patch
from fakekafka.plugins.plugin import CompressionPlugin
from fakekafka.plugins.remote import read_registered

PRODUCER = aiokafka.producer.producer.AIOKafkaProducer
BEGIN = PRODUCER.__init__
BUILDER: Any = aiokafka.producer.message_accumulator.BatchBuilder
MEMORY_RECORDS = aiokafka.consumer.fetcher.MemoryRecords


def install(
    bootstrap_servers: str | Sequence[str],
    plugins: Mapping[str, CompressionPlugin] | None = None,
    *,
    position: int = POSITION,
) -> Installed:
    """Make the plug-ins that a cluster has registered available to every aiokafka client of this process.

    `plugins`: code by alias, besides what is installed (entry points `fakekafka.compression`). `position`: as in the
    draft's setting. It replaces an earlier `install`. The cluster is asked when a plug-in is first named.
    """
    known = KnownPlugins(lambda: read_registered(bootstrap_servers).get(PYTHON, {}), plugins, position)

    def begin_with_plugin(self: Any, *, compression_type: str | None = None, **options: Any) -> None:
        if compression_type is None or compression_type in BUILT_IN:
            BEGIN(self, compression_type=compression_type, **options)
            return
        plugin = known.called(compression_type)
        BEGIN(self, compression_type=None, **options)
        self._compression_type = compression_type
        self._message_accumulator._compression_type = PlainWithPlugin(plugin)

    def records(data: Any) -> Any:
        try:
            return MEMORY_RECORDS(bytes(unpacked(data, known)) if data else data)
        except MalformedBytes as e:
            return Unreadable(e)

    return Installed(
        "aiokafka",
        Patch(PRODUCER, "__init__", begin_with_plugin),
        Patch(aiokafka.producer.message_accumulator, "BatchBuilder", PluggedBuilder),
        Patch(aiokafka.consumer.fetcher, "MemoryRecords", records),
    )


class Unreadable:
    """A fetched set that cannot be read: reading its first batch raises the reason, as for a damaged set."""

    def __init__(self, error: Exception) -> None:
        self._error = error

    def has_next(self) -> bool:
        return True

    def next_batch(self) -> NoReturn:
        raise self._error


class PluggedBuilder(BUILDER):  # type: ignore[misc]
    """The library's builder of batches, whose result a plug-in may compress."""

    def __init__(self, batch_size: int, compression_type: int, **options: Any) -> None:
        super().__init__(batch_size, int(compression_type), **options)
        self._codec = compression_type
        self._packed: bytearray | None = None

    def _build(self) -> Any:
        if not isinstance(self._codec, PlainWithPlugin):
            return super()._build()
        if self._packed is None:  # the library builds a batch again to retry it
            self._packed = self._buffer = packed(bytes(super()._build()), self._codec.plugin)
        return self._packed
